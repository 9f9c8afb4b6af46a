#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "score/recipes.h"
#include "vqas/channel/carry_signal.h"
#include "vqas/channel/g711.h"
#include "vqas/score/impairment.h"
#include "vqas/signal/resample.h"

namespace vqas::test {

/// Windowed-sinc low-pass of 257 taps (Hamming), without delay; `high` returns what it removes.
inline Signal filtered(const Signal& signal, double corner_hz, bool high) {
  constexpr int kHalf = 128;
  std::vector<double> taps;
  for (int k = -kHalf; k <= kHalf; ++k) {
    const double x = 2 * corner_hz / kLineRateHz;
    const double sinc = k == 0 ? x : std::sin(std::numbers::pi * x * k) / (std::numbers::pi * k);
    taps.push_back(sinc * (0.54 + 0.46 * std::cos(std::numbers::pi * k / kHalf)));
  }
  Signal result = signal;
  const int size = static_cast<int>(signal.size());
  for (int n = 0; n < size; ++n) {
    double sum = 0;
    for (int k = -kHalf; k <= kHalf; ++k) {
      if (n - k >= 0 && n - k < size) sum += taps[static_cast<std::size_t>(k + kHalf)] * signal.samples[n - k];
    }
    result.samples[n] = static_cast<float>(high ? signal.samples[n] - sum : sum);
  }
  return result;
}

/// Butterworth high-pass of an even order (bilinear, second-order sections), with its dispersion.
inline Signal high_passed(Signal signal, double corner_hz, int order) {
  const double k = std::tan(std::numbers::pi * corner_hz / kLineRateHz);
  for (int section = 0; section < order / 2; ++section) {
    const double damping = 2 * std::sin(std::numbers::pi * (2 * section + 1) / (2 * order));
    const double norm = 1 / (1 + damping * k + k * k);
    const double a1 = 2 * (k * k - 1) * norm;
    const double a2 = (1 - damping * k + k * k) * norm;
    double first = 0;
    double second = 0;
    for (float& sample : signal.samples) {
      const double in = sample;
      const double out = norm * in + first;
      first = -2 * norm * in - a1 * out + second;
      second = norm * in - a2 * out;
      sample = static_cast<float>(out);
    }
  }
  return signal;
}

/// x[n] - a·x[n-1]: rises with frequency for a positive `a`.
inline Signal tilted(Signal signal, double a) {
  double before = 0;
  for (float& sample : signal.samples) {
    const double in = sample;
    sample = static_cast<float>(in - a * before);
    before = in;
  }
  return signal;
}

/// A first-order all-pass: changes only the phases.
inline Signal all_passed(Signal signal, double a) {
  double in_before = 0;
  double out_before = 0;
  for (float& sample : signal.samples) {
    const double in = sample;
    const double out = -a * in + in_before + a * out_before;
    in_before = in;
    out_before = out;
    sample = static_cast<float>(out);
  }
  return signal;
}

/// First and last sample of the speech: where 8 ms reach -30 dB of the recording's rms.
inline std::pair<int, int> speech_span(const Signal& signal, double share = 1e-3) {
  constexpr int kWindow = 64;
  const double limit = share * rms(signal) * rms(signal) * kWindow;
  int first = -1;
  int last = 0;
  for (int at = 0; at + kWindow <= static_cast<int>(signal.size()); at += kWindow) {
    double energy = 0;
    for (int n = at; n < at + kWindow; ++n) energy += static_cast<double>(signal.samples[n]) * signal.samples[n];
    if (energy < limit) continue;
    if (first < 0) first = at;
    last = at + kWindow;
  }
  return {std::max(0, first), last};
}

/// Segments of 20 ms that repeat the previous ones, at random.
inline Signal with_repeats(Signal signal, double share, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t start = 160; start + 160 <= signal.size(); start += 160) {
    if (random.uniform() >= share) continue;
    std::copy_n(signal.samples.begin() + static_cast<std::ptrdiff_t>(start) - 160, 160,
                signal.samples.begin() + static_cast<std::ptrdiff_t>(start));
  }
  return signal;
}

/// Gain that changes from 0 to `db` in the middle, or, slow, varies by half of it in either direction, once every 3 s.
inline Signal with_level_change(Signal signal, double db, bool slow) {
  const auto [first, last] = speech_span(signal);
  for (int n = 0; n < static_cast<int>(signal.size()); ++n) {
    const double way = slow                     ? 0.5 * std::sin(2 * std::numbers::pi * n / (3.0 * kLineRateHz))
                       : n > (first + last) / 2 ? 1
                                                : 0;
    signal.samples[n] = static_cast<float>(signal.samples[n] * std::pow(10, db * way / 20));
  }
  return signal;
}

