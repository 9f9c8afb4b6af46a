#pragma once

#include "vqas/score/mode.h"

namespace vqas {

/// Upper end of a model's scale, rounded up to 0.05: 4.55 of MOS-LQON (ITU-T P.862.1), 4.65 of MOS-LQOW (4.644, ITU-T
/// P.862.2). The lower end of both is 1, to 0.05.
constexpr double highest_mos(ScoreMode mode) {
  return mode == ScoreMode::wideband ? 4.65 : 4.55;
}

}  // namespace vqas
