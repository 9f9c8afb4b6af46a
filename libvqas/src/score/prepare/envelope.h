#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"

namespace vqas::scoring {

/// The delays, in samples, that an alignment may use.
struct DelayRange {
  int lowest = 0;
  int highest = 0;
  /// The delays before and after a step that is known to have come.
  std::optional<std::pair<int, int>> step = std::nullopt;
  bool holds(int delay) const { return delay >= lowest && delay <= highest; }
};

/// Loudness-like envelope of a recording: pre-emphasis, mean square over a hop, relative to the mean, compressed.
/// The hop is a multiple of kLanes.
void compute_envelope(const PaddedSignal& recording, const AlignmentModel& model, std::vector<float>& envelope);

/// Keeps the quotient finite where a recording is silent: far below the energy of one step of any speech.
inline constexpr double kSilence = 1e-18;  // not tuned

}  // namespace vqas::scoring
