#pragma once

#include <array>
#include <complex>

#include "sync/convolutional_code.h"
#include "sync/hop_code.h"

namespace vqas::sync {

/// A leading mark: data, hop code, data. The hop code in the middle gives time, phase and gain to both halves, and is
/// not cut by gates that open late.
inline constexpr int kSymbolLength = 13;                ///< samples: 615.4 Bd
inline constexpr int kSymbols = kCodedBits / 2;         ///< of four phases
inline constexpr int kHalf = kSymbols / 2;              ///< symbols on each side of the hop code
inline constexpr int kSymbolReach = 3 * kSymbolLength;  ///< half length of a symbol's pulse
inline constexpr int kOuterMargin = 40;                 ///< from the mark's end to the first symbol's middle
inline constexpr int kInnerMargin = 28;                 ///< from the last symbol's middle to the hop code
inline constexpr int kHopStart = kOuterMargin + (kHalf - 1) * kSymbolLength + kInnerMargin;
inline constexpr int kLeadingLength = 2 * kHopStart + kHopLength;

using Symbols = std::array<std::complex<float>, kSymbols>;

/// Time of a symbol's middle, in samples from the mark's start.
constexpr double symbol_time(int symbol) {
  const int before = kOuterMargin + symbol * kSymbolLength;
  return symbol < kHalf ? before
                        : before - kHalf * kSymbolLength + (kHopStart + kHopLength + kInnerMargin) - kOuterMargin;
}

/// A root-raised-cosine pulse with roll-off 0.3 and unit energy, `at` samples from its middle, tapered to 0 at
/// kSymbolReach. Its band about the carrier is 1170–1970 Hz.
double symbol_pulse(double at);

/// Spreads coded bits over the symbols in golden-ratio steps, so that a gap of 20 ms hits no two neighbours in the
/// code, and whitens them by a sequence specific to the sender. Symbols have unit magnitude.
Symbols to_symbols(const CodedBits& bits, End sender);
/// The reverse for received symbols.
SoftBits to_soft_bits(const Symbols& symbols, End sender);

}  // namespace vqas::sync
