#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "vqas/signal/signal.h"

namespace vqas::test {

inline Signal sine(double frequency_hz, double amplitude, double seconds, int rate_hz = kLineRateHz) {
  Signal signal{std::vector<float>(static_cast<std::size_t>(std::llround(seconds * rate_hz))), rate_hz};
  for (std::size_t n = 0; n < signal.size(); ++n) {
    signal.samples[n] = static_cast<float>(
        amplitude * std::sin(2 * std::numbers::pi * frequency_hz * static_cast<double>(n) / rate_hz));
  }
  return signal;
}

/// White noise, uniform in ±amplitude: rms is amplitude / sqrt(3).
inline Signal noise(double amplitude, double seconds, std::uint64_t seed, int rate_hz = kLineRateHz) {
  Signal signal{std::vector<float>(static_cast<std::size_t>(std::llround(seconds * rate_hz))), rate_hz};
  std::mt19937_64 random(seed);
  for (float& sample : signal.samples) {
    sample = static_cast<float>(amplitude * (2 * std::ldexp(static_cast<double>(random() >> 11), -53) - 1));
  }
  return signal;
}

}  // namespace vqas::test
