#pragma once

#include <span>
#include <vector>

#include "score/model/model.h"
#include "vqas/score/impairment.h"

namespace vqas::scoring {

/// What taking one impairment out of a pair changes. Auditory distances.
struct TakenOut {
  Impairment impairment = Impairment::loss;
  double without_it = 0;  ///< of the pair that is laid out, without this impairment
  double only_it = 0;     ///< of the pair that is laid out, without all others that were named
  double own = 1;         ///< share of the difference that is its own and not that of clipping, 0..1
};

/// Auditory distances of one pair.
struct PairDistances {
  double scored = 0;    ///< of the score
  double laid_out = 0;  ///< where all changes of the delay were taken out
  double mended = 0;    ///< where the named impairments were taken out, too
};

/// The parts of the loss in MOS. Changes of the delay are taken out first: what that gains is their part. What the
/// others gain together is divided between them by the mean of what each gains as the first and as the last to be taken
/// out, which is Shapley's value for two (Contributions to the Theory of Games II, 1953). The largest comes first, and
/// what is left over last.
std::vector<LossPart> loss_parts(const PairDistances& pair, std::span<const TakenOut> taken_out, const MosScale& scale);

}  // namespace vqas::scoring
