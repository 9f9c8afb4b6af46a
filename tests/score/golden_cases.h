#pragma once

#include <vector>

#include "score/recipes.h"

namespace vqas::test {

/// A pair made by recipe and its auditory distance, computed once by an independent implementation in double precision
/// (plain numpy, from the description of the model in libvqas/doc/score.md).
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
      {"a, companded", a, with_bit_errors(a, 0, 1), 0.1035},
      {"a, bit errors 1e-3", a, with_bit_errors(a, 1e-3, 2), 4.7413},
      {"a, noise 30 dB", a, with_noise(a, 30, 3), 2.1518},
      {"a, noise 10 dB", a, with_noise(a, 10, 4), 3.4943},
      {"a, modulated noise 20 dB", a, with_modulated_noise(a, 20, 5), 1.0914},
      {"a, losses 5 %", a, with_losses(a, 0.05, 6), 0.9767},
      {"a, clipped", a, clipped(a, 0.2), 1.7638},
      {"a, smoothed", a, smoothed(a, 4), 0.1688},
      {"a, inserted 40 ms", a, with_jump(a, 0.5, 320), 0.4539},
      {"b, deleted 60 ms, delayed", b, padded(with_jump(b, 0.4, -480), 2345, 0), 1.0908},
      {"b, bit errors 1e-4, inverted", b, with_gain(with_bit_errors(b, 1e-4, 7), -0.3), 1.3884},
      {"b, losses 20 %, advanced", b, padded(with_losses(b, 0.2, 8), -777, 0), 4.4418},
      {"b, second half missing", b, silenced(b, 0.5, 1), 4.3280},
      {"b, noise 20 dB, jumps", b, with_noise(with_jump(with_jump(b, 0.7, -900), 0.3, 400), 20, 9), 3.0080},
  };
}

}  // namespace vqas::test
