#pragma once

#include <span>

#include "score/compare/frame_sums.h"
#include "score/compare/perception.h"
#include "score/confidence/confidence.h"
#include "vqas/score/segments.h"

namespace vqas::scoring {

/// What is kept of a segment beside its score, for the score of all.
struct SegmentPart {
  FrameSums line;
  Measurements measurements;
  Circumstances circumstances;
  double corrected_drift_ppm = 0;
};

/// Seconds of speech that were not found, and seconds of received sound between the parts that were. Where both are
/// long, the sound may or may not be that speech.
struct LongAmbiguity {
  double lost_s = 0;
  double sound_s = 0;
  bool is_told() const;
};

/// Fills `overall` and `scored` of what the segments say; `parts` has one for each of them.
void sum_up(LongScore& score, std::span<const SegmentPart> parts, const LongAmbiguity& ambiguity,
            const ScoreModel& model);

}  // namespace vqas::scoring
