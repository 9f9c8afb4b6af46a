#include "score/diagnosis.h"

#include <cmath>

#include "score/cause_rules.h"

namespace vqas::scoring {
namespace {

double rounded(double value) {
  return std::round(value * 1e4) / 1e4 + 0.0;
}

}  // namespace

void Diagnosis::run(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                    float sign, bool waveform_kept) {
  pair_.assign(reference, degraded, delay, sign, waveform_kept);
  response_.measure(pair_, waveform_kept);
  steps_.measure(reference, response_.predicted(), pair_.degraded(), waveform_kept);
  indices_.band_loss = response_.band_loss();
  for (double* value : {&indices_.band_loss.low_hz, &indices_.band_loss.high_hz, &indices_.band_loss.loudness_lost}) {
    *value = rounded(*value);
  }
  indices_.missing = steps_.missing_speech();
  indices_.level_track = steps_.level_track();
  features_ = measure_cause_features(pair_, response_.predicted(), steps_, indices_, waveform_kept);
  causes_ = name_causes(features_);
}

}  // namespace vqas::scoring
