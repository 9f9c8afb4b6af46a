#include "score/diagnose/heard_line.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "score/diagnose/impairment_rules.h"
#include "score/diagnose/take_out_offset.h"
#include "score/dsp/kernels.h"
#include "vqas/signal/rounding.h"

namespace vqas::scoring {
namespace {

constexpr double kJustFaint = kToldStrength - 0.01;  // not tuned: the strongest that is named by its cost

}  // namespace

void HeardLine::measure(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                        std::span<const char> deleted, bool inverted, const Diagnosis& diagnosis) {
  diagnosis_ = &diagnosis;
  // As it is heard: this ear begins below the filter against offsets.
  degraded_.assign(degraded.samples());
  if (inverted) degraded_.invert_polarity();
  pair_.assign(reference, degraded_, delay, deleted);
  sent_.assign(pair_.reference());
  arrived_.assign(pair_.degraded());
  gain_.clear();
  for (const float one : diagnosis.moving_gain())
    gain_.insert(gain_.end(), static_cast<std::size_t>(model_.heard_samples()), one);
  if (diagnosis.is_beside_peaks()) {
    is_peak_.resize(reference.size());
    mark_peaks(degraded.samples(), pair_.delay(), model_.listening.hop, is_peak_);
    response_.measure_beside(sent_, arrived_, pair_.delay(), is_peak_);
  } else {
    response_.measure(sent_, arrived_, pair_.delay(), diagnosis.features().waveform_kept, gain_);
  }
  features_ = diagnosis.features();
  find_clipped(degraded.samples());
  measure_rest();
}

// What is below the peaks at the lower rate may be cut off here.
void HeardLine::find_clipped(std::span<const float> received) {
  if (features_.clipped.empty()) return;
  const auto step_samples = static_cast<std::size_t>(kStep * model_.heard_samples());
  const float passed = kPeakShare * largest_magnitude(received);
  for (std::size_t step = 0; step < features_.clipped.size(); ++step) {
    const auto expected = response_.predicted().subspan(step * step_samples, step_samples);
    if (diagnosis_->steps().gain()[step] * largest_magnitude(expected) > passed) features_.clipped[step] = 1;
  }
}

void HeardLine::measure_rest() {
  const StepPowers& steps = diagnosis_->steps();
  const int step_samples = kStep * model_.heard_samples();
  shared_.resize(static_cast<std::size_t>(steps.count()));
  // Below the filter against offsets there is no speech to tell a pause by.
  const double rate_hz = model_.listening.rate_hz;
  const auto received = pair_.degraded();
  passed_.resize(received.size());
  arrived_above_.resize(received.size());
  take_out_offset(response_.predicted().first(received.size()), rate_hz, passed_);
  take_out_offset(received, rate_hz, arrived_above_);
  shared_powers(passed_, arrived_above_, step_samples, shared_);
  explained_.resize(shared_.size());
  explained_powers(shared_, explained_);
  rest_.clear();
  expected_.clear();
  double speech = 0;
  int active = 0;
  for (int step = 0; step < steps.count(); ++step) {
    const SharedPower& shared = shared_[static_cast<std::size_t>(step)];
    rest_.push_back(
        static_cast<float>(std::max(0.0, shared.yy - explained_[static_cast<std::size_t>(step)]) / step_samples));
    const double gain = steps.gain()[step];
    expected_.push_back(static_cast<float>(gain * gain * shared.bb / step_samples));
    if (steps.active()[step] == 0 || steps.arrival()[step] == Arrival::no) continue;
    speech += expected_.back();
    ++active;
  }
  speech_power_ = speech / std::max(1, active);
  // A hiss is soft, or nothing, at the lower rate: what is a pause is told here.
  noise_power_ = noise_in_pauses(diagnosis_->sound(), expected_, speech_power_, features_.impulses, [&](int first) {
    return std::accumulate(rest_.begin() + first, rest_.begin() + first + kPacketSteps, 0.0) / kPacketSteps;
  });
}

void HeardLine::tell(double cost_mos, Indices& indices, std::vector<ImpairmentFinding>& impairments) const {
  BandLoss band = response_.band_loss(response_.passed());
  for (double* value : {&band.low_hz, &band.high_hz, &band.loudness_lost}) *value = rounded_to(*value, 1e-4);
  indices.band_loss = band;
  std::erase_if(impairments, [](const auto& finding) { return finding.impairment == Impairment::band_loss; });
  const bool is_narrow = band.high_hz < model_.band_told_below_hz || band.low_hz > model_.band_told_above_hz;
  // One that ends a little early is named by its cost alone.
  const bool ends_early = cost_mos >= kToldStrength && band.high_hz < model_.band_whole_to_hz;
  if (is_narrow || ends_early) {
    const double strength = rounded_to(band_loss_strength(band.loudness_lost), 1e-2);
    impairments.push_back({Impairment::band_loss, is_narrow ? strength : std::min(strength, kJustFaint)});
  }
  // What a telephone circuit may have says nothing of the noise above it: here its strength and its cost decide.
  const double strength =
      rounded_to(noise_strength(10 * std::log10((speech_power_ + kTiny) / (noise_power_ + kTiny))), 1e-2);
  const bool is_named = std::any_of(impairments.begin(), impairments.end(),
                                    [](const auto& finding) { return finding.impairment == Impairment::noise; });
  const ImpairmentFinding noise{Impairment::noise, strength};
  if (!is_named && strength > 0 && cost_mos >= kToldStrength && is_worth_telling(noise, cost_mos))
    impairments.push_back(noise);
}

Mended HeardLine::mended() const {
  return Mended({.reference = pair_.reference(),
                 .received = pair_.degraded(),
                 .predicted = response_.predicted(),
                 .step_samples = kStep * model_.heard_samples(),
                 .rest = rest_,
                 .noise_power = noise_power_,
                 .steps = diagnosis_->steps(),
                 .features = features_});
}

}  // namespace vqas::scoring
