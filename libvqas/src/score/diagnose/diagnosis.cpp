#include "score/diagnose/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <utility>

#include "score/diagnose/impairment_rules.h"
#include "score/diagnose/take_out_offset.h"
#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

// Flat tops are many samples near the highest; noise that comes with the speech has few.
constexpr double kFlatShare = 5e-4;  // by hand: of the samples

// Of what is left unexplained, what putting phrases back must leave for them to have been displaced at all. Of 1,696
// pairs that look coded 3 leave about half, all others three quarters and more.
constexpr double kClearlyLess = 0.7;

double rounded(double value) {
  return std::round(value * 1e4) / 1e4 + 0.0;
}

}  // namespace

void Diagnosis::lay_out(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                        std::span<const char> deleted) {
  reference_.resize(reference.size());
  received_ = degraded.samples();
  take_out_offset(reference, rate_hz_, reference_);
  take_out_offset(received_, rate_hz_, degraded_.reset(received_.size()));
  pair_.assign(reference_, degraded_, delay, deleted);
  sent_.assign(reference_);
  arrived_.assign(pair_.degraded());
  steps_.assign(reference_);
  has_pair_ = true;
}

double Diagnosis::unexplained() {
  response_.measure(sent_, arrived_, pair_.delay(), true);
  const auto received = pair_.degraded();
  const auto [error, all] = error_energy(received, response_.predicted().first(received.size()));
  return all > 0 ? error / all : 1;
}

bool Diagnosis::hold_delay(std::span<const int> delay, std::span<const char> deleted) {
  if (std::any_of(deleted.begin(), deleted.end(), [](char one) { return one != 0; })) return false;
  const auto used = pair_.delay();
  if (std::adjacent_find(used.begin(), used.end(), std::not_equal_to<>()) == used.end()) return false;
  held_.assign(delay.begin(), delay.end());
  const auto middle = held_.begin() + static_cast<std::ptrdiff_t>(held_.size() / 2);
  std::nth_element(held_.begin(), middle, held_.end());
  const int held = *middle;
  // No response reaches so far.
  if (pair_.is_anchored_beyond(held, response_.reach())) return false;
  const double as_it_is = unexplained();
  const auto swap = [this] {
    std::swap(pair_, other_pair_);
    std::swap(response_, other_response_);
    std::swap(arrived_, other_arrived_);
  };
  swap();
  held_.assign(delay.size(), held);
  pair_.assign(reference_, degraded_, held_, deleted);
  arrived_.assign(pair_.degraded());
  if (unexplained() > as_it_is) swap();
  return true;
}

std::span<const float> Diagnosis::moving_gain() const {
  return indices_.level_track.range_db > kToldLevelDb ? steps_.gain() : std::span<const float>();
}

void Diagnosis::measure(bool waveform_kept, double clock_drift_ppm) {
  steps_.measure(response_.predicted(), pair_.degraded(), waveform_kept);
  // A response that was found while the level moved has taken some of that for a filter, as the speech changed with it.
  // Each round takes back most of what the one before it left, and the third would find next to nothing.
  for (int round = 0; round < 2 && steps_.level_track().range_db > kToldLevelDb; ++round) {
    response_.measure(sent_, arrived_, pair_.delay(), waveform_kept, steps_.gain());
    steps_.measure(response_.predicted(), pair_.degraded(), waveform_kept);
  }
  steps_.tell_arrival(response_.predicted(), pair_.degraded(), waveform_kept, lost_);
  name(waveform_kept, clock_drift_ppm);
  is_beside_peaks_ = false;
  if (!waveform_kept || features_.peak_loss < kClippedPeaks) return;
  // Of what was received as it was: the filter against offsets bends flat tops.
  is_peak_.resize(reference_.size());
  mark_peaks(received_, pair_.delay(), kAlignedHop, is_peak_);
  const auto peaks = std::count(is_peak_.begin(), is_peak_.end(), 1);
  if (static_cast<double>(peaks) < kFlatShare * static_cast<double>(is_peak_.size())) return;
  const double peak_loss = features_.peak_loss;
  is_beside_peaks_ = true;
  measure_beside_peaks();
  const LevelTrack track = steps_.level_track();
  steps_.measure(response_.predicted(), pair_.degraded(), waveform_kept);
  steps_.tell_arrival(response_.predicted(), pair_.degraded(), waveform_kept, lost_);
  name(waveform_kept, clock_drift_ppm);
  features_.peak_loss = std::max(features_.peak_loss, peak_loss);
  indices_.level_track = track;
  features_.level_range_db = track.range_db;
  impairments_ = name_impairments(features_);
}

void Diagnosis::expect_sound(std::size_t begin, std::size_t frames) {
  const int last = static_cast<int>(begin + frames) - 1;
  sound_ = {static_cast<int>(begin) * kFrameSteps, last * kFrameSteps + kAlignedFrame / kStep};
}

void Diagnosis::settle_phases(double clock_drift_ppm) {
  const auto is_coding = [](const ImpairmentFinding& one) { return one.impairment == Impairment::coding; };
  const bool looks_coded = std::any_of(impairments_.begin(), impairments_.end(), is_coding) &&
                           std::none_of(impairments_.begin(), impairments_.end(), [&](const ImpairmentFinding& one) {
                             return !one.is_faint() && !is_coding(one);
                           });
  const auto used = pair_.delay();
  const bool one_delay = std::adjacent_find(used.begin(), used.end(), std::not_equal_to<>()) == used.end();
  if (!looks_coded || !one_delay || !phases_.find(steps_)) return;
  const auto received = pair_.degraded();
  const double error = error_energy(received, response_.predicted().first(received.size())).error;
  if (error - phases_.measure(steps_) > kClearlyLess * error) return;
  phases_.put_back(received, put_back_);
  pair_.replace_degraded(put_back_);
  arrived_.assign(put_back_);
  response_.measure(sent_, arrived_, pair_.delay(), true);
  measure(true, clock_drift_ppm);
}

