#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "support/places.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/signal.h"

namespace vqas::test {

/// Random numbers that are the same with every library: the raw output of std::mt19937_64, never a std:: distribution.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return std::ldexp(static_cast<double>(engine_() >> 11), -53); }
  double between(double low, double high) { return low + (high - low) * uniform(); }
  /// Sum of twelve uniforms: mean 0, variance 1.
  double normal() {
    double sum = -6;
    for (int n = 0; n < 12; ++n) sum += uniform();
    return sum;
  }

 private:
  std::mt19937_64 engine_;
};

/// One resonance of a vocal tract.
class Resonator {
 public:
  void tune(double hz, double width_hz) {
    const double radius = std::exp(-std::numbers::pi * width_hz / kLineRateHz);
    a1_ = 2 * radius * std::cos(2 * std::numbers::pi * hz / kLineRateHz);
    a2_ = -radius * radius;
    gain_ = 1 - a1_ - a2_;
  }
  double operator()(double x) {
    const double y = gain_ * x + a1_ * y1_ + a2_ * y2_;
    y2_ = y1_;
    y1_ = y;
    return y;
  }

 private:
  double a1_ = 0, a2_ = 0, gain_ = 1, y1_ = 0, y2_ = 0;
};

inline double rms(const Signal& signal) {
  double sum = 0;
  for (const float sample : signal.samples) sum += static_cast<double>(sample) * sample;
  return std::sqrt(sum / static_cast<double>(signal.size()));
}

inline Signal with_gain(Signal signal, double gain) {
  for (float& sample : signal.samples) sample = static_cast<float>(sample * gain);
  return signal;
}

/// Synthetic speech-like sound: syllables of a gliding pulse train through three varying resonances, with noise before
/// some of them and pauses between words. Another seed is another sentence by another talker.
inline Signal recipe_speech(std::uint64_t seed, double seconds = 4) {
  Random random(seed);
  Signal signal{std::vector<float>(static_cast<std::size_t>(seconds * kLineRateHz)), kLineRateHz};
  const double base_hz = random.between(90, 220);
  std::vector<Resonator> tract(3);
  double phase = 0;
  std::size_t n = 1600;
  while (n + 4800 < signal.size()) {
    const auto consonant = static_cast<int>(random.uniform() < 0.6 ? random.between(200, 700) : 0);
    const auto vowel = static_cast<int>(random.between(700, 1900));
    const double from_hz = base_hz * random.between(0.85, 1.25);
    const double to_hz = base_hz * random.between(0.8, 1.1);
    const double formants[] = {random.between(280, 800), random.between(900, 2200), random.between(2300, 3100)};
    const double glide[] = {random.between(0.8, 1.2), random.between(0.8, 1.2), random.between(0.95, 1.05)};
    for (int k = 0; k < consonant; ++k) signal.samples[n++] = static_cast<float>(0.02 * random.normal());
    for (int k = 0; k < vowel; ++k) {
      const double way = static_cast<double>(k) / vowel;
      phase += (from_hz + way * (to_hz - from_hz)) / kLineRateHz;
      double x = phase >= 1 ? 1.0 : 0.002 * random.normal();
      if (phase >= 1) phase -= 1;
      for (int f = 0; f < 3; ++f) {
        tract[f].tune(formants[f] * (1 + way * (glide[f] - 1)), 60 + 40 * f);
        x = (f == 0 ? 8.0 : 1.6) * tract[f](x);
      }
      signal.samples[n++] = static_cast<float>(0.08 * x * std::sin(std::numbers::pi * way));
    }
    if (random.uniform() < 0.35) n += static_cast<std::size_t>(random.between(600, 2400));
  }
  return with_gain(signal, 0.05 / rms(signal));
}

/// A sentence of the project's corpus at 8 kHz.
inline Signal corpus_sentence(const std::string& id) {
  const auto read = read_audio(std::filesystem::path(test::source_dir()) / "corpus" / "8k" / (id + ".wav"));
  return read ? *read : Signal{};
}

