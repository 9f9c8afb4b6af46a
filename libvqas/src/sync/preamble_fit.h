#pragma once

#include <array>
#include <complex>
#include <span>

#include "sync/hop_code.h"

namespace vqas::sync {

/// The exact position of a hop code.
struct PreambleFit {
  double position = 0;            ///< of its first sample, in samples from the start of the span
  std::complex<double> gain = 0;  ///< of the line, for a code of unit amplitude
};

/// Correlation of `samples` with the code that starts at `position` (fractions allowed) and was stretched by `drift`
/// (1e-6: one ppm longer) about its middle, as the line's complex gain. Samples outside the span count as silence.
/// Re-entrant.
std::complex<double> preamble_gain(std::span<const float> samples, const HopCode& code, double position, double drift);

/// Locates one hop code to a fraction of a sample. Re-entrant; no allocation.
class PreambleFitter {
 public:
  explicit PreambleFitter(const HopCode& code);

  /// Moves from a position known to ±4 samples to the peak of the correlation's magnitude. The magnitude, unlike the
  /// real correlation, peaks at the line's group delay whatever its phase or polarity.
  PreambleFit fit(std::span<const float> samples, std::ptrdiff_t position) const;

 private:
  std::array<float, kHopLength> real_{}, imaginary_{};  // of the conjugate code
  // The negative frequencies of a real signal leak into the correlation and move the peak by up to 0.015 samples,
  // differently for each code. Values for a line without phase rotation and with an eighth of a turn.
  std::array<double, 2> bias_{};
};

}  // namespace vqas::sync
