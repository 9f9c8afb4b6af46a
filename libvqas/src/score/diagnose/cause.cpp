#include "vqas/score/cause.h"

#include "vqas/score/unrecognised.h"

namespace vqas {
namespace {

constexpr double kWorthASentence = 0.5;

}  // namespace

std::optional<double> unrecognised_cost(const Score& score) {
  if (!score.mos_lqo || !score.indices || !score.causes.empty()) return std::nullopt;
  const double noise = score.indices->noise ? score.indices->noise->cost_mos : 0;
  const double cost = mos_from_auditory_distance(0) - *score.mos_lqo - noise;
  return cost < kWorthASentence ? std::nullopt : std::optional(cost);
}

std::string_view to_string(Cause cause) {
  switch (cause) {
    case Cause::loss:
      return "loss";
    case Cause::noise:
      return "noise";
    case Cause::band_loss:
      return "band_loss";
    case Cause::clipping:
      return "clipping";
    case Cause::coding:
      return "coding";
    case Cause::level:
      return "level";
    case Cause::delay_variation:
      return "delay_variation";
    case Cause::cut:
      return "cut";
  }
  return "";
}

std::optional<Cause> cause_from_string(std::string_view name) {
  for (const Cause cause : kAllCauses) {
    if (to_string(cause) == name) return cause;
  }
  return std::nullopt;
}

std::string_view advice(Cause cause) {
  switch (cause) {
    case Cause::loss:
      return "speech is lost or muted; look for packet loss, handovers and gates";
    case Cause::noise:
      return "noise is added; look for induction, a bad contact or a loud room";
    case Cause::band_loss:
      return "the band is cut; look for filters, loading coils and a narrow codec";
    case Cause::clipping:
      return "peaks are clipped; look for a gain that is too high";
    case Cause::coding:
      return "the speech is coded badly or bits are in error; look at the codec and the bit error ratio";
    case Cause::level:
      return "the level moves; look for automatic gain control and switched gains";
    case Cause::delay_variation:
      return "the delay changes during speech; look for jitter and the play-out buffer";
    case Cause::cut:
      return "the beginning or the end is cut off; look for voice switching and call set-up";
  }
  return "";
}

}  // namespace vqas
