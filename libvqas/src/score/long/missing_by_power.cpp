#include "score/long/missing_by_power.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

constexpr double kStepS = kPacketSteps * kStepMs / 1000;                         // not tuned: 0.02
constexpr int kHangoverSteps = static_cast<int>(kHangoverMs / (1000 * kStepS));  // not tuned: 10

/// Mean power of each step, a constant taken out.
std::vector<double> powers_of(const Signal& signal, int steps) {
  const double sum = std::accumulate(signal.samples.begin(), signal.samples.end(), 0.0);
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, signal.size()));
  const auto begin_of = [&](int step) {
    return std::min(signal.size(), static_cast<std::size_t>(std::lround(step * kStepS * signal.rate_hz)));
  };
  std::vector<double> powers;
  for (int step = 0; step < steps; ++step) {
    double power = 0;
    for (std::size_t n = begin_of(step); n < begin_of(step + 1); ++n) {
      power += (signal.samples[n] - mean) * (signal.samples[n] - mean);
    }
    powers.push_back(power / (kStepS * signal.rate_hz));
  }
  return powers;
}

/// Over the pauses that belong to the speech: a word's quiet sounds say nothing alone.
double around(const std::vector<double>& values, int step) {
  const int last = std::min(static_cast<int>(values.size()), step + kHangoverSteps + 1);
  return std::accumulate(values.begin() + std::max(0, step - kHangoverSteps), values.begin() + last, 0.0);
}

/// Steps in which somebody talks, pauses of 200 ms included.
std::vector<char> speech_of(const std::vector<double>& powers) {
  const double mean = std::accumulate(powers.begin(), powers.end(), 0.0) / std::max<double>(1, powers.size());
  std::vector<char> speech(powers.size(), 0);
  int last = -kHangoverSteps - 1;
  for (int step = 0; step < static_cast<int>(powers.size()); ++step) {
    if (powers[step] <= kActiveShare * mean) continue;
    std::fill(speech.begin() + (step - last <= kHangoverSteps ? last + 1 : step), speech.begin() + step + 1, 1);
    last = step;
  }
  return speech;
}

}  // namespace

MissingSpeech missing_by_power(const Signal& reference, const Signal& degraded, double gain) {
  const int steps = static_cast<int>(reference.seconds() / kStepS);
  const std::vector<double> sent = powers_of(reference, steps);
  const std::vector<double> received = powers_of(degraded, steps);
  const std::vector<char> speech = speech_of(sent);
  MissingSpeech result;
  bool any_arrived = false;
  for (int step = 0; step < steps; ++step) {
    if (speech[step] == 0) continue;
    const double step_ms = 1000 * kStepS;
    result.speech_ms += step_ms;
    if (around(received, step) < kSoundShare * gain * around(sent, step)) {
      result.tail_ms += step_ms;
      continue;
    }
    // What was missing so far has speech behind it.
    (any_arrived ? result.middle_ms : result.front_ms) += result.tail_ms;
    result.gaps += any_arrived && result.tail_ms > 0 ? 1 : 0;
    result.tail_ms = 0;
    any_arrived = true;
  }
  if (!any_arrived) std::swap(result.front_ms, result.tail_ms);
  return result;
}

}  // namespace vqas::scoring
