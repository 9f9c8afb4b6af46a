#pragma once

#include <vector>

#include "score/cause_features.h"
#include "vqas/score/cause.h"

namespace vqas::scoring {

/// Names what is wrong, strongest first; nothing where no feature is out of what a clean telephone line shows.
std::vector<CauseFinding> name_causes(const CauseFeatures& features);

}  // namespace vqas::scoring
