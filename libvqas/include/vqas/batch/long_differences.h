#pragma once

#include <vector>

#include "vqas/score/segments.h"

namespace vqas {

/// Segments to be looked at, in order: without a score where somebody talks, far below the others, or with loss or a
/// step of the delay that most of them do not have. They point into `score`. Re-entrant, as all of this header.
std::vector<const SegmentScore*> differing_segments(const LongScore& score);

struct DelayStep {
  double at_s = 0, from_ms = 0, to_ms = 0;
};

/// The steps of a delay track that are more than a clock's drift.
std::vector<DelayStep> delay_steps(const Score& score);

}  // namespace vqas
