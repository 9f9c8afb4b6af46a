#pragma once

#include <string_view>

#include "vqas/score/score.h"

namespace vqas::scoring {

/// Says one thing more beside the score.
inline void add_reason(Score& score, std::string_view reason) {
  if (!score.reason.empty()) score.reason += "; ";
  score.reason += reason;
}

}  // namespace vqas::scoring
