#pragma once

#include <vector>

#include "vqas/score/segments.h"

namespace vqas {

/// Segments that differ from the others, in order: speech without a score, a score far below the others, or loss or a
/// delay step that most do not have. They point into `score`. Re-entrant, as all of this header.
std::vector<const SegmentScore*> differing_segments(const LongScore& score);

struct DelayStep {
  double at_s = 0, from_ms = 0, to_ms = 0;
};

/// The steps of a delay track that are more than a clock's drift.
std::vector<DelayStep> delay_steps(const Score& score);

}  // namespace vqas