/// Adds `before` and `after` samples of silence; a negative `before` cuts the start.
inline Signal padded(Signal signal, int before, int after) {
  if (before < 0) {
    signal.samples.erase(signal.samples.begin(), signal.samples.begin() - before);
  } else {
    signal.samples.insert(signal.samples.begin(), static_cast<std::size_t>(before), 0.0F);
  }
  signal.samples.insert(signal.samples.end(), static_cast<std::size_t>(after), 0.0F);
  return signal;
}

/// One recording after the other, with so many samples of silence between them.
inline Signal joined(const Signal& first, int pause, const Signal& second) {
  Signal both = padded(first, 0, pause);
  both.samples.insert(both.samples.end(), second.samples.begin(), second.samples.end());
  return both;
}

/// Of each fourth of a sentence its loudest 0.35 s, in this order, `pauses` samples of silence in front of each.
inline Signal words_of(const Signal& speech, const std::array<std::size_t, 4>& order,
                       const std::array<std::size_t, 4>& pauses = {3200, 3200, 3200, 3200}) {
  constexpr std::size_t kLength = 2800;
  const std::size_t part = speech.size() / 4;
  Signal words{{}, speech.rate_hz};
  for (std::size_t n = 0; n < order.size(); ++n) {
    std::size_t loudest = 0;
    double most = -1;
    for (std::size_t from = order[n] * part; from + kLength <= (order[n] + 1) * part; from += 80) {
      const auto begin = speech.samples.begin() + static_cast<std::ptrdiff_t>(from);
      const double energy = std::inner_product(begin, begin + kLength, begin, 0.0);
      if (energy <= most) continue;
      most = energy;
      loudest = from;
    }
    words.samples.insert(words.samples.end(), pauses[n], 0.0F);
    const auto begin = speech.samples.begin() + static_cast<std::ptrdiff_t>(loudest);
    words.samples.insert(words.samples.end(), begin, begin + kLength);
  }
  words.samples.insert(words.samples.end(), 3200, 0.0F);
  return words;
}

/// Adds white noise at `snr_db` below the rms of the whole recording.
inline Signal with_noise(Signal signal, double snr_db, std::uint64_t seed) {
  Random random(seed);
  const double amplitude = rms(signal) * std::pow(10, -snr_db / 20);
  for (float& sample : signal.samples) sample = static_cast<float>(sample + amplitude * random.normal());
  return signal;
}

/// Noise that follows the speech (the idea of ITU-T P.810's modulated noise reference unit).
inline Signal with_modulated_noise(Signal signal, double q_db, std::uint64_t seed) {
  Random random(seed);
  const double amplitude = std::pow(10, -q_db / 20);
  for (float& sample : signal.samples) sample = static_cast<float>(sample * (1 + amplitude * random.normal()));
  return signal;
}

/// Companded to eight bits (a continuous mu-law of 255, not G.711's segments) with bits inverted at random.
inline Signal with_bit_errors(Signal signal, double ber, std::uint64_t seed) {
  Random random(seed);
  const double scale = std::log(256.0);
  for (float& sample : signal.samples) {
    const double x = std::clamp(static_cast<double>(sample), -1.0, 1.0);
    const double companded = std::copysign(std::log(1 + 255 * std::abs(x)) / scale, x);
    auto code = static_cast<unsigned>(std::clamp(std::floor((companded + 1) * 128), 0.0, 255.0));
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (random.uniform() < ber) code ^= 1U << bit;
    }
    const double back = (code + 0.5) / 128 - 1;
    sample = static_cast<float>(std::copysign((std::exp(std::abs(back) * scale) - 1) / 255, back));
  }
  return signal;
}

