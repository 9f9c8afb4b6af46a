#include "vqas/signal/level.h"

#include <array>
#include <cmath>
#include <limits>

#include "signal/active_level.h"

namespace vqas {
namespace {

// ITU-T P.56, method B: two exponential averages of 30 ms in series, 200 ms hangover, margin 15.9 dB. The standard's
// thresholds are 2^-15..2^-1; the lower ones are for floating-point recordings that are quieter than 16 bits allow.
constexpr double kTimeConstantS = 0.03;
constexpr double kHangoverS = 0.2;
constexpr int kLowestExponent = -24;
constexpr int kHighestExponent = -1;
constexpr int kThresholds = kHighestExponent - kLowestExponent + 1;

struct ActivityCounts {
  std::array<double, kThresholds> active{};  // samples with the envelope above the threshold or within the hangover
  double energy = 0;
};

ActivityCounts count_activity(std::span<const float> samples, int rate_hz) {
  std::array<double, kThresholds> threshold{};
  for (int j = 0; j < kThresholds; ++j) threshold[j] = std::ldexp(1.0, kLowestExponent + j);
  const double smoothing = std::exp(-1.0 / (rate_hz * kTimeConstantS));
  const auto hangover = static_cast<long long>(std::ceil(kHangoverS * rate_hz));

  ActivityCounts counts;
  std::array<long long, kThresholds> since_above{};
  since_above.fill(hangover);
  double first = 0;
  double envelope = 0;
  for (const float sample : samples) {
    const double x = sample;
    counts.energy += x * x;
    first = smoothing * first + (1 - smoothing) * std::abs(x);
    envelope = smoothing * envelope + (1 - smoothing) * first;
    for (int j = 0; j < kThresholds; ++j) {
      if (envelope >= threshold[j]) {
        ++counts.active[j];
        since_above[j] = 0;
      } else if (since_above[j] < hangover) {
        ++counts.active[j];
        ++since_above[j];
      }
    }
  }
  return counts;
}

}  // namespace

std::optional<double> active_level_at_margin(double energy, std::span<const double> active, int lowest_exponent) {
  constexpr double kMarginDb = 15.9;
  std::optional<double> previous_level;
  double previous_excess = 0;
  for (int j = 0; j < static_cast<int>(active.size()) && active[static_cast<std::size_t>(j)] > 0; ++j) {
    const double level = 10 * std::log10(energy / active[static_cast<std::size_t>(j)]);
    const double excess = level - 20 * std::log10(std::ldexp(1.0, lowest_exponent + j)) - kMarginDb;
    if (excess <= 0) {
      if (!previous_level) return level;
      const double share = previous_excess / (previous_excess - excess);
      return *previous_level + share * (level - *previous_level);
    }
    previous_level = level;
    previous_excess = excess;
  }
  return previous_level;
}

Result<SpeechLevel> measure_speech_level(std::span<const float> samples, int rate_hz) {
  if (samples.empty()) return Error{ErrorCode::bad_input, "cannot measure a speech level: there are no samples"};
  if (rate_hz <= 0)
    return Error{ErrorCode::bad_input, "cannot measure a speech level: the sampling rate is not positive"};
  const ActivityCounts counts = count_activity(samples, rate_hz);
  if (!std::isfinite(counts.energy)) {
    return Error{ErrorCode::bad_input, "cannot measure a speech level: a sample is not a finite number"};
  }
  const auto active_level_dbov = active_level_at_margin(counts.energy, counts.active, kLowestExponent);
  if (!active_level_dbov) return Error{ErrorCode::bad_input, "cannot measure a speech level: the recording is silent"};
  SpeechLevel level;
  level.long_term_level_dbov = 10 * std::log10(counts.energy / static_cast<double>(samples.size()));
  level.active_level_dbov = *active_level_dbov;
  level.activity_factor = std::pow(10.0, (level.long_term_level_dbov - level.active_level_dbov) / 10);
  return level;
}

double rms_dbov(std::span<const float> samples) {
  if (samples.empty()) return -std::numeric_limits<double>::infinity();
  double energy = 0;
  for (const float sample : samples) energy += static_cast<double>(sample) * sample;
  return 10 * std::log10(energy / static_cast<double>(samples.size()));
}

double db_to_amplitude(double db) {
  return std::pow(10.0, db / 20);
}

double amplitude_to_db(double amplitude) {
  return 20 * std::log10(amplitude);
}

}  // namespace vqas
