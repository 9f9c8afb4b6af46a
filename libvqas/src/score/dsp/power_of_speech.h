#pragma once

#include <span>

#include "score/model/shared_numbers.h"

namespace vqas::scoring {

/// Of the powers of frames of speech and silence that of the speech: their mean, weighted with itself. However much
/// silence there is, it is the same.
inline double power_of_speech(std::span<const float> powers) {
  double sum = 0;
  double squares = 0;
  for (const float power : powers) {
    sum += power;
    squares += static_cast<double>(power) * power;
  }
  return squares / (sum + kTiny);
}

}  // namespace vqas::scoring
