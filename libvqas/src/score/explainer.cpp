#include "score/engine.h"
#include "vqas/score/explanation.h"

namespace vqas {

// The public face, as Scorer's.
struct Explainer::Engine : scoring::Engine {
  using scoring::Engine::Engine;
};

Explainer::Explainer() : engine_(std::make_unique<Engine>(scoring::PerceptualModel{}, scoring::AlignmentModel{})) {}
Explainer::~Explainer() = default;
Explainer::Explainer(Explainer&&) noexcept = default;
Explainer& Explainer::operator=(Explainer&&) noexcept = default;

ExplainedScore Explainer::explain(const Signal& reference, const Signal& degraded,
                                  const std::optional<KnownPlacement>& placement) {
  ExplainedScore result;
  result.score = engine_->score(reference, degraded, placement, &result.explanation);
  return result;
}

}  // namespace vqas
