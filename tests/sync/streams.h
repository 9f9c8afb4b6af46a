#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include "support/signals.h"
#include "vqas/sync/detector.h"
#include "vqas/sync/transmission.h"

namespace vqas::test {

inline MarkData some_data(std::uint16_t sequence = 7) {
  return {End::a, 0xC0FFEE, 5, sequence, 0xBEEF};
}

/// Noise bursts and pauses in the rhythm of syllables, at speech level: the signal between marks.
inline Signal babble(double seconds, std::uint64_t seed) {
  Signal signal = noise(0.12, seconds, seed);
  for (std::size_t n = 0; n < signal.size(); ++n) {
    const double syllable = std::sin(2 * std::numbers::pi * 4 * static_cast<double>(n) / kLineRateHz);
    signal.samples[n] *= static_cast<float>(std::max(0.0, syllable));
  }
  return signal;
}

/// Uniform noise of -74 dBov, about the idle noise of a circuit.
inline void add_idle_noise(std::vector<float>& samples, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (float& sample : samples) {
    sample += static_cast<float>(3.5e-4 * (2 * std::ldexp(static_cast<double>(random() >> 11), -53) - 1));
  }
}

inline void append(std::vector<float>& stream, std::span<const float> part) {
  stream.insert(stream.end(), part.begin(), part.end());
}
inline void append_silence(std::vector<float>& stream, std::size_t samples) {
  stream.insert(stream.end(), samples, 0.0F);
}
inline void scale(std::vector<float>& stream, double db) {
  for (float& sample : stream) sample *= static_cast<float>(std::pow(10, db / 20));
}

/// Sample n of the result is the stream at `offset` + n·`step`, by a windowed sinc of 64 taps.
inline std::vector<float> resample_at(std::span<const float> stream, double offset, double step) {
  constexpr int kReach = 32;
  const auto size = static_cast<std::ptrdiff_t>(stream.size());
  std::vector<float> out(static_cast<std::size_t>((static_cast<double>(size) - offset) / step));
  for (std::size_t n = 0; n < out.size(); ++n) {
    const double at = offset + static_cast<double>(n) * step;
    const auto first = static_cast<std::ptrdiff_t>(std::floor(at)) - kReach + 1;
    double sum = 0;
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(first, 0); i < std::min(first + 2 * kReach, size); ++i) {
      const double t = at - static_cast<double>(i);
      const double angle = std::numbers::pi * t;
      const double sinc = std::abs(t) < 1e-9 ? 1 : std::sin(angle) / angle;
      sum += sinc * (0.5 + 0.5 * std::cos(angle / kReach)) * stream[static_cast<std::size_t>(i)];
    }
    out[n] = static_cast<float>(sum);
  }
  return out;
}

inline std::vector<FoundMark> detect(std::span<const float> stream, End sender = End::a, std::size_t block = 160) {
  MarkDetector detector(sender);
  std::vector<FoundMark> found;
  while (!stream.empty()) {
    const std::span<const float> part = stream.first(std::min(block, stream.size()));
    for (FoundMark& mark : detector.push(part)) found.push_back(mark);
    stream = stream.subspan(part.size());
  }
  return found;
}

}  // namespace vqas::test
