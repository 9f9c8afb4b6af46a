#include "sync_sounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <span>

#include "sync_impairments.h"
#include "vqas/signal/signal.h"

namespace vqas::bench {
namespace {

constexpr std::size_t kMinute = 60 * kLineRateHz;
constexpr double kTwoPi = 2 * std::numbers::pi;

double between(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * unit(random);
}

/// Adds tones of equal level with edges of 3 ms.
void add_tones(std::vector<float>& sound, std::size_t start, double seconds, std::span<const double> frequencies,
               double amplitude) {
  const auto length =
      std::min(static_cast<std::size_t>(seconds * kLineRateHz), sound.size() - std::min(start, sound.size()));
  for (std::size_t n = 0; n < length; ++n) {
    const double edge = std::min({1.0, static_cast<double>(n) / 24, static_cast<double>(length - n) / 24});
    double sum = 0;
    for (const double f : frequencies) sum += std::sin(kTwoPi * f / kLineRateHz * static_cast<double>(n));
    sound[start + n] += static_cast<float>(amplitude * edge * sum);
  }
}

// White, or of a random band and colour, with occasional changes of level.
std::vector<float> noise_minute(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Travelling sound{std::vector<float>(kMinute), {}};
  double level = 0.05, colour = 0, last = 0;
  for (std::size_t n = 0; n < kMinute; ++n) {
    if (n % 4000 == 0) level = std::pow(10, between(random, -3, -0.7)), colour = between(random, -0.9, 0.9);
    last = colour * last + normal(random);
    sound.samples[n] = static_cast<float>(level * last);
  }
  if (seed % 2 == 0) {
    const double low = between(random, 200, 1600);
    steep_band(low, between(random, low + 300, 3600))(sound, random);
  }
  return std::move(sound.samples);
}

// Steady, swept, hopping and warbling single tones, whistles; half of them inside the marks' band.
std::vector<float> tone_minute(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> sound(kMinute, 0.0F);
  double phase = 0;
  for (std::size_t n = 0; n < kMinute;) {
    const auto length = static_cast<std::size_t>(between(random, 0.01, 0.7) * kLineRateHz);
    const bool inside = unit(random) < 0.5;
    const double from = inside ? between(random, 1100, 2000) : between(random, 300, 3400);
    const double to = unit(random) < 0.5 ? from : inside ? between(random, 1100, 2000) : between(random, 300, 3400);
    const double warble = unit(random) < 0.3 ? between(random, 3, 40) : 0, depth = between(random, 5, 150);
    const double amplitude = unit(random) < 0.15 ? 0 : between(random, 0.02, 0.4);
    for (std::size_t i = 0; i < length && n < kMinute; ++i, ++n) {
      const double t = static_cast<double>(i) / static_cast<double>(length);
      const double frequency =
          from + (to - from) * t + depth * std::sin(kTwoPi * warble * static_cast<double>(i) / kLineRateHz);
      phase += kTwoPi * frequency / kLineRateHz;
      sound[n] = static_cast<float>(amplitude * std::sin(phase));
    }
  }
  return sound;
}

std::vector<float> progress_minute(std::uint64_t seed) {
  struct Cadence {
    std::vector<double> frequencies;
    double on_s, off_s;
  };
  const std::array<Cadence, 9> cadences = {{{{350, 440}, 3, 0.1},
                                            {{440, 480}, 2, 4},
                                            {{480, 620}, 0.5, 0.5},
                                            {{480, 620}, 0.25, 0.25},
                                            {{425}, 1, 4},
                                            {{425}, 0.25, 0.25},
                                            {{400, 450}, 0.4, 0.2},
                                            {{1400}, 0.5, 0.5},
                                            {{950, 1400, 1800}, 1, 1}}};
  std::mt19937_64 random(seed);
  std::vector<float> sound(kMinute, 0.0F);
  for (double at = 0; at < 60;) {
    const Cadence& cadence = cadences[random() % cadences.size()];
    for (int n = 0; n < 4 && at < 60; ++n, at += cadence.on_s + cadence.off_s) {
      add_tones(sound, static_cast<std::size_t>(at * kLineRateHz), cadence.on_s, cadence.frequencies,
                between(random, 0.05, 0.2));
    }
  }
  return sound;
}

std::vector<float> dtmf_minute(std::uint64_t seed) {
  constexpr std::array<double, 4> kLow = {697, 770, 852, 941}, kHigh = {1209, 1336, 1477, 1633};
  std::mt19937_64 random(seed);
  std::vector<float> sound(kMinute, 0.0F);
  for (double at = 0; at < 60;) {
    const double on = between(random, 0.04, 0.15);
    add_tones(sound, static_cast<std::size_t>(at * kLineRateHz), on,
              std::array{kLow[random() % 4], kHigh[random() % 4]}, between(random, 0.03, 0.25));
    at += on + between(random, 0.03, 0.15);
  }
  return sound;
}

// Four voices of plucked and blown notes in a random key and tempo, with drums.
std::vector<float> music_minute(std::uint64_t seed) {
  constexpr std::array<int, 7> kScale = {0, 2, 4, 5, 7, 9, 11};
  std::mt19937_64 random(seed);
  std::vector<float> sound(kMinute, 0.0F);
  const double beat = between(random, 0.1, 0.4), key = between(random, 0, 12);
  for (int voice = 0; voice < 4; ++voice) {
    const double decay = unit(random) < 0.5 ? between(random, 0.05, 0.5) : 20.0;
    const int harmonics = 1 + static_cast<int>(random() % 8), octave = 2 + voice + static_cast<int>(random() % 2);
    int step = static_cast<int>(random() % 7);
    for (double at = 0; at < 60;) {
      const double length = beat * static_cast<double>(1U << (random() % 3)) / 2;
      step = std::clamp(step + static_cast<int>(random() % 5) - 2, 0, 13);
      const double pitch = key + 12 * (octave + step / 7) + kScale[static_cast<std::size_t>(step % 7)];
      const double frequency = 16.35 * std::exp2(pitch / 12), amplitude = between(random, 0.01, 0.12);
      const auto start = static_cast<std::size_t>(at * kLineRateHz);
      const auto end = std::min(kMinute, start + static_cast<std::size_t>(length * kLineRateHz));
      for (int h = 1; h <= harmonics && h * frequency < 3800; ++h) {
        // A rotating phasor instead of a sine for each sample.
        double re = 0, im = amplitude / h;
        const double c = std::cos(kTwoPi * h * frequency / kLineRateHz),
                     s = std::sin(kTwoPi * h * frequency / kLineRateHz);
        const double fade = std::exp(-1 / (decay * kLineRateHz));
        for (std::size_t n = start; n < end; ++n) {
          sound[n] += static_cast<float>(re);
          const double turned = fade * (re * c + im * s);
          im = fade * (im * c - re * s), re = turned;
        }
      }
      at += length;
    }
  }
  for (double at = 0; at < 60; at += beat) {
    if (random() % 3 == 0) continue;
    const auto start = static_cast<std::size_t>(at * kLineRateHz);
    double level = between(random, 0.02, 0.2);
    for (std::size_t n = start; n < std::min(kMinute, start + 800); ++n, level *= 0.995) {
      sound[n] += static_cast<float>(level * (2 * unit(random) - 1));
    }
  }
  return sound;
}

}  // namespace

std::vector<SoundKind> sound_kinds() {
  return {{"noise", noise_minute},
          {"tones", tone_minute},
          {"call progress", progress_minute},
          {"DTMF", dtmf_minute},
          {"music", music_minute}};
}

}  // namespace vqas::bench
