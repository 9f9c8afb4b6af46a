#include "vqas/score/impairment.h"

#include "vqas/score/unrecognised.h"

namespace vqas {
namespace {

constexpr double kWorthASentence = 0.5;

}  // namespace

std::optional<double> unrecognised_cost(const Score& score) {
  if (!score.mos_lqo || !score.indices || !score.impairments.empty()) return std::nullopt;
  const double noise = score.indices->noise ? score.indices->noise->cost_mos : 0;
  const double cost = mos_from_auditory_distance(0) - *score.mos_lqo - noise;
  return cost < kWorthASentence ? std::nullopt : std::optional(cost);
}

std::string_view to_string(Impairment impairment) {
  switch (impairment) {
    case Impairment::loss:
      return "loss";
    case Impairment::noise:
      return "noise";
    case Impairment::band_loss:
      return "band_loss";
    case Impairment::clipping:
      return "clipping";
    case Impairment::coding:
      return "coding";
    case Impairment::level:
      return "level";
    case Impairment::delay_variation:
      return "delay_variation";
    case Impairment::cut:
      return "cut";
  }
  return "";
}

std::optional<Impairment> impairment_from_string(std::string_view name) {
  for (const Impairment impairment : kAllImpairments) {
    if (to_string(impairment) == name) return impairment;
  }
  return std::nullopt;
}

std::string_view advice(Impairment impairment) {
  switch (impairment) {
    case Impairment::loss:
      return "speech is lost or muted; look for packet loss, handovers and gates";
    case Impairment::noise:
      return "noise is added; look for induction, a bad contact or a loud room";
    case Impairment::band_loss:
      return "the band is cut; look for filters, loading coils and a narrow codec";
    case Impairment::clipping:
      return "peaks are clipped; look for a gain that is too high";
    case Impairment::coding:
      return "the speech is coded badly or bits are in error; look at the codec and the bit error ratio";
    case Impairment::level:
      return "the level moves; look for automatic gain control and switched gains";
    case Impairment::delay_variation:
      return "the delay changes during speech; look for jitter and the play-out buffer";
    case Impairment::cut:
      return "the beginning or the end is cut off; look for voice switching and call set-up";
  }
  return "";
}

}  // namespace vqas