/// Delay changes of ±ms, alternating, spread over the speech; insertions repeat the previous samples.
inline Signal with_delay_changes(const Signal& signal, int changes, double ms) {
  const auto [first, last] = speech_span(signal);
  const int size = static_cast<int>(ms * 8);
  Signal result = signal;
  for (int k = changes; k-- > 0;) {
    const auto at = result.samples.begin() + first + (last - first) * (k + 1) / (changes + 1);
    if (k % 2 == 0) {
      const std::vector<float> again(at - size, at);
      result.samples.insert(at, again.begin(), again.end());
    } else {
      result.samples.erase(at, at + size);
    }
  }
  return result;
}

inline Signal with_cut(Signal signal, double ms, bool front) {
  const auto [first, last] = speech_span(signal);
  const int length = static_cast<int>(ms * 8);
  if (front) {
    std::fill(signal.samples.begin(), signal.samples.begin() + first + length, 0.0F);
  } else {
    std::fill(signal.samples.begin() + last - length, signal.samples.end(), 0.0F);
  }
  return signal;
}

/// Noise whose power falls by 3 dB an octave (a sum of six first-order sections), added.
inline Signal with_pink_noise(Signal signal, double snr_db, std::uint64_t seed) {
  Random random(seed);
  double state[6] = {};
  Signal noise = signal;
  for (float& sample : noise.samples) {
    double sum = 0;
    for (int k = 0; k < 6; ++k) {
      const double pole = std::exp(-2 * std::numbers::pi * 10 * std::pow(3, k) / kLineRateHz);
      state[k] = pole * state[k] + std::sqrt((1 - pole * pole) / 3) * random.normal();
      sum += state[k] * (1 - pole) / (1 - pole);
    }
    sample = static_cast<float>(sum);
  }
  const double amplitude = rms(signal) / rms(noise) * std::pow(10, -snr_db / 20);
  for (std::size_t n = 0; n < signal.size(); ++n) signal.samples[n] += static_cast<float>(amplitude * noise.samples[n]);
  return signal;
}

/// A G.711 mu-law channel, aligned with the sent signal; `band` with the filter of G.712.
inline Signal over_mu_law(const Signal& signal, double ber, bool band, double noise_dbm0p, std::uint64_t seed) {
  LineConditions conditions;
  conditions.ber = ber;
  conditions.delay_s = 0;
  conditions.band_limit = band;
  conditions.circuit_noise_dbm0p = noise_dbm0p;
  const auto carried = carry_signal(signal, conditions, seed);
  return carried ? carried->heard : Signal{};
}

inline constexpr double kNoCircuitNoise = -std::numeric_limits<double>::infinity();

/// As a coder does above `from_hz`: every 10 ms of that band is shifted a little, so that the waveform changes and the
/// power does not.
inline Signal with_replaced_band(const Signal& signal, double from_hz, std::uint64_t seed) {
  Random random(seed);
  const Signal above = filtered(signal, from_hz, true);
  Signal result = filtered(signal, from_hz, false);
  const int size = static_cast<int>(signal.size());
  int shift = 0;
  for (int n = 0; n < size; ++n) {
    if (n % 80 == 0) shift = static_cast<int>(random.between(-12, 12));
    result.samples[n] += above.samples[std::clamp(n + shift, 0, size - 1)];
  }
  return result;
}

/// Crackle of a bad contact: `rate` times a second a burst of decaying noise of 3 ms, `db` above the speech.
inline Signal with_clicks(Signal signal, double rate, double db, std::uint64_t seed) {
  constexpr int kLength = 24;
  Random random(seed);
  const double amplitude = rms(signal) * std::pow(10, db / 20);
  for (std::size_t start = 0; start + kLength <= signal.size(); start += kLength) {
    if (random.uniform() >= rate * kLength / kLineRateHz) continue;
    for (int n = 0; n < kLength; ++n) {
      signal.samples[start + static_cast<std::size_t>(n)] +=
          static_cast<float>(amplitude * std::exp(-n / 6.0) * random.normal());
    }
  }
  return signal;
}

