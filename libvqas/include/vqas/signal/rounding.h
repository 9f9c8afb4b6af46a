#pragma once

#include <cmath>

namespace vqas {

/// The multiple of `step` nearest to `value`, as the double that prints short (3.03, not 3.0300000000000002); never -0.
/// `step` is one over a whole number, such as 1e-4. Re-entrant, real-time safe.
inline double rounded_to(double value, double step) {
  const double inverse = std::round(1 / step);
  return std::round(value * inverse) / inverse + 0.0;
}

}  // namespace vqas
