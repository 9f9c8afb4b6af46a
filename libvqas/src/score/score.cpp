#include "vqas/score/score.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "score/engine.h"
#include "vqas/score/explanation.h"

namespace vqas {

// The public face; the work is done in scoring::Engine.
struct Scorer::Engine : scoring::Engine {
  using scoring::Engine::Engine;
};

const char* const kScoreVersion = "vqas-nb-9";

ModelError model_error() {
  // Root mean square difference over 1,885 single sentences, talkers left out of the fit
  // (libvqas/doc/record/calibration.md). On pairs of sentences it is 0.18; the larger figure is given because single
  // sentences are what a line carries.
  return {
      0.24, "narrowband P.862.1",
      "1885 single sentences of 17 talkers in 290 simulated conditions; table in libvqas/doc/record/calibration.md"};
}

double mos_from_auditory_distance(double auditory_distance) {
  // 1 + 4/(1 + exp(AD - K)), K such that AD = 0 gives the 4.55 that P.862.1 gives to the best it can express.
  if (std::isnan(auditory_distance)) return auditory_distance;
  constexpr double kTop = 4.55;
  constexpr double kAtZero = (5 - kTop) / (kTop - 1);
  return std::min(kTop, 1 + 4 / (1 + kAtZero * std::exp(std::max(0.0, auditory_distance))));
}

Scorer::Scorer() : engine_(std::make_unique<Engine>(scoring::PerceptualModel{}, scoring::AlignmentModel{})) {}
Scorer::~Scorer() = default;
Scorer::Scorer(Scorer&&) noexcept = default;
Scorer& Scorer::operator=(Scorer&&) noexcept = default;

Score Scorer::score(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement) {
  return engine_->score_whole(reference, degraded, placement, {});
}

Score Scorer::diagnose(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement) {
  return engine_->score_whole(reference, degraded, placement, {.diagnosis = true});
}

ExplainedScore Scorer::explain(SignalView reference, SignalView degraded,
                               const std::optional<KnownPlacement>& placement) {
  ExplainedScore result;
  result.score =
      engine_->score_whole(reference, degraded, placement, {.diagnosis = true, .explanation = &result.explanation});
  return result;
}

}  // namespace vqas