/// Hum of the mains and its harmonics, `snr_db` below the speech.
inline Signal with_hum(Signal signal, double hz, int harmonics, double snr_db) {
  Signal hum = signal;
  for (std::size_t n = 0; n < hum.size(); ++n) {
    double sum = 0;
    for (int k = 1; k <= harmonics; ++k) {
      sum += std::sin(2 * std::numbers::pi * hz * k * static_cast<double>(n) / signal.rate_hz) / k;
    }
    hum.samples[n] = static_cast<float>(sum);
  }
  const double amplitude = rms(signal) / rms(hum) * std::pow(10, -snr_db / 20);
  for (std::size_t n = 0; n < signal.size(); ++n) signal.samples[n] += static_cast<float>(amplitude * hum.samples[n]);
  return signal;
}

/// A fault with one known impairment.
struct PlantedFault {
  std::string name;
  Impairment impairment;
  std::vector<double> strengths;  ///< three, increasing
  std::function<Signal(const Signal&, double strength, std::uint64_t seed)> plant;
};

inline std::vector<PlantedFault> planted_faults() {
  using S = const Signal&;
  return {
      {"muted 20 ms",
       Impairment::loss,
       {0.03, 0.08, 0.2},
       [](S s, double x, auto seed) { return with_losses(s, x, seed); }},
      {"repeated 20 ms",
       Impairment::loss,
       {0.05, 0.1, 0.2},
       [](S s, double x, auto seed) { return with_repeats(s, x, seed); }},
      {"white noise", Impairment::noise, {25, 15, 5}, [](S s, double x, auto seed) { return with_noise(s, x, seed); }},
      {"pink noise",
       Impairment::noise,
       {20, 10, 5},
       [](S s, double x, auto seed) { return with_pink_noise(s, x, seed); }},
      {"low-pass",
       Impairment::band_loss,
       {2700, 2000, 1500},
       [](S s, double x, auto) { return filtered(s, x, false); }},
      {"high-pass", Impairment::band_loss, {600, 800, 1100}, [](S s, double x, auto) { return filtered(s, x, true); }},
      {"clipped", Impairment::clipping, {0.3, 0.15, 0.07}, [](S s, double x, auto) { return clipped(s, x); }},
      {"bit errors",
       Impairment::coding,
       {1e-4, 1e-3, 5e-3},
       [](S s, double x, auto seed) { return over_mu_law(s, x, false, kNoCircuitNoise, seed); }},
      {"MNRU",
       Impairment::coding,
       {22, 15, 8},
       [](S s, double x, auto seed) { return with_modulated_noise(s, x, seed); }},
      {"gain step up",
       Impairment::level,
       {6, 9, 12},
       [](S s, double x, auto) { return with_level_change(s, x, false); }},
      {"gain step down",
       Impairment::level,
       {6, 9, 12},
       [](S s, double x, auto) { return with_level_change(s, -x, false); }},
      {"slow gain", Impairment::level, {6, 10, 15}, [](S s, double x, auto) { return with_level_change(s, x, true); }},
      {"delay changes",
       Impairment::delay_variation,
       {1, 2, 4},
       [](S s, double x, auto) { return with_delay_changes(s, static_cast<int>(x), 40 + 10 * x); }},
      {"front cut", Impairment::cut, {150, 300, 700}, [](S s, double x, auto) { return with_cut(s, x, true); }},
      {"tail cut", Impairment::cut, {150, 300, 700}, [](S s, double x, auto) { return with_cut(s, x, false); }},
  };
}

/// Whether `two` is planted before `one`: filters and levels come before losses, as on a line. A cut comes before
/// faults that leave no silent pause, because its position is found from the pauses.
inline bool is_swapped(const PlantedFault& one, const PlantedFault& two) {
  const bool fills_pauses = one.impairment == Impairment::noise || one.impairment == Impairment::coding;
  return two.impairment == Impairment::band_loss || two.impairment == Impairment::level ||
         (two.impairment == Impairment::cut && fills_pauses);
}

/// The line around a fault: gain, 16 bits, delay, and for every other seed G.711 after it.
inline Signal over_clean_line(Signal signal, std::uint64_t seed) {
  Random random(seed * 7919 + 17);
  const double gain = std::pow(10, random.between(-12, 0) / 20);
  const int delay = static_cast<int>(random.between(0, 4000));
  signal = with_gain(std::move(signal), gain);
  for (float& sample : signal.samples) sample = std::clamp(sample, -1.0F, 1.0F);
  if (seed % 2 == 1) signal = over_mu_law(signal, 0, seed % 4 == 1, kNoCircuitNoise, seed);
  for (float& sample : signal.samples) sample = std::round(sample * 32768) / 32768;
  return padded(std::move(signal), delay, 800);
}

/// A line without a fault: no impairment may be reported.
struct CleanLine {
  std::string name;
  std::function<Signal(const Signal&, std::uint64_t seed)> carry;
};

