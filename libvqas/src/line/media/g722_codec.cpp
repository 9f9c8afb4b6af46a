#include <array>

#include "line/media/codecs.h"
#include "line/media/concealer.h"
#include "line/media/g722.h"
#include "line/media/pcm16.h"

namespace vqas {
namespace {

class G722Codec final : public RtpCodec {
 public:
  explicit G722Codec(int rate_hz) : g722_(rate_hz), concealer_(rate_hz) {}
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    const auto linear = std::span(linear_).first(block.size());
    to_pcm16(block, linear);
    g722_.encode(linear, payload_);
    return payload_;
  }
  // An octet is 125 µs.
  bool fits(std::span<const std::uint8_t> payload) const override { return payload.size() == payload_.size(); }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override {
    const auto linear = std::span(linear_).first(block.size());
    g722_.decode(payload, linear);
    from_pcm16(linear, block);
    concealer_.heard(block);
  }
  void conceal(std::span<const std::uint8_t>, std::span<float> block) override { concealer_.fill(block); }

 private:
  G722 g722_;
  WidePcm16Block linear_{};
  std::array<std::uint8_t, kLineBlock> payload_{};
  RtpConcealer concealer_;
};

}  // namespace

std::unique_ptr<RtpCodec> make_g722_codec(int rate_hz) {
  return std::make_unique<G722Codec>(rate_hz);
}

}  // namespace vqas
