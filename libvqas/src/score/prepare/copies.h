#pragma once

#include <functional>

#include "score/model/model.h"
#include "vqas/score/score.h"

namespace vqas::scoring {

/// Looks for the reference in what a score has left unused of the degraded recording, and tells where it is found once
/// more. `again` scores a recording against the same reference.
void find_copies(SignalView degraded, double reference_s, const PerceptualModel& model,
                 const std::function<Score(SignalView)>& again, Score& score);

}  // namespace vqas::scoring
