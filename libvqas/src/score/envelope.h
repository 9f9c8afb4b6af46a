#pragma once

#include <span>
#include <vector>

#include "score/model.h"

namespace vqas::scoring {

/// The delays, in samples, that an alignment may use.
struct DelayRange {
  int lowest = 0;
  int highest = 0;
  bool holds(int delay) const { return delay >= lowest && delay <= highest; }
};

/// Loudness-like envelope of a recording: pre-emphasis, mean square over a hop, relative to the mean, compressed.
void compute_envelope(std::span<const float> samples, const AlignmentModel& model, std::vector<float>& envelope);

}  // namespace vqas::scoring
