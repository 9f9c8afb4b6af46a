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
  double most_confidence = 1;  ///< what an ambiguity within it leaves
};

/// Seconds of speech that were not found, and seconds of received sound between the parts that were. Where both are
/// long, the sound may or may not be that speech.
struct LongAmbiguity {
  double lost_s = 0;
  double sound_s = 0;
  bool is_told() const;
};

/// What is known of a long recording beside what its segments say.
struct BesideSegments {
  LongAmbiguity ambiguity;
  double between_s = 0;  ///< loud sound where two segments meet, seconds
};

/// Fills `overall` and `scored` of what the segments say; `parts` has one for each of them.
void sum_up(LongScore& score, std::span<const SegmentPart> parts, const BesideSegments& beside,
            const ScoreModel& model);

}  // namespace vqas::scoring
