#include "speech_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "vqas/signal/level.h"

namespace vqas::speech_edit {
namespace {

constexpr double kRangeDb = 45.0;
constexpr std::size_t kFramesInARow = 3;
constexpr double kMarginBeforeS = 0.020;
constexpr double kMarginAfterS = 0.040;
constexpr double kFadeS = 0.010;
constexpr double kNoiseCornerHz = 300.0;
constexpr double kRumbleHz = 60.0;
constexpr double kOffsetHz = 40.0;

std::size_t samples_in(double seconds, int rate_hz) {
  return static_cast<std::size_t>(std::llround(seconds * rate_hz));
}

double uniform(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -53);
}

double gaussian(std::mt19937_64& random) {
  double sum = -6;
  for (int n = 0; n < 12; ++n) sum += uniform(random);
  return sum;
}

// A filter of at most second order in transposed direct form II.
struct Biquad {
  double b0, b1, b2, a1, a2;
  void run(std::vector<float>& samples) const {
    double s1 = 0;
    double s2 = 0;
    for (float& sample : samples) {
      const double x = sample;
      const double y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      sample = static_cast<float>(y);
    }
  }
};

// Butterworth, bilinear transform.
Biquad high_pass(double corner_hz, int rate_hz) {
  const double k = std::tan(std::numbers::pi * corner_hz / rate_hz);
  const double norm = 1 / (1 + std::numbers::sqrt2 * k + k * k);
  return {norm, -2 * norm, norm, 2 * (k * k - 1) * norm, (1 - std::numbers::sqrt2 * k + k * k) * norm};
}

void fade_ends(std::vector<float>& samples, std::size_t fade) {
  fade = std::min(fade, samples.size() / 2);
  for (std::size_t n = 0; n < fade; ++n) {
    const auto gain = static_cast<float>((static_cast<double>(n) + 0.5) / static_cast<double>(fade));
    samples[n] *= gain;
    samples[samples.size() - 1 - n] *= gain;
  }
}

Error too_peaky() {
  return Error{ErrorCode::bad_input,
               fmt::format("its peaks would exceed {:.0f} dBov at the nominal speech level of {:.0f} dBov; use a "
                           "recording with less distance between peaks and speech level",
                           kHighestPeakDbov, kNominalSpeechLevelDbov)};
}

}  // namespace

std::vector<double> frame_levels_dbov(const Signal& signal) {
  const std::size_t frame = std::max<std::size_t>(1, samples_in(kFrameS, signal.rate_hz));
  std::vector<double> levels;
  for (std::size_t at = 0; at + frame <= signal.size(); at += frame) {
    levels.push_back(std::max(kDigitalSilenceDbov, rms_dbov({signal.samples.data() + at, frame})));
  }
  return levels;
}

double level_quantile(std::vector<double> levels_dbov, double share) {
  std::erase_if(levels_dbov, [](double level) { return level <= kDigitalSilenceDbov; });
  if (levels_dbov.empty()) return kDigitalSilenceDbov;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(levels_dbov.size() - 1));
  std::nth_element(levels_dbov.begin(), levels_dbov.begin() + at, levels_dbov.end());
  return levels_dbov[static_cast<std::size_t>(at)];
}

Span find_speech(const Signal& signal) {
  const auto levels = frame_levels_dbov(signal);
  if (levels.size() < kFramesInARow) return {};
  const double loudest = *std::max_element(levels.begin(), levels.end());
  if (loudest <= kDigitalSilenceDbov) return {};
  const double threshold = std::max(loudest - kRangeDb, level_quantile(levels, kFloorShare) + kAboveFloorDb);
  const auto is_speech = [&](double level) { return level > threshold; };
  const auto first = std::search_n(levels.begin(), levels.end(), kFramesInARow, true,
                                   [&](double level, bool) { return is_speech(level); });
  if (first == levels.end()) return {};
  const auto last = std::search_n(levels.rbegin(), levels.rend(), kFramesInARow, true,
                                  [&](double level, bool) { return is_speech(level); });
  const std::size_t frame = samples_in(kFrameS, signal.rate_hz);
  const std::size_t begin = static_cast<std::size_t>(first - levels.begin()) * frame;
  const std::size_t end = static_cast<std::size_t>(last.base() - levels.begin()) * frame;
  const std::size_t before = samples_in(kMarginBeforeS, signal.rate_hz);
  return {begin - std::min(begin, before), std::min(signal.size(), end + samples_in(kMarginAfterS, signal.rate_hz))};
}