inline Signal over_g711(Signal signal, G711Law law) {
  std::vector<std::uint8_t> octets(signal.size());
  g711_encode(signal.samples, octets, law);
  g711_decode(octets, signal.samples, law);
  return signal;
}

inline Signal in_16_bits(Signal signal) {
  for (float& sample : signal.samples) sample = std::round(std::clamp(sample, -1.0F, 1.0F) * 32768) / 32768;
  return signal;
}

inline std::vector<CleanLine> clean_lines() {
  using S = const Signal&;
  const auto at_rate = [](int rate_hz) {
    return [rate_hz](S s, auto) { return in_16_bits(resample(s, rate_hz).value()); };
  };
  const auto softer = [](S s, std::uint64_t seed) {
    return with_gain(s, std::pow(10, Random(seed * 7919 + 17).between(-12, 0) / 20));
  };
  return {
      {"identity", [](S s, auto) { return s; }},
      {"gain -12 dB", [](S s, auto) { return with_gain(s, 0.25); }},
      {"gain +10 dB", [](S s, auto) { return with_gain(s, 3.16); }},
      {"delay", [](S s, auto seed) { return padded(s, static_cast<int>(Random(seed).between(0, 4000)), 800); }},
      {"polarity", [](S s, auto) { return with_gain(s, -1); }},
      {"16 bits", [](S s, auto) { return in_16_bits(s); }},
      {"16 bits, -20 dB", [](S s, auto) { return in_16_bits(with_gain(s, 0.1)); }},
      {"mu-law", [](S s, auto) { return over_g711(s, G711Law::mu); }},
      {"A-law", [](S s, auto) { return over_g711(s, G711Law::a); }},
      {"mu-law, -12..0 dB", [=](S s, auto seed) { return over_g711(softer(s, seed), G711Law::mu); }},
      {"A-law, -12..0 dB", [=](S s, auto seed) { return over_g711(softer(s, seed), G711Law::a); }},
      {"G.712 and mu-law", [](S s, auto seed) { return over_mu_law(s, 0, true, kNoCircuitNoise, seed); }},
      {"16 kHz", at_rate(16000)},
      {"44.1 kHz", at_rate(44100)},
      {"48 kHz", at_rate(48000)},
      {"high-pass 300 Hz, order 4", [](S s, auto) { return in_16_bits(high_passed(s, 300, 4)); }},
      {"high-pass 300 Hz, order 8", [](S s, auto) { return in_16_bits(high_passed(s, 300, 8)); }},
      {"high-pass 400 Hz, order 6", [](S s, auto) { return in_16_bits(high_passed(s, 400, 6)); }},
      {"high-pass 400 Hz, order 8", [](S s, auto) { return in_16_bits(high_passed(s, 400, 8)); }},
  };
}

/// Samples the signal at other times by a windowed sinc of 32 taps.
template <typename Place>
Signal read_at(const Signal& signal, const Place& place_of) {
  constexpr int kHalf = 16;
  Signal result = signal;
  const int size = static_cast<int>(signal.size());
  for (int n = 0; n < size; ++n) {
    const double place = place_of(n);
    const int middle = static_cast<int>(std::floor(place));
    double sum = 0;
    for (int k = middle - kHalf + 1; k <= middle + kHalf; ++k) {
      if (k < 0 || k >= size) continue;
      const double x = std::numbers::pi * (place - k);
      const double window = 0.5 + 0.5 * std::cos(x / kHalf);
      sum += signal.samples[static_cast<std::size_t>(k)] * (std::abs(x) < 1e-9 ? 1 : std::sin(x) / x) * window;
    }
    result.samples[static_cast<std::size_t>(n)] = static_cast<float>(sum);
  }
  return result;
}

/// The speed varies by ±`share` once every 1/`hz` s.
inline Signal with_wow(const Signal& signal, double share, double hz) {
  const double omega = 2 * std::numbers::pi * hz / kLineRateHz;
  return read_at(signal, [&](int n) { return n + share / omega * std::sin(omega * n); });
}

/// Delays by a fraction of a sample.
inline Signal displaced(const Signal& signal, double samples) {
  return read_at(signal, [&](int n) { return n - samples; });
}

/// The polarity flips in the middle of the speech.
inline Signal with_flip(Signal signal) {
  const auto [first, last] = speech_span(signal);
  for (std::size_t n = static_cast<std::size_t>((first + last) / 2); n < signal.size(); ++n) {
    signal.samples[n] = -signal.samples[n];
  }
  return signal;
}

}  // namespace vqas::test
