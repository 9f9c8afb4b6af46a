#pragma once

#include <optional>
#include <vector>

#include "vqas/score/score.h"

namespace vqas {

/// A segment of the reference.
struct Segment {
  double start_s = 0;
  double length_s = 0;
};

/// Values over time and frequency, row by row: `values[frame * columns() + column]`.
struct TimeFrequency {
  double frame_s = 0;                                ///< from one row to the next; the first row is at 0
  std::vector<double> hz;                            ///< of each column, its middle
  std::vector<float> values;                         ///<
  std::size_t columns() const { return hz.size(); }  ///< frequencies
  std::size_t frames() const { return hz.empty() ? 0 : values.size() / hz.size(); }  ///< rows
};

/// Share of each measurement in the auditory distance; together 1 (0 for identity).
struct DistanceShares {
  double changed = 0;   ///< D1: loudness that differs
  double raised = 0;    ///< D2: added sound
  double inserted = 0;  ///< inserted delay: delay that grew during speech
};

/// The reasons for a score. Times are those of the reference at the model's 8 kHz.
struct Explanation {
  DistanceShares shares;
  std::vector<Segment> matched;  ///< speech that arrived
  std::vector<Segment> missing;  ///< speech that did not
  /// Loudness of the degraded recording minus that of the reference, after all differences that listeners ignore, in
  /// the model's bands; positive: added, negative: lost. Empty without a match.
  TimeFrequency distance;
  /// Power in dB, 0 at the strongest cell, at least -90; the degraded recording is aligned with the reference by the
  /// delay track (without a match: both from their start).
  TimeFrequency reference, degraded;
};

/// Result of Scorer::explain().
struct ExplainedScore {
  Score score;
  /// Nothing when the recordings could not be used at all (`bad_input`, `too_short`).
  std::optional<Explanation> explanation;
};

}  // namespace vqas
