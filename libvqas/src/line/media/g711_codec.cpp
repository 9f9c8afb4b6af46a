#include <array>

#include "line/media/codecs.h"
#include "line/media/concealer.h"
#include "vqas/line/line.h"

namespace vqas {
namespace {

class G711Codec final : public RtpCodec {
 public:
  explicit G711Codec(G711Law law) : law_(law) {}
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    g711_encode(block, payload_, law_);
    return payload_;
  }
  bool fits(std::span<const std::uint8_t> payload) const override { return payload.size() == kLineBlock; }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override {
    g711_decode(payload, block, law_);
    concealer_.heard(block);
  }
  void conceal(std::span<const std::uint8_t>, std::span<float> block) override { concealer_.fill(block); }

 private:
  G711Law law_;
  std::array<std::uint8_t, kLineBlock> payload_{};
  RtpConcealer concealer_;
};

}  // namespace

std::unique_ptr<RtpCodec> make_g711_codec(G711Law law) {
  return std::make_unique<G711Codec>(law);
}

}  // namespace vqas
