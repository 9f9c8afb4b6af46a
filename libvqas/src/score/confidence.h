#pragma once

#include <span>

#include "score/perception.h"

namespace vqas::scoring {

/// What else is known of a pair beside its distance, and says how far the distance can be trusted.
struct Circumstances {
  double mismatch = 0;    ///< 1 - waveform match: how little of the waveform arrived as it was sent
  double noise = 0;       ///< 0 where the degraded recording's pauses lie 30 dB below its speech, 1 where they are as loud
  double shortness = 0;   ///< 0 from 8 s of reference on, up to 1
  double sparseness = 0;  ///< share of the reference's frames without speech
  double jumps = 0;       ///< changes of delay by more than model.jump_from, one a second
  double steps = 0;       ///< log10 of 1 + the number of frames where the delay changes by more than a drift would
};

/// `mismatch` and what the track and the recordings show; after Perception::transform() with the same delays.
Circumstances circumstances_of(const Perception& perception, std::span<const int> delay, double waveform_match,
                               const PerceptualModel& model);

}  // namespace vqas::scoring
