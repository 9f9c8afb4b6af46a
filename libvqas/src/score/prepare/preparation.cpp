#include "score/prepare/preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"
#include "vqas/signal/resample.h"

namespace vqas::scoring {
namespace {

// not tuned: 120 dB over full scale, which no converter and no gain gives, but an unlucky cast.
constexpr float kLargestSample = 1e6F;
constexpr double kLongestUncertaintyS = 10;  // not tuned: more is no known place
constexpr double kRounding = 1e-6;           // not tuned: of the mean; less beside it is no signal in single precision

std::optional<Refusal> check(SignalView signal, std::string_view which, const ScoreModel& model, SampleSums& sums) {
  if (signal.empty()) {
    return Refusal{Outcome::bad_input, fmt::format("the {} recording is empty; give one that holds speech", which)};
  }
  if (signal.rate_hz < model.listening.rate_hz) {
    return Refusal{Outcome::bad_input, fmt::format("the {} recording has a rate of {} Hz; at least {} Hz are needed{}",
                                                   which, signal.rate_hz, model.listening.rate_hz,
                                                   signal.rate_hz >= PerceptualModel{}.rate_hz
                                                       ? ": the narrowband model scores it (--mode nb)"
                                                       : ": record or export it again at such a rate")};
  }
  sums = sums_of(signal.samples, kLargestSample);
  if (sums.within) return std::nullopt;
  const auto bad = std::find_if(signal.samples.begin(), signal.samples.end(),
                                [](float sample) { return !(std::abs(sample) <= kLargestSample); });
  return Refusal{Outcome::bad_input,
                 fmt::format("the {} recording's sample {} is {}; make it again", which, bad - signal.samples.begin(),
                             std::isfinite(*bad) ? "more than 120 dB beyond full scale" : "not a finite number")};
}

std::optional<Refusal> check_length(const Recording& recording, std::string_view which, const ScoreModel& model) {
  const double seconds = static_cast<double>(recording.samples.size()) / model.recognition.rate_hz;
  if (seconds >= kShortestS) return std::nullopt;
  return Refusal{Outcome::too_short, fmt::format("the {} recording lasts {:.2f} s; at least {:.0f} s are needed", which,
                                                 seconds, kShortestS)};
}

// Checks, and takes the samples as they are where the rate is the model's.
std::optional<Refusal> take(SignalView signal, std::string_view which, const ScoreModel& model, Recording& recording) {
  SampleSums sums;
  if (auto refusal = check(signal, which, model, sums)) return refusal;
  const auto unusable = [&](const Error& error) {
    return Refusal{Outcome::bad_input, fmt::format("{}: {}", which, error.message)};
  };
  if (signal.rate_hz == model.recognition.rate_hz) {
    recording.samples = signal.samples;
    recording.sums = sums;
  } else {
    auto converted = resample(signal, model.recognition.rate_hz);
    if (!converted) return unusable(converted.error());
    recording.own(*std::move(converted));
  }
  if (model.heard_samples() == 1) return std::nullopt;
  if (signal.rate_hz == model.listening.rate_hz) {
    recording.heard = signal.samples;
    return std::nullopt;
  }
  auto heard = resample(signal, model.listening.rate_hz);
  if (!heard) return unusable(heard.error());
  recording.own_heard(*std::move(heard));
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

// The samples from `from` to `to`; beyond the recording's ends there is silence.
Signal segment_of(std::span<const float> recording, int from, int to, int rate_hz) {
  const int size = static_cast<int>(recording.size());
  Signal segment{std::vector<float>(static_cast<std::size_t>(to - from), 0.0F), rate_hz};
  const int first = std::clamp(from, 0, size);
  const int last = std::clamp(to, first, size);
  std::copy(recording.begin() + first, recording.begin() + last, segment.samples.begin() + (first - from));
  return segment;
}

// The segment in which the speech must lie.
void cut_out(PreparedPair& pair, const KnownPlacement& placement, int given_rate_hz, const ScoreModel& model) {
  const int rate_hz = model.recognition.rate_hz;
  const double rate_ratio = static_cast<double>(rate_hz) / given_rate_hz;
  const auto corrected = [&](double place) {
    return static_cast<int>(std::lround(place * rate_ratio / (1 + placement.clock_drift_ppm * 1e-6)));
  };
  const int uncertainty = static_cast<int>(std::ceil(placement.uncertainty_s * rate_hz));
  const int nominal = corrected(placement.start_samples);
  pair.origin = nominal - uncertainty;
  const int end = nominal + static_cast<int>(pair.reference.samples.size()) + uncertainty;
  pair.degraded.own(segment_of(pair.degraded.samples, pair.origin, end, rate_hz));
  if (const int ratio = model.heard_samples(); ratio > 1) {
    pair.degraded.own_heard(segment_of(pair.degraded.heard, pair.origin * ratio, end * ratio, model.listening.rate_hz));
  }
  pair.range = {0, 2 * uncertainty};
  if (!placement.step) return;
  const auto relative = [&](double place) { return std::clamp(corrected(place) - pair.origin, 0, 2 * uncertainty); };
  pair.range.step.emplace(relative(placement.step->before_samples), relative(placement.step->after_samples));
}

}  // namespace

std::variant<PreparedPair, Refusal> prepare(SignalView reference, SignalView degraded,
                                            const std::optional<KnownPlacement>& placement, const ScoreModel& model,
                                            bool reference_is_known) {
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
    auto corrected = correct_clock(pair.degraded, placement->clock_drift_ppm, model);
    if (!corrected) return Refusal{Outcome::bad_input, "degraded: " + corrected.error().message};
    pair.degraded = *std::move(corrected);
    pair.corrected_drift_ppm = placement->clock_drift_ppm;
  }
  cut_out(pair, *placement, degraded.rate_hz, model);
  return pair;
}

Result<Recording> correct_clock(const Recording& received, double drift_ppm, const ScoreModel& model) {
  const auto corrected = [&](std::span<const float> samples, int rate_hz) {
    return vqas::correct_clock({{samples.begin(), samples.end()}, rate_hz}, drift_ppm);
  };
  Recording result;
  auto aligned = corrected(received.samples, model.recognition.rate_hz);
  if (!aligned) return aligned.error();
  result.own(*std::move(aligned));
  if (received.heard.empty()) return result;
  auto heard = corrected(received.heard, model.listening.rate_hz);
  if (!heard) return heard.error();
  result.own_heard(*std::move(heard));
  return result;
}

namespace {

// Whether it is silent.
bool remove_dc(std::span<const float> samples, const SampleSums& sums, PaddedSignal& signal, double& applied_gain) {
  const auto size = static_cast<double>(samples.size());
  const double mean = sums.sum / size;
  const double rms = std::sqrt(std::max(0.0, sums.square / size - mean * mean));
  // What is left of a constant is rounding.
  const bool silent = !(rms > kRounding * std::abs(mean)) || rms == 0;
  applied_gain = silent ? 1.0 : kPreparedRms / rms;
  const auto gain = static_cast<float>(silent ? 0.0 : applied_gain);
  subtract_and_scale(samples, static_cast<float>(mean), gain, signal.reset(samples.size()));
  return silent;
}

}  // namespace

void remove_dc(const Recording& recording, DcFree& result) {
  const SampleSums sums = recording.sums ? *recording.sums : sums_of(recording.samples, kLargestSample);
  result.silent = remove_dc(recording.samples, sums, result.signal, result.gain);
  if (recording.heard.empty()) return;
  remove_dc(recording.heard, sums_of(recording.heard, kLargestSample), result.heard, result.heard_gain);
}

}  // namespace vqas::scoring
