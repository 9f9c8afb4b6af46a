#pragma once

#include <vector>

#include "score/recipes.h"

namespace vqas::test {

/// A synthetic pair and its auditory distance by an independent implementation in double precision (plain numpy:
/// tools/calibration/golden.py, which prints this column).
struct GoldenCase {
  const char* name;
  Signal reference;
  Signal degraded;
  double auditory_distance;
};

inline std::vector<GoldenCase> golden_cases() {
  const Signal a = recipe_speech(1);
  const Signal b = recipe_speech(2, 6);
  return {
      {"a, companded", a, with_bit_errors(a, 0, 1), 0.0708},
      {"a, bit errors 1e-3", a, with_bit_errors(a, 1e-3, 2), 4.0588},
      {"a, noise 30 dB", a, with_noise(a, 30, 3), 1.7704},
      {"a, noise 10 dB", a, with_noise(a, 10, 4), 3.4617},
      {"a, modulated noise 20 dB", a, with_modulated_noise(a, 20, 5), 0.9812},
      {"a, losses 5 %", a, with_losses(a, 0.05, 6), 1.0955},
      {"a, clipped", a, clipped(a, 0.2), 1.7011},
      {"a, smoothed", a, smoothed(a, 4), 0.1888},
      {"a, inserted 40 ms", a, with_jump(a, 0.5, 320), 1.1528},
      {"b, deleted 60 ms, delayed", b, padded(with_jump(b, 0.4, -480), 2345, 0), 1.0112},
      {"b, bit errors 1e-4, inverted", b, with_gain(with_bit_errors(b, 1e-4, 7), -0.3), 1.0129},
      {"b, losses 20 %, advanced", b, padded(with_losses(b, 0.2, 8), -777, 0), 3.9918},
      {"b, second half missing", b, silenced(b, 0.5, 1), 4.3252},
      {"b, noise 20 dB, jumps", b, with_noise(with_jump(with_jump(b, 0.7, -900), 0.3, 400), 20, 9), 2.3205},
      {"a and b, 1 s inserted in the pause, noise 30 dB", joined(a, 2000, b), with_noise(joined(a, 10000, b), 30, 10),
       1.8225},
      {"b, another talker put in", b, with_put_in(b, 0.5, recipe_speech(3, 1)), 2.5282},
      {"b, 20 ms left out every 0.5 s", b, with_packets_left_out(b, 4000, 160), 1.7416},
  };
}

}  // namespace vqas::test
