#include "score/diagnose/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <utility>

#include "score/diagnose/impairment_rules.h"
#include "score/diagnose/mended.h"
#include "score/diagnose/value_counts.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

// Of an impairment that leaves nothing of the speech.

// From this loss of the peaks on they are taken for clipped; of the highest sample, what is taken for a peak.
constexpr double kFlatShare = 5e-4;
// Speech that nobody hears, the values that a coder's lowest steps are, and the share of the samples that they are.
constexpr std::size_t kFewSteps = 4;
constexpr double kStepsShare = 0.7;

// Phrases that are displaced by less look like no coding: half of it lets a vowel stand -30 dB beside its prediction.
// And of what is left unexplained, what putting them back must leave for them to have been displaced at all.
constexpr double kLeastSpread = 0.03;
constexpr double kClearlyLess = 0.7;
constexpr double kSomewhatLess = 0.9;  // or nothing more is tried
constexpr int kPhaseRounds = 3;        // by hand

constexpr double kLevelMovesDb = 2;  // by hand: of the level, before the response is found once more without it
constexpr int kLevelRounds = 2;      // by hand

// Samples about the median: how far a telephone filter moves a part of its band. And the share of the frames there that
// makes a trial worth while; whether it succeeds the residue decides.
constexpr int kHeldReach = 40;
constexpr double kHeldShare = 0.7;

// Some recordings of speech carry an offset that begins and ends with the talker: it is no speech and would be taken
// for some that is missing. A Butterworth high-pass of second order (bilinear) on both sides takes it out; speech and
// telephone lines begin above it.
constexpr double kOffsetHz = 50;

class OffsetFilter {
 public:
  explicit OffsetFilter(double rate_hz) {
    const double k = std::tan(std::numbers::pi * kOffsetHz / rate_hz);
    norm_ = 1 / (1 + std::numbers::sqrt2 * k + k * k);
    a1_ = 2 * (k * k - 1) * norm_;
    a2_ = (1 - std::numbers::sqrt2 * k + k * k) * norm_;
  }
  float pass(float sample) {
    const double out = norm_ * sample + first_;
    first_ = -2 * norm_ * sample - a1_ * out + second_;
    second_ = norm_ * sample - a2_ * out;
    return static_cast<float>(out);
  }

 private:
  double norm_ = 1, a1_ = 0, a2_ = 0;
  double first_ = 0, second_ = 0;
};

void take_out_offset(std::span<const float> from, double rate_hz, std::span<float> to) {
  OffsetFilter filter(rate_hz);
  std::transform(from.begin(), from.end(), to.begin(), [&](float sample) { return filter.pass(sample); });
}

/// The same of two recordings at once: each output waits for the one before it, so two take little longer than one.
void take_out_offsets(std::span<const float> a, std::span<const float> b, double rate_hz, std::span<float> to_a,
                      std::span<float> to_b) {
  OffsetFilter of_a(rate_hz);
  OffsetFilter of_b(rate_hz);
  const std::size_t both = std::min(a.size(), b.size());
  for (std::size_t n = 0; n < both; ++n) {
    to_a[n] = of_a.pass(a[n]);
    to_b[n] = of_b.pass(b[n]);
  }
  for (std::size_t n = both; n < a.size(); ++n) to_a[n] = of_a.pass(a[n]);
  for (std::size_t n = both; n < b.size(); ++n) to_b[n] = of_b.pass(b[n]);
}

double rounded(double value) {
  return std::round(value * 1e4) / 1e4 + 0.0;
}

}  // namespace

void Diagnosis::lay_out(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                        std::span<const char> deleted, bool waveform_kept) {
  reference_.resize(reference.size());
  received_ = degraded.samples();
  take_out_offsets(reference, received_, rate_hz_, reference_, degraded_.reset(received_.size()));
  pair_.assign(reference_, degraded_, delay, deleted, waveform_kept);
  steps_.assign(reference_);
  has_pair_ = true;
}

double Diagnosis::unexplained() {
  response_.measure(pair_, pair_.degraded(), true);
  return left_over(response_);
}

