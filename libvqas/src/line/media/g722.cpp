#include "line/media/g722.h"

#include <new>

#include "vqas/signal/signal.h"

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

}  // namespace

struct G722::State {
  explicit State(int options)
      : encoder(g722_encode_init(nullptr, kBitRate, options)), decoder(g722_decode_init(nullptr, kBitRate, options)) {
    if (!encoder || !decoder) throw std::bad_alloc();
  }
  std::unique_ptr<g722_encode_state_t, Free> encoder;
  std::unique_ptr<g722_decode_state_t, Free> decoder;
};

G722::G722(int rate_hz) : state_(std::make_unique<State>(rate_hz == kLineRateHz ? G722_SAMPLE_RATE_8000 : 0)) {}
G722::~G722() = default;
G722::G722(G722&&) noexcept = default;
G722& G722::operator=(G722&&) noexcept = default;

void G722::encode(std::span<const std::int16_t> samples, std::span<std::uint8_t> octets) {
  g722_encode(state_->encoder.get(), octets.data(), samples.data(), static_cast<int>(samples.size()));
}

void G722::decode(std::span<const std::uint8_t> octets, std::span<std::int16_t> samples) {
  g722_decode(state_->decoder.get(), samples.data(), octets.data(), static_cast<int>(octets.size()));
}

}  // namespace vqas
