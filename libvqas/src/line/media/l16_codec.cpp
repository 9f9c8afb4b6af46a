#include <array>
#include <vector>

#include "line/media/codecs.h"
#include "line/media/concealer.h"
#include "line/media/pcm16.h"
#include "line/media/twice_rate.h"

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

class L16Codec final : public RtpCodec {
 public:
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
  std::array<std::uint8_t, 2 * kLineBlock> payload_{};
  Concealer concealer_;
};

class L16WidebandCodec final : public RtpCodec {
 public:
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    write_samples(rate_.up(block), payload_);
    return payload_;
  }
  bool fits(std::span<const std::uint8_t> payload) const override { return payload.size() == payload_.size(); }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override {
    TwiceRate::Wide wide{};
    read_samples(payload, wide);
    rate_.down(wide, block);
    concealer_.heard(block);
  }
  void conceal(std::span<const std::uint8_t>, std::span<float> block) override { concealer_.fill(block); }

 private:
  TwiceRate rate_;
  std::array<std::uint8_t, 4 * kLineBlock> payload_{};
  Concealer concealer_;
};

}  // namespace

std::unique_ptr<RtpCodec> make_l16_codec() {
  return std::make_unique<L16Codec>();
}

std::unique_ptr<RtpCodec> make_l16_wideband_codec() {
  return std::make_unique<L16WidebandCodec>();
}

}  // namespace vqas
