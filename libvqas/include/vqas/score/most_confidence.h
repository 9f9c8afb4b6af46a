#pragma once

#include "vqas/score/mode.h"

namespace vqas {

/// The highest confidence that scores of this model state: 1 where there is no such limit. Below 1 where no measurement
/// tells apart a part of the scores of which 99 in 100 lie within 0.5 of the label.
double most_confidence(ScoreMode mode);

}  // namespace vqas