Signal room_noise(std::size_t count, int rate_hz, double level_dbov, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const double keep = std::exp(-2 * std::numbers::pi * kNoiseCornerHz / rate_hz);
  const double take = std::sqrt(1 - keep * keep);
  const double amplitude = db_to_amplitude(level_dbov);
  Signal noise{std::vector<float>(count), rate_hz};
  double state = gaussian(random);
  for (float& sample : noise.samples) {
    state = keep * state + take * gaussian(random);
    sample = static_cast<float>(amplitude * state);
  }
  return noise;
}

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  return hash;
}

Signal with_pauses(const Signal& signal, Span speech, double natural_s, double fill_dbov, std::uint64_t seed) {
  const std::size_t lead = samples_in(kLeadS, signal.rate_hz);
  const std::size_t tail = samples_in(kTailS, signal.rate_hz);
  const std::size_t natural = samples_in(natural_s, signal.rate_hz);
  const std::size_t before = std::min({speech.begin, lead, natural});
  const std::size_t after = std::min({signal.size() - speech.end, tail, natural});
  const auto from = signal.samples.begin();
  std::vector<float> kept(from + static_cast<std::ptrdiff_t>(speech.begin - before),
                          from + static_cast<std::ptrdiff_t>(speech.end + after));
  fade_ends(kept, samples_in(kFadeS, signal.rate_hz));

  Signal out = room_noise(lead - before + kept.size() + tail - after, signal.rate_hz, fill_dbov, seed);
  const auto place = out.samples.begin() + static_cast<std::ptrdiff_t>(lead - before);
  std::copy(kept.begin(), kept.end(), place);
  return out;
}

Signal without_rumble(Signal signal) {
  high_pass(kRumbleHz, signal.rate_hz).run(signal.samples);
  return signal;
}

Signal without_offset(Signal signal) {
  if (signal.empty()) return signal;
  const double total = std::accumulate(signal.samples.begin(), signal.samples.end(), 0.0);
  const auto mean = static_cast<float>(total / static_cast<double>(signal.size()));
  for (float& sample : signal.samples) sample -= mean;
  const Biquad filter = high_pass(kOffsetHz, signal.rate_hz);
  for (int direction = 0; direction < 2; ++direction) {
    filter.run(signal.samples);
    std::reverse(signal.samples.begin(), signal.samples.end());
  }
  return signal;
}

Signal brighter(Signal signal, double from_hz, double to_hz) {
  const double zero = 1 / std::tan(std::numbers::pi * from_hz / signal.rate_hz);
  const double pole = 1 / std::tan(std::numbers::pi * to_hz / signal.rate_hz);
  Biquad{(1 + zero) / (1 + pole), (1 - zero) / (1 + pole), 0, (1 - pole) / (1 + pole), 0}.run(signal.samples);
  return signal;
}

Result<Signal> to_nominal_level(Signal signal) {
  const auto level = measure_speech_level(signal.samples, signal.rate_hz);
  if (!level) return level.error();
  const double gain = db_to_amplitude(kNominalSpeechLevelDbov - level->active_level_dbov);
  const double ceiling = db_to_amplitude(kHighestPeakDbov);
  for (float& sample : signal.samples) {
    sample = static_cast<float>(sample * gain);
    if (std::abs(sample) > ceiling) return too_peaky();
  }
  return signal;
}

Result<Signal> levelled(Signal signal, std::uint64_t seed) {
  auto level = to_nominal_level(std::move(signal));
  if (!level) return level;
  const Signal noise = room_noise(level->size(), level->rate_hz, kRoomNoiseDbov, seed);
  for (std::size_t n = 0; n < level->size(); ++n) level->samples[n] += noise.samples[n];
  return to_nominal_level(*std::move(level));
}

}  // namespace vqas::speech_edit
