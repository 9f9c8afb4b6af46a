#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vqas/run/run.h"

namespace vqas::app {

/// What a direction's results mean, in the library's English.
struct DirectionFinding {
  std::optional<End> from;  ///< the direction; empty: what is kept of the two ends cabled together
  std::string heard;        ///< "good: clear speech, with occasional noise"
  std::string next;         ///< what to do; empty for a simulated line, and for a good one without an impairment
};

/// Of the directions that were measured; then what the same equipment did with its ends cabled together, if the run
/// knows. Pure, re-entrant.
std::vector<DirectionFinding> findings_of(const RunResults& results);

/// One measurement on a plot in the order of the run.
struct TimePoint {
  std::uint32_t number = 0;   ///< in its direction, from 1
  std::optional<double> mos;  ///< MOS-LQON; empty when it was not scored
  double running_mean = 0;    ///< MOS, of all scores up to here; 0 before the first
  QString stimulus;
};
struct TimeSeries {
  End from = End::a;
  ScoreMode mode = ScoreMode::narrowband;  ///< the scale
  std::vector<TimePoint> points;           ///< by number
};
/// A series for each direction that was measured. Pure, re-entrant.
std::vector<TimeSeries> time_plot(const RunResults& results);

}  // namespace vqas::app
