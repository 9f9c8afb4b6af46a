#pragma once

#include <cstddef>
#include <span>

#include "vqas/sampling/interval.h"

namespace vqas {

/// A score with its time: the order of its transmission, or any clock that only increases.
struct TimedScore {
  double place = 0;
  double score = 0;
  std::size_t stratum = 0;  ///< which stimulus
};

/// The change of a line during the measurement.
struct LineDrift {
  std::size_t n = 0;       ///< scores that were used
  double change = 0;       ///< MOS, from the first time to the last, by a straight line; 0 when unknown
  double half_width = 0;   ///< of the change, at `confidence`; infinite when unknown
  double confidence = 0;   ///< 0..1
  double probability = 1;  ///< of a change this large on a line that does not change (two-sided t test)

  /// The interval of the change excludes 0.
  bool found() const { return change > half_width || change < -half_width; }
};

/// Least-squares fit of one common slope in time, with a separate mean for each stratum (analysis of covariance), so
/// that the levels of the stimuli do not matter; strata of one score contribute nothing. `confidence` lies above 0 and
/// below 1; `resolution` as in t_interval(). Needs three scores, at two times in one stratum. Re-entrant.
LineDrift line_drift(std::span<const TimedScore> scores, double confidence = 0.99,
                     double resolution = kScoreResolution);

}  // namespace vqas