/// Segments of 20 ms muted at random.
inline Signal with_losses(Signal signal, double share, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t start = 0; start < signal.size(); start += 160) {
    if (random.uniform() >= share) continue;
    const std::size_t end = std::min(signal.size(), start + 160);
    std::fill(signal.samples.begin() + static_cast<std::ptrdiff_t>(start),
              signal.samples.begin() + static_cast<std::ptrdiff_t>(end), 0.0F);
  }
  return signal;
}

inline Signal clipped(Signal signal, double share_of_peak) {
  float peak = 0;
  for (const float sample : signal.samples) peak = std::max(peak, std::abs(sample));
  const auto limit = static_cast<float>(peak * share_of_peak);
  for (float& sample : signal.samples) sample = std::clamp(sample, -limit, limit);
  return signal;
}

/// Samples inserted (silence) or deleted at a place.
inline Signal with_jump(Signal signal, double at_share, int samples) {
  const auto at = signal.samples.begin() + static_cast<std::ptrdiff_t>(at_share * static_cast<double>(signal.size()));
  if (samples > 0) {
    signal.samples.insert(at, static_cast<std::size_t>(samples), 0.0F);
  } else {
    signal.samples.erase(at, at - samples);
  }
  return signal;
}

/// Another signal put in at that share of it, as a line does that another call is heard on.
inline Signal with_put_in(Signal signal, double at_share, const Signal& other) {
  const auto at = signal.samples.begin() + static_cast<std::ptrdiff_t>(at_share * static_cast<double>(signal.size()));
  signal.samples.insert(at, other.samples.begin(), other.samples.end());
  return signal;
}

/// So many samples left out at the end of every `every`, as a line drops packets.
inline Signal with_packets_left_out(const Signal& signal, std::size_t every, std::size_t left_out) {
  Signal result{{}, signal.rate_hz};
  for (std::size_t n = 0; n < signal.size(); ++n)
    if (n % every < every - left_out) result.samples.push_back(signal.samples[n]);
  return result;
}

/// A running mean over `length` samples: a crude low-pass.
inline Signal smoothed(const Signal& signal, int length) {
  Signal result = signal;
  for (std::size_t n = 0; n < signal.size(); ++n) {
    double sum = 0;
    for (int k = 0; k < length && static_cast<std::size_t>(k) <= n; ++k) sum += signal.samples[n - k];
    result.samples[n] = static_cast<float>(sum / length);
  }
  return result;
}

inline Signal silenced(Signal signal, double from_share, double to_share) {
  const auto size = static_cast<double>(signal.size());
  std::fill(signal.samples.begin() + static_cast<std::ptrdiff_t>(from_share * size),
            signal.samples.begin() + static_cast<std::ptrdiff_t>(to_share * size), 0.0F);
  return signal;
}

/// As sampled by a clock that is fast by `ppm`, with the first sample `delay` samples late: a sinc of 64 taps, Hann
/// window.
inline Signal resampled_by_clock(const Signal& signal, double ppm, double delay) {
  constexpr int kHalf = 32;
  Signal result = signal;
  result.samples.resize(static_cast<std::size_t>(static_cast<double>(signal.size()) * (1 + ppm * 1e-6) + delay + 1));
  for (std::size_t n = 0; n < result.size(); ++n) {
    const double place = (static_cast<double>(n) - delay) / (1 + ppm * 1e-6);
    const auto whole = static_cast<long>(std::floor(place));
    double sum = 0;
    for (long k = whole - kHalf + 1; k <= whole + kHalf; ++k) {
      if (k < 0 || k >= static_cast<long>(signal.size())) continue;
      const double x = place - static_cast<double>(k);
      const double sinc = x == 0 ? 1.0 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
      sum += signal.samples[static_cast<std::size_t>(k)] * sinc * (0.5 + 0.5 * std::cos(std::numbers::pi * x / kHalf));
    }
    result.samples[n] = static_cast<float>(sum);
  }
  return result;
}

}  // namespace vqas::test
