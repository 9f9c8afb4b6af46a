#include <array>
#include <new>

#include "line/media/codecs.h"
#include "line/media/concealer.h"
#include "line/media/pcm16.h"

// After the C++ headers, because spandsp's own rounding functions would disturb them, and each after those it needs.
// clang-format off
#include <spandsp/telephony.h>
#include <spandsp/g722.h>
// clang-format on

namespace vqas {
namespace {

constexpr int kBitRate = 64000;  // bit/s, as RFC 3551 fixes it

struct Free {
  void operator()(g722_encode_state_t* state) const { g722_encode_free(state); }
  void operator()(g722_decode_state_t* state) const { g722_decode_free(state); }
};

class G722Codec final : public RtpCodec {
 public:
  G722Codec()
      : encoder_(g722_encode_init(nullptr, kBitRate, G722_SAMPLE_RATE_8000)),
        decoder_(g722_decode_init(nullptr, kBitRate, G722_SAMPLE_RATE_8000)) {
    if (!encoder_ || !decoder_) throw std::bad_alloc();
  }
  std::span<const std::uint8_t> encode(std::span<const float> block) override {
    const Pcm16Block linear = as_pcm16(block);
    g722_encode(encoder_.get(), payload_.data(), linear.data(), static_cast<int>(linear.size()));
    return payload_;
  }
  // An octet is 125 µs.
  bool fits(std::span<const std::uint8_t> payload) const override { return payload.size() == payload_.size(); }
  void decode(std::span<const std::uint8_t> payload, std::span<float> block) override {
    Pcm16Block linear{};
    g722_decode(decoder_.get(), linear.data(), payload.data(), static_cast<int>(payload.size()));
    from_pcm16(linear, block);
    concealer_.heard(block);
  }
  void conceal(std::span<const std::uint8_t>, std::span<float> block) override { concealer_.fill(block); }

 private:
  std::unique_ptr<g722_encode_state_t, Free> encoder_;
  std::unique_ptr<g722_decode_state_t, Free> decoder_;
  std::array<std::uint8_t, kLineBlock> payload_{};
  Concealer concealer_;
};

}  // namespace

std::unique_ptr<RtpCodec> make_g722_codec() {
  return std::make_unique<G722Codec>();
}

}  // namespace vqas
