#pragma once

#include <span>

#include "score/compare/line_sums.h"
#include "score/compare/perception.h"
#include "score/confidence/confidence.h"
#include "vqas/score/stretches.h"

namespace vqas::scoring {

/// What is kept of a stretch beside its score, for the score of all.
struct StretchPart {
  LineSums line;
  Measurements measurements;
  Circumstances circumstances;
  double corrected_drift_ppm = 0;
};

/// Speech that was looked for everywhere and sound between what was found, seconds: where both are long, nobody knows
/// whether that sound is that speech.
struct LongDoubt {
  double lost_s = 0;
  double sound_s = 0;
  bool is_told() const;
};

/// Fills `overall` and `scored` of what the stretches say; `parts` has one for each of them.
void sum_up(LongScore& score, std::span<const StretchPart> parts, const LongDoubt& doubt);

/// Milliseconds of speech that a stretch lacks.
double missing_ms(const MissingSpeech& missing);

}  // namespace vqas::scoring
