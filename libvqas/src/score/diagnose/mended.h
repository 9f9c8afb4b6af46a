#pragma once

#include <span>
#include <vector>

#include "score/diagnose/impairment_features.h"
#include "score/diagnose/step_powers.h"
#include "vqas/score/impairment.h"

namespace vqas::scoring {

/// A pair as it was laid sample by sample, with what is known of its line.
struct LaidOut {
  std::span<const float> reference, received, predicted;
  const StepPowers& steps;
  const ImpairmentFeatures& features;
};

/// What would have been received without these impairments: the speech as the line passes it on, plus all of what else
/// was received that they do not explain. What is left in a step beside the speech belongs to one impairment alone: to
/// clipping at the highest samples, to a loss where nothing or something else arrived, to noise in pauses and as much
/// of it in speech, to coding the rest. A delay that changes is not in it: a pair that is laid out has none. `to` is as
/// long as the pair afterwards.
void mend(std::span<const Impairment> impairments, const LaidOut& pair, std::vector<float>& to);

}  // namespace vqas::scoring
