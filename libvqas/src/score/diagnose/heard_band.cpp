#include "score/diagnose/heard_band.h"

#include "score/diagnose/impairment_rules.h"
#include "vqas/signal/rounding.h"

namespace vqas::scoring {

void HeardBand::measure(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
                        std::span<const char> deleted, bool waveform_kept, std::span<const float> gain) {
  pair_.assign(reference.samples(), degraded, delay, deleted);
  sent_.assign(pair_.reference(), true);
  arrived_.assign(pair_.degraded(), false);
  gain_.clear();
  for (const float one : gain) gain_.insert(gain_.end(), static_cast<std::size_t>(model_.heard_samples()), one);
  response_.measure(sent_, arrived_, pair_.delay(), waveform_kept, gain_);
}

void HeardBand::tell(Indices& indices, std::vector<ImpairmentFinding>& impairments) const {
  BandLoss band = response_.band_loss(response_.passed());
  for (double* value : {&band.low_hz, &band.high_hz, &band.loudness_lost}) *value = rounded_to(*value, 1e-4);
  indices.band_loss = band;
  std::erase_if(impairments, [](const auto& finding) { return finding.impairment == Impairment::band_loss; });
  if (band.high_hz < model_.band_told_below_hz || band.low_hz > model_.band_told_above_hz) {
    const ImpairmentFinding heard{Impairment::band_loss, rounded_to(band_loss_strength(band.loudness_lost), 1e-2)};
    const bool ends_below = band.high_hz < model_.recognition.rate_hz / 2.0;
    impairments.insert(ends_below ? impairments.begin() : impairments.end(), heard);
  }
}

}  // namespace vqas::scoring
