#include "vqas/score/score.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "score/engine.h"

namespace vqas {

// The public face; the work is done in scoring::Engine.
struct Scorer::Engine : scoring::Engine {
  using scoring::Engine::Engine;
};

const char* const kScoreVersion = "vqas-nb-2";

ModelError model_error() {
  // Root mean square difference over 390 pairs: ten human recordings, 39 conditions (libvqas/doc/score.md). On the
  // synthetic voices of the corpus it is 0.14; the larger figure is given because lines carry people.
  return {0.2, "narrowband P.862.1",
          "10 recordings of human speech in 39 simulated conditions; table in libvqas/doc/score.md"};
}

double mos_from_auditory_distance(double auditory_distance) {
  // 1 + 4/(1 + exp(AD - K)), K such that AD = 0 gives the 4.55 that P.862.1 gives to the best it can express.
  constexpr double kTop = 4.55;
  constexpr double kAtZero = (5 - kTop) / (kTop - 1);
  return std::min(kTop, 1 + 4 / (1 + kAtZero * std::exp(std::max(0.0, auditory_distance))));
}

Scorer::Scorer() : engine_(std::make_unique<Engine>(scoring::PerceptualModel{}, scoring::AlignmentModel{})) {}
Scorer::~Scorer() = default;
Scorer::Scorer(Scorer&&) noexcept = default;
Scorer& Scorer::operator=(Scorer&&) noexcept = default;

Score Scorer::score(const Signal& reference, const Signal& degraded, const std::optional<KnownPlacement>& placement) {
  return engine_->score(reference, degraded, placement);
}

}  // namespace vqas
