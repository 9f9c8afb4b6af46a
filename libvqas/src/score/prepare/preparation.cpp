#include "score/prepare/preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "score/dsp/kernels.h"
#include "vqas/signal/resample.h"

namespace vqas::scoring {
namespace {

// A choice: a second holds three windows of 0.3 s, the segment over which the distance takes the worst.
constexpr double kShortestS = 1.0;
// 120 dB over full scale: no converter and no gain gives that, an unlucky cast does.
constexpr float kLargestSample = 1e6F;
constexpr double kLongestUncertaintyS = 10;
constexpr double kLargestDriftPpm = 20000;
// Of the mean: less than this beside it is no signal in single precision.
constexpr double kRounding = 1e-6;

std::optional<Refusal> check(SignalView signal, std::string_view which, const PerceptualModel& model,
                             SampleSums& sums) {
  if (signal.empty()) {
    return Refusal{Outcome::bad_input, fmt::format("the {} recording is empty; give one that holds speech", which)};
  }
  if (signal.rate_hz < model.rate_hz) {
    return Refusal{Outcome::bad_input, fmt::format("the {} recording has a rate of {} Hz; at least {} Hz are needed",
                                                   which, signal.rate_hz, model.rate_hz)};
  }
  sums = sums_of(signal.samples, kLargestSample);
  if (sums.within) return std::nullopt;
  const auto bad = std::find_if(signal.samples.begin(), signal.samples.end(),
                                [](float sample) { return !(std::abs(sample) <= kLargestSample); });
  return Refusal{Outcome::bad_input,
                 fmt::format("the {} recording's sample {} is {}; make it again", which, bad - signal.samples.begin(),
                             std::isfinite(*bad) ? "more than 120 dB beyond full scale" : "not a finite number")};
}

std::optional<Refusal> check_length(const Recording& recording, std::string_view which, const PerceptualModel& model) {
  const double seconds = static_cast<double>(recording.samples.size()) / model.rate_hz;
  if (seconds >= kShortestS) return std::nullopt;
  return Refusal{Outcome::too_short, fmt::format("the {} recording lasts {:.2f} s; at least {:.0f} s are needed", which,
                                                 seconds, kShortestS)};
}

// Checks, and takes the samples as they are where the rate is the model's.
std::optional<Refusal> take(SignalView signal, std::string_view which, const PerceptualModel& model,
                            Recording& recording) {
  SampleSums sums;
  if (auto refusal = check(signal, which, model, sums)) return refusal;
  if (signal.rate_hz == model.rate_hz) {
    recording.samples = signal.samples;
    recording.sums = sums;
    return std::nullopt;
  }
  auto converted = resample(signal, model.rate_hz);
  if (!converted) return Refusal{Outcome::bad_input, fmt::format("{}: {}", which, converted.error().message)};
  recording.own(*std::move(converted));
  return std::nullopt;
}

std::optional<Refusal> check(const KnownPlacement& placement) {
  const auto is_place = [](double place) { return std::isfinite(place) && std::abs(place) < 1e9; };
  const bool good =
      is_place(placement.start_samples) && std::abs(placement.clock_drift_ppm) <= kLargestDriftPpm &&
      placement.uncertainty_s >= 0 && placement.uncertainty_s <= kLongestUncertaintyS &&
      (!placement.step || (is_place(placement.step->before_samples) && is_place(placement.step->after_samples)));
  if (good) return std::nullopt;
  return Refusal{Outcome::bad_input,
                 fmt::format("the placement is out of range: start {} samples, drift {} ppm (±{}), uncertainty {} s "
                             "(0..{}); measure it again",
                             placement.start_samples, placement.clock_drift_ppm, kLargestDriftPpm,
                             placement.uncertainty_s, kLongestUncertaintyS)};
}

// The segment in which the speech must lie; beyond the recording's ends there is silence.
void cut_out(PreparedPair& pair, const KnownPlacement& placement, double rate_ratio, const PerceptualModel& model) {
  const auto corrected = [&](double place) {
    return static_cast<int>(std::lround(place * rate_ratio / (1 + placement.clock_drift_ppm * 1e-6)));
  };
  const int uncertainty = static_cast<int>(std::ceil(placement.uncertainty_s * model.rate_hz));
  const int nominal = corrected(placement.start_samples);
  const int size = static_cast<int>(pair.degraded.samples.size());
  pair.origin = nominal - uncertainty;
  const int end = nominal + static_cast<int>(pair.reference.samples.size()) + uncertainty;
  std::vector<float> samples(static_cast<std::size_t>(end - pair.origin), 0.0F);
  const int first = std::clamp(pair.origin, 0, size);
  const int last = std::clamp(end, first, size);
  std::copy(pair.degraded.samples.begin() + first, pair.degraded.samples.begin() + last,
            samples.begin() + (first - pair.origin));
  pair.degraded.own({std::move(samples), model.rate_hz});
  pair.range = {0, 2 * uncertainty};
  if (!placement.step) return;
  const auto relative = [&](double place) { return std::clamp(corrected(place) - pair.origin, 0, 2 * uncertainty); };
  pair.range.step.emplace(relative(placement.step->before_samples), relative(placement.step->after_samples));
}

}  // namespace

std::variant<PreparedPair, Refusal> prepare(SignalView reference, SignalView degraded,
                                            const std::optional<KnownPlacement>& placement,
                                            const PerceptualModel& model, bool reference_is_known) {
  PreparedPair pair;
  if (reference_is_known) {
    pair.reference.samples = reference.samples;
  } else if (const auto refusal = take(reference, "reference", model, pair.reference)) {
    return *refusal;
  }
  if (const auto refusal = take(degraded, "degraded", model, pair.degraded)) return *refusal;
  if (const auto refusal = check_length(pair.reference, "reference", model)) return *refusal;

  if (!placement) {
    if (const auto refusal = check_length(pair.degraded, "degraded", model)) return *refusal;
    // Anything goes that lets the two overlap.
    pair.range = {-static_cast<int>(pair.reference.samples.size()), static_cast<int>(pair.degraded.samples.size())};
    return pair;
  }
  if (const auto refusal = check(*placement)) return *refusal;
  if (placement->clock_drift_ppm != 0) {
    auto corrected = correct_clock({pair.degraded.samples, model.rate_hz}, placement->clock_drift_ppm);
    if (!corrected) return Refusal{Outcome::bad_input, "degraded: " + corrected.error().message};
    pair.degraded.own(*std::move(corrected));
    pair.corrected_drift_ppm = placement->clock_drift_ppm;
  }
  cut_out(pair, *placement, static_cast<double>(model.rate_hz) / degraded.rate_hz, model);
  return pair;
}

void remove_dc(const Recording& recording, DcFree& result) {
  const std::span<const float> samples = recording.samples;
  const auto size = static_cast<double>(samples.size());
  const SampleSums sums = recording.sums ? *recording.sums : sums_of(samples, kLargestSample);
  const double mean = sums.sum / size;
  const double rms = std::sqrt(std::max(0.0, sums.square / size - mean * mean));
  // What is left of a constant is rounding.
  result.silent = !(rms > kRounding * std::abs(mean)) || rms == 0;
  result.gain = result.silent ? 1.0 : kPreparedRms / rms;
  const auto gain = static_cast<float>(result.silent ? 0.0 : result.gain);
  subtract_and_scale(samples, static_cast<float>(mean), gain, result.signal.reset(samples.size()));
}

}  // namespace vqas::scoring
