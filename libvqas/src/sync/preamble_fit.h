#pragma once

#include <array>
#include <complex>
#include <span>

#include "sync/hop_code.h"

namespace vqas::sync {

/// Where a hop code lies exactly.
struct PreambleFit {
  double position = 0;            ///< of its first sample, in samples from the start of the span
  std::complex<double> gain = 0;  ///< of the line, for a code of unit amplitude
};

/// Correlation of `samples` with the code that starts at `position` (a fraction is allowed) and was stretched by
/// `drift` (1e-6: one ppm longer) about its middle, as the line's complex gain. What lies outside the span counts as
/// silence. Re-entrant.
std::complex<double> preamble_gain(std::span<const float> samples, const HopCode& code, double position, double drift);

/// Places one hop code to a fraction of a sample. Re-entrant; no allocation.
class PreambleFitter {
 public:
  explicit PreambleFitter(const HopCode& code);

  /// Moves from a position known to ±4 samples to the peak of the correlation's magnitude. The magnitude, not the real
  /// correlation: it peaks at the line's group delay whatever its phase or polarity.
  PreambleFit fit(std::span<const float> samples, std::ptrdiff_t position) const;

 private:
  std::array<float, kHopLength> real_{}, imaginary_{};  // of the conjugate code
  // A real signal has a second half at negative frequencies, and of it something leaks into the correlation: it moves
  // the peak by up to 0.015 samples, by each code in its own way. Here for a line of no phase and of an eighth turn.
  std::array<double, 2> bias_{};
};

}  // namespace vqas::sync
