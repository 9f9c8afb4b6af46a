#include <gsm.h>

#include <algorithm>
#include <array>
#include <new>

#include "line/media/codecs.h"
#include "line/media/concealer.h"
#include "line/media/pcm16.h"

namespace vqas {
namespace {

struct Free {
  void operator()(gsm_state* state) const { gsm_destroy(state); }
};

class GsmCodec final : public RtpCodec {
 public:
  GsmCodec() : encoder_(gsm_create()), decoder_(gsm_create()) {
    if (!encoder_ || !decoder_) throw std::bad_alloc();
  }
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    Pcm16Block linear = as_pcm16(block);
    gsm_encode(encoder_.get(), linear.data(), payload_.data());
    return payload_;
  }
  bool fits(std::span<const std::uint8_t> payload) const override {
    return payload.size() == payload_.size() && payload.front() >> 4 == GSM_MAGIC;
  }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override {
    std::array<std::uint8_t, sizeof(gsm_frame)> frame{};
    std::ranges::copy(payload, frame.begin());
    Pcm16Block linear{};
    gsm_decode(decoder_.get(), frame.data(), linear.data());
    from_pcm16(linear, block);
    concealer_.heard(block);
  }
  void conceal(std::span<const std::uint8_t>, std::span<float> block) override { concealer_.fill(block); }

 private:
  std::unique_ptr<gsm_state, Free> encoder_, decoder_;
  std::array<std::uint8_t, sizeof(gsm_frame)> payload_{};
  RtpConcealer concealer_;
};

}  // namespace

std::unique_ptr<RtpCodec> make_gsm_codec() {
  return std::make_unique<GsmCodec>();
}

}  // namespace vqas