double Diagnosis::left_over(const LineResponse& response) const {
  const auto received = pair_.degraded();
  const auto predicted = response.predicted();
  double left = 0;
  double all = 0;
  for (std::size_t n = 0; n < received.size(); ++n) {
    const double error = static_cast<double>(received[n]) - predicted[n];
    left += error * error;
    all += static_cast<double>(received[n]) * received[n];
  }
  return all > 0 ? left / all : 1;
}

bool Diagnosis::hold_delay(std::span<const int> delay, std::span<const char> deleted) {
  if (std::any_of(deleted.begin(), deleted.end(), [](char one) { return one != 0; })) return false;
  const auto used = pair_.delay();
  if (std::adjacent_find(used.begin(), used.end(), std::not_equal_to<>()) == used.end()) return false;
  held_.assign(delay.begin(), delay.end());
  const auto middle = held_.begin() + static_cast<std::ptrdiff_t>(held_.size() / 2);
  std::nth_element(held_.begin(), middle, held_.end());
  const int held = *middle;
  const auto near =
      std::count_if(delay.begin(), delay.end(), [&](int one) { return std::abs(one - held) <= kHeldReach; });
  if (static_cast<double>(near) < kHeldShare * static_cast<double>(delay.size())) return false;
  const double as_it_is = unexplained();
  std::swap(pair_, other_pair_);
  std::swap(response_, other_response_);
  held_.assign(delay.size(), held);
  pair_.assign(reference_, degraded_, held_, deleted, true);
  if (unexplained() > as_it_is) {
    std::swap(pair_, other_pair_);
    std::swap(response_, other_response_);
  }
  return true;
}

std::span<const float> Diagnosis::levelled() {
  const auto degraded = pair_.degraded();
  levelled_.assign(degraded.begin(), degraded.end());
  for (int step = 0; step < steps_.count(); ++step) {
    const float gain = 1 / std::max(steps_.gain()[step], kLeastGain);
    for (int n = step * kStep; n < (step + 1) * kStep; ++n) levelled_[static_cast<std::size_t>(n)] *= gain;
  }
  return levelled_;
}

