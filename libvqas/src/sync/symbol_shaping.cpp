#include "sync/symbol_shaping.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace vqas::sync {
namespace {

constexpr double kRollOff = 0.3;
// The integer nearest to 372/1.618 that has no common divisor with 372.
constexpr int kInterleaverStep = 229;
static_assert(kCodedBits == 372);

// Whitening bits: the top bit of a 32-bit linear congruential sequence (Numerical Recipes, 2nd ed., 7.1, ranqd1).
class Whitener {
 public:
  explicit Whitener(End sender) : state_(sender == End::a ? 0xA5A5A5A5U : 0x5A17C0DEU) {}
  bool next() {
    state_ = 1664525U * state_ + 1013904223U;
    return (state_ >> 31) != 0;
  }

 private:
  std::uint32_t state_;
};

double root_raised_cosine(double t) {
  using std::numbers::pi;
  constexpr double b = kRollOff;
  if (std::abs(t) < 1e-6) return 1 - b + 4 * b / pi;
  const double pole = 1 - (4 * b * t) * (4 * b * t);
  if (std::abs(pole) < 1e-6) {
    return b / std::numbers::sqrt2 * ((1 + 2 / pi) * std::sin(pi / (4 * b)) + (1 - 2 / pi) * std::cos(pi / (4 * b)));
  }
  return (std::sin(pi * t * (1 - b)) + 4 * b * t * std::cos(pi * t * (1 + b))) / (pi * t * pole);
}

}  // namespace

double symbol_pulse(double at) {
  if (std::abs(at) >= kSymbolReach) return 0;
  const double taper = std::cos(std::numbers::pi / 2 * at / kSymbolReach);
  return root_raised_cosine(at / kSymbolLength) * std::sqrt(taper) / std::sqrt(double{kSymbolLength});
}

Symbols to_symbols(const CodedBits& bits, End sender) {
  std::array<float, kCodedBits> placed{};
  Whitener whitener(sender);
  for (int i = 0; i < kCodedBits; ++i) {
    const bool one = (bits[static_cast<std::size_t>(i)] != 0) != whitener.next();
    placed[static_cast<std::size_t>(i * kInterleaverStep % kCodedBits)] = one ? -1.0F : 1.0F;
  }
  Symbols symbols;
  for (std::size_t k = 0; k < kSymbols; ++k) {
    symbols[k] = std::complex<float>(placed[k], placed[k + kSymbols]) / std::numbers::sqrt2_v<float>;
  }
  return symbols;
}

SoftBits to_soft_bits(const Symbols& symbols, End sender) {
  SoftBits soft{};
  Whitener whitener(sender);
  for (int i = 0; i < kCodedBits; ++i) {
    const int place = i * kInterleaverStep % kCodedBits;
    const std::complex<float> symbol = symbols[static_cast<std::size_t>(place % kSymbols)];
    const float value = place < kSymbols ? symbol.real() : symbol.imag();
    soft[static_cast<std::size_t>(i)] = whitener.next() ? -value : value;
  }
  return soft;
}

}  // namespace vqas::sync
