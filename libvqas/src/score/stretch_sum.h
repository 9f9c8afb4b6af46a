#pragma once

#include "vqas/score/stretches.h"

namespace vqas::scoring {

/// Speech that was looked for everywhere and sound between what was found, seconds: where both are long, nobody knows
/// whether that sound is that speech.
struct LongDoubt {
  double lost_s = 0;
  double sound_s = 0;
  bool is_told() const;
};

/// Fills `overall` and `scored` of what the stretches say.
void sum_up(LongScore& score, const LongDoubt& doubt);

/// Milliseconds of speech that a stretch lacks.
double missing_ms(const MissingSpeech& missing);

}  // namespace vqas::scoring
