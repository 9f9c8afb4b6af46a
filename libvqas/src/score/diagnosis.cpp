#include "score/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "score/cause_rules.h"

namespace vqas::scoring {
namespace {

// Of a cause that leaves nothing of the speech.
constexpr double kRuined = 3;

constexpr double kLevelMovesDb = 2;
constexpr int kLevelRounds = 2;
constexpr float kLeastGain = 1e-4F;  // -80 dB

// Some recordings of speech carry an offset that begins and ends with the talker: it is no speech and would be taken
// for some that is missing. A Butterworth high-pass of second order (bilinear) on both sides takes it out; speech and
// telephone lines begin above it.
constexpr double kOffsetHz = 50;

void take_out_offset(std::span<const float> from, double rate_hz, std::span<float> to) {
  const double k = std::tan(std::numbers::pi * kOffsetHz / rate_hz);
  const double norm = 1 / (1 + std::numbers::sqrt2 * k + k * k);
  const double a1 = 2 * (k * k - 1) * norm;
  const double a2 = (1 - std::numbers::sqrt2 * k + k * k) * norm;
  double first = 0;
  double second = 0;
  for (std::size_t n = 0; n < from.size(); ++n) {
    const double out = norm * from[n] + first;
    first = -2 * norm * from[n] - a1 * out + second;
    second = norm * from[n] - a2 * out;
    to[n] = static_cast<float>(out);
  }
}

double rounded(double value) {
  return std::round(value * 1e4) / 1e4 + 0.0;
}

}  // namespace

void Diagnosis::lay_out(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                        std::span<const char> deleted, float sign, bool waveform_kept) {
  reference_.resize(reference.size());
  take_out_offset(reference, rate_hz_, reference_);
  take_out_offset(degraded.samples(), rate_hz_, degraded_.reset(degraded.samples().size()));
  pair_.assign(reference_, degraded_, delay, deleted, sign, waveform_kept);
  has_pair_ = true;
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
  response_.measure(pair_, pair_.degraded(), waveform_kept);
  steps_.measure(reference_, response_.predicted(), pair_.degraded(), waveform_kept);
  // A response that was found while the level moved has taken some of that for a filter, as the speech changed with it.
  for (int round = 0; round < kLevelRounds && steps_.level_track().range_db > kLevelMovesDb; ++round) {
    response_.measure(pair_, levelled(), waveform_kept);
    steps_.measure(reference_, response_.predicted(), pair_.degraded(), waveform_kept);
  }
  indices_.band_loss = response_.band_loss();
  for (double* value : {&indices_.band_loss.low_hz, &indices_.band_loss.high_hz, &indices_.band_loss.loudness_lost}) {
    *value = rounded(*value);
  }
  indices_.missing = steps_.missing_speech();
  indices_.level_track = steps_.level_track();
  features_ = measure_cause_features(pair_, response_.predicted(), steps_, indices_, waveform_kept);
  features_.clock_drift_ppm = clock_drift_ppm;
  causes_ = name_causes(features_);
}

void Diagnosis::run(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                    std::span<const char> deleted, float sign, bool waveform_kept, double clock_drift_ppm) {
  lay_out(reference, degraded, delay, deleted, sign, waveform_kept);
  measure(waveform_kept, clock_drift_ppm);
}

bool Diagnosis::run_on_rest(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                            std::span<const char> deleted, float sign, double clock_drift_ppm) {
  lay_out(reference, degraded, delay, deleted, sign, true);
  has_pair_ = pair_.is_anchored();
  if (has_pair_) measure(true, clock_drift_ppm);
  return has_pair_;
}

void Diagnosis::run_on_nothing(std::span<const float> reference) {
  reference_.resize(reference.size());
  take_out_offset(reference, rate_hz_, reference_);
  has_pair_ = false;
  steps_.measure_nothing(reference_);
  indices_ = {};
  indices_.band_loss.loudness_lost = 1;
  indices_.missing = steps_.missing_speech();
  causes_ = {{Cause::loss, kRuined}};
}

}  // namespace vqas::scoring
