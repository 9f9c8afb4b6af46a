#include "score/diagnose/heard_band.h"

#include <algorithm>

#include "score/diagnose/impairment_rules.h"
#include "vqas/signal/rounding.h"

namespace vqas::scoring {

void HeardBand::measure(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
                        std::span<const char> deleted, bool waveform_kept) {
  pair_.assign(reference.samples(), degraded, delay, deleted);
  sent_.assign(pair_.reference(), true);
  arrived_.assign(pair_.degraded(), false);
  response_.measure(sent_, arrived_, pair_.delay(), waveform_kept);
}

void HeardBand::tell(Indices& indices, std::vector<ImpairmentFinding>& impairments) const {
  BandLoss band = response_.band_loss(response_.passed());
  for (double* value : {&band.low_hz, &band.high_hz, &band.loudness_lost}) *value = rounded_to(*value, 1e-4);
  indices.band_loss = band;
  std::erase_if(impairments, [](const auto& finding) { return finding.impairment == Impairment::band_loss; });
  if (band.high_hz < model_.band_told_below_hz || band.low_hz > model_.band_told_above_hz) {
    const ImpairmentFinding heard{Impairment::band_loss, rounded_to(band_loss_strength(band.loudness_lost), 1e-2)};
    // The others are in the order of their costs. What this band costs no recording of the telephone's band tells, so
    // it comes before the first that is weaker.
    const auto weaker = [&](const auto& one) { return one.strength < heard.strength; };
    impairments.insert(std::find_if(impairments.begin(), impairments.end(), weaker), heard);
  }
}

}  // namespace vqas::scoring
