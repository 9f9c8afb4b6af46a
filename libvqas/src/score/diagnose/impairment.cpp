#include "vqas/score/impairment.h"

#include <algorithm>

#include "score/diagnose/impairment_rules.h"
#include "signal/words.h"
#include "vqas/score/unrecognised.h"

namespace vqas {
namespace {

constexpr Words<Impairment, 8> kImpairments{{{"loss", Impairment::loss},
                                             {"noise", Impairment::noise},
                                             {"band_loss", Impairment::band_loss},
                                             {"clipping", Impairment::clipping},
                                             {"coding", Impairment::coding},
                                             {"level", Impairment::level},
                                             {"delay_variation", Impairment::delay_variation},
                                             {"cut", Impairment::cut}}};

}  // namespace

std::optional<double> unrecognised_cost(const Score& score) {
  if (!score.mos_lqo || !score.indices) return std::nullopt;
  // Without parts nothing is known of what the named ones leave over.
  if (score.loss_parts.empty() && !score.impairments.empty()) return std::nullopt;
  const auto is_known = [&](const LossPart& part) {
    return part.impairment == Impairment::noise ||
           std::any_of(score.impairments.begin(), score.impairments.end(),
                       [&](const ImpairmentFinding& finding) { return finding.impairment == part.impairment; });
  };
  double cost = mos_from_auditory_distance(0, score.mode) - *score.mos_lqo;
  for (const LossPart& part : score.loss_parts) cost -= is_known(part) ? part.mos : 0;
  return cost < scoring::kWorthASentence ? std::nullopt : std::optional(cost);
}

std::string_view to_string(Impairment impairment) {
  return word_of(kImpairments, impairment);
}

std::optional<Impairment> impairment_from_string(std::string_view name) {
  return value_of(kImpairments, name);
}

std::string_view advice(Impairment impairment, double missing_ms) {
  switch (impairment) {
    case Impairment::loss:
      return missing_ms >= kLeastMissing_ms
                 ? "speech is lost or muted; look for packet loss, handovers and gates"
                 : "short parts of the speech are replaced by other sound; look for bursts of bit errors and concealed "
                   "packet loss";
    case Impairment::noise:
      return "noise is added; look for induction, a bad contact or a loud room";
    case Impairment::band_loss:
      return "the band is cut; look for filters, loading coils and a narrow codec";
    case Impairment::clipping:
      return "peaks are clipped; look for a gain that is too high";
    case Impairment::coding:
      return "a coder or bit errors; look at the codec and the BER (G.711 alone costs 0 to 0.9 MOS)";
    case Impairment::level:
      return "the level moves; look for automatic gain control and switched gains";
    case Impairment::delay_variation:
      return "the delay changes; look for jitter, clocks that differ and the play-out buffer";
    case Impairment::cut:
      return "the beginning or the end is cut off; look for voice switching and call set-up";
  }
  return "";
}

}  // namespace vqas
