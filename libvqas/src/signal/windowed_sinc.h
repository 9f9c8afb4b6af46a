#pragma once

#include <cmath>
#include <numbers>

namespace vqas {

/// The sinc with cut-off at half the sampling rate in a Hann window of ±`reach` samples, `samples` from its middle.
inline double windowed_sinc(double samples, int reach) {
  const double angle = std::numbers::pi * samples;
  const double sinc = std::abs(angle) < 1e-9 ? 1 : std::sin(angle) / angle;
  return sinc * (0.5 + 0.5 * std::cos(angle / reach));
}

}  // namespace vqas
