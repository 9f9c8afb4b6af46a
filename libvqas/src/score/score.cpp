#include "vqas/score/score.h"

#include <utility>

#include "score/engine.h"
#include "vqas/score/explanation.h"
#include "vqas/score/most_confidence.h"

namespace vqas {

// The public face; the work is done in scoring::Engine.
struct Scorer::Engine : scoring::Engine {
  using scoring::Engine::Engine;
};

const char* const kScoreVersion = "vqas-nb-32";

const char* score_version(ScoreMode mode) {
  return mode == ScoreMode::wideband ? "vqas-wb-24" : kScoreVersion;
}

ModelError model_error(ScoreMode mode) {
  if (mode == ScoreMode::wideband) {
    // As below; libvqas/doc/record/calibration-wideband.md.
    return {0.28, "wideband P.862.2",
            "396 single sentences of 16 talkers in simulated conditions; table in "
            "libvqas/doc/record/calibration-wideband.md"};
  }
  // Root mean square difference over 1,885 single sentences, talkers left out of the fit
  // (libvqas/doc/record/calibration.md). On pairs of sentences it is 0.17; the larger figure is given because single
  // sentences are what a line carries.
  return {
      0.25, "narrowband P.862.1",
      "1885 single sentences of 17 talkers in 290 simulated conditions; table in libvqas/doc/record/calibration.md"};
}

double most_confidence(ScoreMode mode) {
  return scoring::score_model(mode).most_confidence;
}

double mos_from_auditory_distance(double auditory_distance, ScoreMode mode) {
  return scoring::scale_of(mode).mos_of(auditory_distance);
}

Scorer::Scorer() : Scorer(ScoreMode::narrowband) {}
Scorer::Scorer(ScoreMode mode) : engine_(std::make_unique<Engine>(scoring::score_model(mode))) {}
Scorer::~Scorer() = default;
Scorer::Scorer(Scorer&&) noexcept = default;
Scorer& Scorer::operator=(Scorer&&) noexcept = default;

ScoreMode Scorer::mode() const {
  return engine_->model().mode;
}

Score Scorer::score(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement) {
  return engine_->score_whole(reference, degraded, placement, {});
}

Score Scorer::diagnose(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement) {
  return engine_->score_whole(reference, degraded, placement, {.diagnosis = true});
}

Score Scorer::name_impairments(SignalView reference, SignalView degraded,
                               const std::optional<KnownPlacement>& placement) {
  return engine_->score_whole(reference, degraded, placement, {.diagnosis = true, .costs = false});
}

ExplainedScore Scorer::explain(SignalView reference, SignalView degraded,
                               const std::optional<KnownPlacement>& placement) {
  ExplainedScore result;
  result.score =
      engine_->score_whole(reference, degraded, placement, {.diagnosis = true, .explanation = &result.explanation});
  return result;
}

}  // namespace vqas
