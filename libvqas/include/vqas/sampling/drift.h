#pragma once

#include <cstddef>
#include <span>

#include "vqas/sampling/interval.h"

namespace vqas {

/// A score with its place in time: the order of its transmission, or any clock that only grows.
struct TimedScore {
  double place = 0;
  double score = 0;
  std::size_t stratum = 0;  ///< which stimulus
};

/// How a line changed while it was measured.
struct LineDrift {
  std::size_t n = 0;       ///< scores that were used
  double change = 0;       ///< MOS, from the first place to the last, by a straight line; 0 when it cannot be told
  double half_width = 0;   ///< of the change, at `confidence`; infinite when it cannot be told
  double confidence = 0;   ///< 0..1
  double probability = 1;  ///< of a change as large as this on a line that does not change (two-sided t test)

  /// The interval of the change leaves 0 out.
  bool found() const { return change > half_width || change < -half_width; }
};

/// Least squares of the scores on one common slope in time with a mean of its own for each stratum (analysis of
/// covariance), so that the levels of the stimuli do not matter; strata of one score add nothing. `confidence` lies
/// above 0 and below 1; `resolution` as in t_interval(). Needs three scores at two places in one stratum. Re-entrant.
LineDrift line_drift(std::span<const TimedScore> scores, double confidence = 0.99,
                     double resolution = kScoreResolution);

}  // namespace vqas
