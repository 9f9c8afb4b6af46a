#include "line/media/rtp_codec.h"

#include <array>
#include <utility>

#include "line/media/codecs.h"
#include "signal/twice_rate.h"
#include "vqas/line/line.h"

namespace vqas {
namespace {

// A narrowband codec at an end of 16 kHz.
class CodecWithin final : public RtpCodec {
 public:
  explicit CodecWithin(std::unique_ptr<RtpCodec> narrow) : narrow_(std::move(narrow)) {}
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    down_.down(block, inner_);
    return narrow_->encode(inner_);
  }
  bool fits(std::span<const std::uint8_t> payload) const override { return narrow_->fits(payload); }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override {
    narrow_->decode(payload, inner_);
    up_.up(inner_, block);
  }
  void conceal(std::span<const std::uint8_t> next, std::span<float> block) override {
    narrow_->conceal(next, inner_);
    up_.up(inner_, block);
  }

 private:
  std::unique_ptr<RtpCodec> narrow_;
  TwiceRate down_, up_;
  std::array<float, kLineBlock> inner_{};
};

std::unique_ptr<RtpCodec> make_narrow_codec(RtpEncoding encoding) {
  switch (encoding) {
    case RtpEncoding::pcmu:
      return make_g711_codec(G711Law::mu);
    case RtpEncoding::pcma:
      return make_g711_codec(G711Law::a);
    case RtpEncoding::l16:
      return make_l16_codec();
    default:
      return make_gsm_codec();
  }
}

}  // namespace

std::unique_ptr<RtpCodec> make_codec(const RtpFormat& format) {
  switch (format.encoding) {
    case RtpEncoding::g722:
      return make_g722_codec(format.rate_hz);
    case RtpEncoding::l16wb:
      return make_l16_wideband_codec(format.rate_hz);
    case RtpEncoding::opus:
      return make_opus_codec(format);
    default:
      break;
  }
  auto narrow = make_narrow_codec(format.encoding);
  if (format.rate_hz == kLineRateHz) return narrow;
  return std::make_unique<CodecWithin>(std::move(narrow));
}

}  // namespace vqas
