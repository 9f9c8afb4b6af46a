#include <array>
#include <vector>

#include "line/media/codecs.h"
#include "line/media/concealer.h"
#include "line/media/pcm16.h"
#include "signal/twice_rate.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

void write_samples(std::span<const float> samples, std::span<std::uint8_t> octets) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto bits = static_cast<std::uint16_t>(as_pcm16(samples[i]));
    octets[2 * i] = static_cast<std::uint8_t>(bits >> 8);
    octets[2 * i + 1] = static_cast<std::uint8_t>(bits);
  }
}

void read_samples(std::span<const std::uint8_t> octets, std::span<float> samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto bits = static_cast<std::uint16_t>((octets[2 * i] << 8) | octets[2 * i + 1]);
    samples[i] = static_cast<float>(static_cast<std::int16_t>(bits)) / 32768;
  }
}

// At the rate of the line.
class L16Codec final : public RtpCodec {
 public:
  explicit L16Codec(int rate_hz) : payload_(2 * line_block(rate_hz)), concealer_(rate_hz) {}
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    write_samples(block, payload_);
    return payload_;
  }
  bool fits(std::span<const std::uint8_t> payload) const override { return payload.size() == payload_.size(); }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override {
    read_samples(payload, block);
    concealer_.heard(block);
  }
  void conceal(std::span<const std::uint8_t>, std::span<float> block) override { concealer_.fill(block); }

 private:
  std::vector<std::uint8_t> payload_;
  RtpConcealer concealer_;
};

// 16 kHz, on a line at 8 kHz.
class L16WidebandCodec final : public RtpCodec {
 public:
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    rate_.up(block, wide_);
    write_samples(wide_, payload_);
    return payload_;
  }
  bool fits(std::span<const std::uint8_t> payload) const override { return payload.size() == payload_.size(); }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override {
    read_samples(payload, wide_);
    rate_.down(wide_, block);
    concealer_.heard(block);
  }
  void conceal(std::span<const std::uint8_t>, std::span<float> block) override { concealer_.fill(block); }

 private:
  TwiceRate rate_;
  std::array<float, kWideBlock> wide_{};
  std::array<std::uint8_t, 4 * kLineBlock> payload_{};
  RtpConcealer concealer_;
};

}  // namespace

std::unique_ptr<RtpCodec> make_l16_codec() {
  return std::make_unique<L16Codec>(kLineRateHz);
}

std::unique_ptr<RtpCodec> make_l16_wideband_codec(int rate_hz) {
  if (rate_hz == kWideRateHz) return std::make_unique<L16Codec>(rate_hz);
  return std::make_unique<L16WidebandCodec>();
}

}  // namespace vqas