void Diagnosis::measure(bool waveform_kept, double clock_drift_ppm) {
  steps_.measure(response_.predicted(), pair_.degraded(), waveform_kept);
  // A response that was found while the level moved has taken some of that for a filter, as the speech changed with it.
  for (int round = 0; round < kLevelRounds && steps_.level_track().range_db > kLevelMovesDb; ++round) {
    response_.measure(pair_, levelled(), waveform_kept);
    steps_.measure(response_.predicted(), pair_.degraded(), waveform_kept);
  }
  steps_.tell_arrival(response_.predicted(), pair_.degraded(), waveform_kept, lost_);
  name(waveform_kept, clock_drift_ppm);
  if (!waveform_kept || features_.peak_loss < kClippedPeaks) return;
  find_peaks();
  // Flat tops are many samples near the highest; noise that comes with the speech has few.
  const auto peaks = std::count(is_peak_.begin(), is_peak_.end(), 1);
  if (static_cast<double>(peaks) < kFlatShare * static_cast<double>(is_peak_.size())) return;
  const double peak_loss = features_.peak_loss;
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

void Diagnosis::settle_phases(double clock_drift_ppm) {
  const bool looks_coded = impairments_.size() == 1 && impairments_.front().impairment == Impairment::coding;
  const auto used = pair_.delay();
  const bool one_delay = std::adjacent_find(used.begin(), used.end(), std::not_equal_to<>()) == used.end();
  if (!looks_coded || !one_delay || !phases_.find(steps_)) return;
  phases_.refine(steps_);
  if (phases_.spread() < kLeastSpread) return;
  other_steps_.assign(reference_);
  const double as_it_is = left_over(response_);
  as_received_.assign(pair_.degraded().begin(), pair_.degraded().end());
  for (int round = 0; round < kPhaseRounds; ++round) {
    if (round > 0) phases_.refine(other_steps_);
    phases_.put_back(as_received_, put_back_);
    pair_.replace_degraded(put_back_);
    other_response_.measure(pair_, pair_.degraded(), true);
    other_steps_.measure(other_response_.predicted(), pair_.degraded(), true);
    if (left_over(other_response_) > kSomewhatLess * as_it_is) break;
  }
  if (left_over(other_response_) > kClearlyLess * as_it_is) {
    pair_.replace_degraded(as_received_);
    return;
  }
  std::swap(response_, other_response_);
  measure(true, clock_drift_ppm);
}

std::ptrdiff_t Diagnosis::received_at(std::size_t sample) const {
  const auto delay = pair_.delay();
  return static_cast<std::ptrdiff_t>(sample) + delay[std::min(sample / kAlignedHop, delay.size() - 1)];
}

bool Diagnosis::pauses_are_steps() const {
  const auto size = static_cast<std::ptrdiff_t>(received_.size());
  ValueCounts values;
  std::size_t samples = 0;
  for (int step = 0; step < steps_.count(); ++step) {
    if (steps_.expected()[step] >= kPauseShare * steps_.speech_power()) continue;
    const std::ptrdiff_t first = received_at(static_cast<std::size_t>(step) * kStep);
    for (std::ptrdiff_t at = std::max<std::ptrdiff_t>(first, 0); at < std::min(first + kStep, size); ++at) {
      values.add(received_[static_cast<std::size_t>(at)]);
      ++samples;
    }
  }
  return static_cast<double>(values.most_frequent(kFewSteps)) > kStepsShare * static_cast<double>(samples);
}

void Diagnosis::find_peaks() {
  // Of what was received as it was: the filter against offsets bends flat tops.
  float highest = 0;
  for (const float sample : received_) highest = std::max(highest, std::abs(sample));
  const auto size = static_cast<std::ptrdiff_t>(received_.size());
  is_peak_.assign(reference_.size(), 0);
  for (std::size_t n = 0; n < is_peak_.size(); ++n) {
    const std::ptrdiff_t at = received_at(n);
    is_peak_[n] = at >= 0 && at < size && std::abs(received_[static_cast<std::size_t>(at)]) >= kPeakShare * highest;
  }
}

void Diagnosis::measure_beside_peaks() {
  const auto received = pair_.degraded();
  response_.measure_beside(pair_, received, is_peak_);
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
  features_ = measure_impairment_features(pair_, response_.predicted(), steps_, indices_, waveform_kept);
  features_.clock_drift_ppm = clock_drift_ppm;
  features_.cost_mos = cost_mos_;
  features_.pauses_are_steps = pauses_are_steps();
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
  if (!noise || features_.noise_power <= 0) return std::nullopt;
  // Its power is that of the features, which leave out what stands out of it; its spectrum is that of all pauses.
  const double line_gain_db = middle_db - degraded_gain_db_ + reference_gain_db_;
  const double noise_dbm0 = 10 * std::log10(features_.noise_power) - degraded_gain_db_ - zero_dbm0_dbov(line_gain_db);
  return PauseNoise{.dbm0p = rounded(noise_dbm0 + noise->weighted_dbov - noise->unweighted_dbov),
                    .tone_dbm0 = rounded(noise_dbm0 + noise->tone_dbov - noise->unweighted_dbov)};
}

void Diagnosis::mend(std::span<const Impairment> impairments, std::vector<float>& to) const {
  scoring::mend(impairments, {pair_.reference(), pair_.degraded(), response_.predicted(), steps_, features_}, to);
}

void Diagnosis::run(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                    std::span<const char> deleted, bool waveform_kept, double clock_drift_ppm) {
  lay_out(reference, degraded, delay, deleted, waveform_kept);
  const bool is_measured = waveform_kept && hold_delay(delay, deleted);
  if (!is_measured) response_.measure(pair_, pair_.degraded(), waveform_kept);
  measure(waveform_kept, clock_drift_ppm);
  if (waveform_kept) settle_phases(clock_drift_ppm);
}

bool Diagnosis::run_on_rest(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                            std::span<const char> deleted, double clock_drift_ppm) {
  lay_out(reference, degraded, delay, deleted, true);
  has_pair_ = pair_.is_anchored();
  if (!has_pair_) return false;
  response_.measure(pair_, pair_.degraded(), true);
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
  impairments_ = {{Impairment::loss, kRuined}};
}

}  // namespace vqas::scoring
