#include "channel/kaiser.h"

#include <boost/math/special_functions/bessel.hpp>
#include <cassert>
#include <cmath>
#include <numbers>

namespace vqas {

double sinc(double t) {
  if (t == 0) return 1;
  if (t == std::round(t)) return 0;
  const double angle = std::numbers::pi * t;
  return std::sin(angle) / angle;
}

double kaiser_window(double t, double attenuation_db) {
  assert(attenuation_db >= 50);
  if (std::abs(t) >= 1) return 0;
  const double beta = 0.1102 * (attenuation_db - 8.7);
  return boost::math::cyl_bessel_i(0, beta * std::sqrt(1 - t * t)) / boost::math::cyl_bessel_i(0, beta);
}

}  // namespace vqas
