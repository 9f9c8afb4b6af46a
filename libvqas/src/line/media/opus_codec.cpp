#include <opus.h>

#include <algorithm>
#include <array>
#include <new>

#include "line/media/codecs.h"
#include "line/media/pcm16.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

// In bit/s: near the codec's best in the narrow and in the wide band, with room for the repetition.
constexpr int kBitRate = 24000, kWideBitRate = 32000;
constexpr int kExpectedLoss_percent = 10;  // without an expected loss libopus repeats nothing
constexpr std::size_t kLongest = 1275;     // octets, RFC 6716, 3.2.1: of 20 ms in one frame

struct Free {
  void operator()(OpusEncoder* encoder) const { opus_encoder_destroy(encoder); }
  void operator()(OpusDecoder* decoder) const { opus_decoder_destroy(decoder); }
};

// The widest band that an end of this rate plays: RFC 7587, 3.1.1.
int bandwidth_of(int rate_hz) {
  if (rate_hz < 12000) return OPUS_BANDWIDTH_NARROWBAND;
  if (rate_hz < 16000) return OPUS_BANDWIDTH_MEDIUMBAND;
  if (rate_hz < 24000) return OPUS_BANDWIDTH_WIDEBAND;
  return rate_hz < 48000 ? OPUS_BANDWIDTH_SUPERWIDEBAND : OPUS_BANDWIDTH_FULLBAND;
}

class OpusCodec final : public RtpCodec {
 public:
  explicit OpusCodec(const RtpFormat& format) : rate_hz_(format.rate_hz) {
    int fault = OPUS_OK;
    encoder_.reset(opus_encoder_create(rate_hz_, 1, OPUS_APPLICATION_VOIP, &fault));
    decoder_.reset(opus_decoder_create(rate_hz_, 1, &fault));
    if (!encoder_ || !decoder_) throw std::bad_alloc();
    const bool narrow = std::min(rate_hz_, format.far_plays_hz) <= kLineRateHz;
    opus_encoder_ctl(encoder_.get(), OPUS_SET_BITRATE(narrow ? kBitRate : kWideBitRate));
    opus_encoder_ctl(encoder_.get(), OPUS_SET_MAX_BANDWIDTH(bandwidth_of(format.far_plays_hz)));
    opus_encoder_ctl(encoder_.get(), OPUS_SET_SIGNAL(OPUS_SIGNAL_VOICE));
    opus_encoder_ctl(encoder_.get(), OPUS_SET_INBAND_FEC(format.repeats ? 1 : 0));
    opus_encoder_ctl(encoder_.get(), OPUS_SET_PACKET_LOSS_PERC(format.repeats ? kExpectedLoss_percent : 0));
  }
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    const auto linear = std::span(linear_).first(block.size());
    to_pcm16(block, linear);
    const int size = opus_encode(encoder_.get(), linear.data(), static_cast<int>(linear.size()), payload_.data(),
                                 static_cast<opus_int32>(payload_.size()));
    return std::span(payload_).first(static_cast<std::size_t>(std::max(size, 0)));
  }
  bool fits(std::span<const std::uint8_t> payload) const override {
    if (payload.empty() || payload.size() > kLongest) return false;
    const auto size = static_cast<opus_int32>(payload.size());
    if (opus_packet_get_nb_samples(payload.data(), size, rate_hz_) != static_cast<int>(line_block(rate_hz_)))
      return false;
    std::array<const unsigned char*, 48> frames{};  // RFC 6716, 3.2.5: at most
    std::array<opus_int16, 48> sizes{};
    return opus_packet_parse(payload.data(), size, nullptr, frames.data(), sizes.data(), nullptr) > 0;
  }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override { play(payload, false, block); }
  // Without a repetition in the next packet libopus conceals.
  void conceal(std::span<const std::uint8_t> next, std::span<float> block) override { play(next, true, block); }

 private:
  void play(std::span<const std::uint8_t> payload, bool lost, std::span<float> block) {
    const auto linear = std::span(linear_).first(block.size());
    const auto size = static_cast<int>(linear.size());
    int got =
        opus_decode(decoder_.get(), payload.empty() ? nullptr : payload.data(), static_cast<opus_int32>(payload.size()),
                    linear.data(), size, lost && !payload.empty() ? 1 : 0);
    // A payload of the right form may still hold a stream that is damaged.
    if (got != size) got = opus_decode(decoder_.get(), nullptr, 0, linear.data(), size, 0);
    if (got != size) std::ranges::fill(linear, std::int16_t{0});
    from_pcm16(linear, block);
  }

  const int rate_hz_;
  WidePcm16Block linear_{};
  std::unique_ptr<OpusEncoder, Free> encoder_;
  std::unique_ptr<OpusDecoder, Free> decoder_;
  std::array<std::uint8_t, kLongest> payload_{};
};

}  // namespace

std::unique_ptr<RtpCodec> make_opus_codec(const RtpFormat& format) {
  return std::make_unique<OpusCodec>(format);
}

}  // namespace vqas