void Diagnosis::measure_beside_peaks() {
  const auto received = pair_.degraded();
  response_.measure_beside(sent_, arrived_, pair_.delay(), is_peak_);
  const auto predicted = response_.predicted();
  unclipped_.assign(received.begin(), received.end());
  expected_.assign(predicted.begin(), predicted.end());
  for (std::size_t n = 0; n < unclipped_.size(); ++n) {
    if (is_peak_[n] == 0) continue;
    unclipped_[n] = 0;
    expected_[n] = 0;
  }
  steps_.measure(expected_, unclipped_, true);
}

void Diagnosis::name(bool waveform_kept, double clock_drift_ppm) {
  const LineResponse::Passed passed = response_.passed();
  indices_.band_loss = response_.band_loss(passed);
  for (double* value : {&indices_.band_loss.low_hz, &indices_.band_loss.high_hz, &indices_.band_loss.loudness_lost}) {
    *value = rounded(*value);
  }
  indices_.missing = steps_.missing_speech();
  indices_.level_track = steps_.level_track();
  features_ = measure_impairment_features(pair_, response_.predicted(), steps_, indices_, sound_, waveform_kept);
  features_.clock_drift_ppm = clock_drift_ppm;
  features_.cost_mos = cost_mos_;
  indices_.noise = measure_noise(passed.level_db);
  if (const auto& noise = indices_.noise)
    features_.is_noise_over = noise->dbm0p > kMostIdleNoiseDbm0p || noise->tone_dbm0 > kMostIdleToneDbm0;
  impairments_ = name_impairments(features_);
}

std::optional<PauseNoise> Diagnosis::measure_noise(double middle_db) {
  const double limit = kPauseShare * steps_.speech_power();
  const auto received = pair_.degraded();
  const auto predicted = response_.predicted();
  noise_meter_.reset();
  const auto is_pause = [&](int step) {
    for (int k = std::max(0, step - kPauseMargin); k < std::min(steps_.count(), step + kPauseMargin + 1); ++k) {
      if (steps_.expected()[k] >= limit || features_.impulses[k] > 0) return false;
    }
    return true;
  };
  for (int first = 0; first < steps_.count(); ++first) {
    int last = first;
    while (last < steps_.count() && is_pause(last)) ++last;
    rest_.resize(static_cast<std::size_t>(last - first) * kStep);
    for (int step = first; step < last; ++step) {
      const auto from = static_cast<std::size_t>(step) * kStep;
      const auto to = static_cast<std::size_t>(step - first) * kStep;
      for (std::size_t n = 0; n < kStep; ++n)
        rest_[to + n] = received[from + n] - steps_.gain()[step] * predicted[from + n];
    }
    noise_meter_.add(rest_);
    first = last;
  }
  const auto noise = noise_meter_.result();
  if (!noise) return std::nullopt;
  // Its power is that of the features, which leave out what stands out of it; its spectrum is that of all pauses.
  const double line_gain_db = middle_db - degraded_gain_db_ + reference_gain_db_;
  const double noise_dbm0 =
      10 * std::log10(features_.pause_noise_power) - degraded_gain_db_ - zero_dbm0_dbov(line_gain_db);
  const auto level = [&](double dbov) {
    return rounded(std::max(kLeastIdleNoiseDbm0p, noise_dbm0 + dbov - noise->unweighted_dbov));
  };
  return PauseNoise{.dbm0p = level(noise->weighted_dbov), .tone_dbm0 = level(noise->tone_dbov)};
}

Mended Diagnosis::mended() const {
  return Mended({.reference = pair_.reference(),
                 .received = pair_.degraded(),
                 .predicted = response_.predicted(),
                 .rest = steps_.residual(),
                 .noise_power = features_.noise_power,
                 .steps = steps_,
                 .features = features_});
}

void Diagnosis::run(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                    std::span<const char> deleted, bool waveform_kept, double clock_drift_ppm) {
  lay_out(reference, degraded, delay, deleted);
  const bool is_measured = waveform_kept && hold_delay(delay, deleted);
  if (!is_measured) response_.measure(sent_, arrived_, pair_.delay(), waveform_kept);
  measure(waveform_kept, clock_drift_ppm);
  if (waveform_kept) settle_phases(clock_drift_ppm);
}

bool Diagnosis::run_on_rest(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                            std::span<const char> deleted, double clock_drift_ppm) {
  lay_out(reference, degraded, delay, deleted);
  has_pair_ = pair_.is_anchored();
  if (!has_pair_) return false;
  response_.measure(sent_, arrived_, pair_.delay(), true);
  measure(true, clock_drift_ppm);
  return true;
}

void Diagnosis::run_on_nothing(std::span<const float> reference) {
  reference_.resize(reference.size());
  take_out_offset(reference, rate_hz_, reference_);
  has_pair_ = false;
  steps_.assign(reference_);
  steps_.measure_nothing();
  indices_ = {};
  indices_.band_loss.loudness_lost = 1;
  indices_.missing = steps_.missing_speech();
  impairments_ = {{Impairment::loss, kMostStrength}};
}

}  // namespace vqas::scoring
