#include "channel/circuit_noise.h"

#include <cmath>
#include <numbers>

#include "vqas/signal/level.h"

namespace vqas {

double circuit_noise_rms(double dbm0p, G711Law law) {
  const double zero_dbm0 = law == G711Law::mu ? kZeroDbm0MuLawDbov : kZeroDbm0ALawDbov;
  return db_to_amplitude(dbm0p + kFlatNoisePsophometricDb + zero_dbm0);
}

void CircuitNoise::add_to(std::span<float> block) {
  if (rms_ == 0) return;
  for (float& sample : block) {
    if (second_waits_) {
      sample += second_;
      second_waits_ = false;
      continue;
    }
    const double radius = rms_ * std::sqrt(-2 * std::log(random_.next_open_unit()));
    const double angle = 2 * std::numbers::pi * random_.next_unit();
    sample += static_cast<float>(radius * std::cos(angle));
    second_ = static_cast<float>(radius * std::sin(angle));
    second_waits_ = true;
  }
}

}  // namespace vqas
