#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "vqas/channel/random.h"

namespace vqas::test {

/// Normal values of mean 0, by the method of Box and Muller, from the channel's generator: the same with every standard
/// library, whose own distributions differ.
class Normal {
 public:
  Normal(double deviation, std::uint64_t seed) : deviation_(deviation), random_(seed) {}
  double operator()() {
    const double radius = deviation_ * std::sqrt(-2 * std::log(random_.next_open_unit()));
    return radius * std::cos(2 * std::numbers::pi * random_.next_unit());
  }

 private:
  double deviation_;
  Random random_;
};

}  // namespace vqas::test
