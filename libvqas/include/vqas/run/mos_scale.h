#pragma once

#include "vqas/score/mode.h"

namespace vqas {

/// Upper end of a model's scale, rounded up to 0.05: 4.55 of MOS-LQON (ITU-T P.862.1), 4.65 of MOS-LQOW (4.644, ITU-T
/// P.862.2).
constexpr double highest_mos(ScoreMode mode) {
  return mode == ScoreMode::wideband ? 4.65 : 4.55;
}
/// Where every MOS begins (ITU-T P.800.1); the least of MOS-LQOW is 1.04.
inline constexpr double kLowestMos = 1.0;
/// Distance between the ends, in MOS: a wider interval carries no information.
constexpr double scale_width(ScoreMode mode) {
  return highest_mos(mode) - kLowestMos;
}

}  // namespace vqas
