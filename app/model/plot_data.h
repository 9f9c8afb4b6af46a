#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "vqas/run/run.h"

namespace vqas::app {

/// One stimulus in one direction, as it is drawn. A value that was not measured is empty, never a placeholder number.
struct StimulusPoint {
  QString stimulus;                  ///< "M6"
  std::vector<double> scores;        ///< MOS of each scored measurement, in their order
  std::optional<double> mean;        ///< MOS; empty before the first score
  std::optional<double> half_width;  ///< MOS; empty before the sampler's first look
  double confidence = 0;             ///< of the half-width, 0..1
  std::size_t not_scored = 0;        ///< measurements with any outcome but `scored`
  bool conditional = false;          ///< so many were not scored that the mean holds only for the rest (summary.h)
  bool within_goal = false;          ///< the goal is the mean of each stimulus, and this one reached it
};

/// One direction of a run, as it is drawn.
struct DirectionPlot {
  End from = End::a;
  ScoreMode mode = ScoreMode::narrowband;  ///< the scale
  std::vector<StimulusPoint> points;
  std::optional<double> mean;        ///< MOS; equal weight for each stimulus that has a score
  std::optional<double> half_width;  ///< MOS, of the direction's mean; empty before the first look
  double confidence = 0;             ///< of the half-width, 0..1
  std::size_t included = 0;          ///< stimuli in the mean
  bool conditional = false;          ///< as of a stimulus; also when one is left out
  // In the library's English.
  QString condition;  ///< that in words, with its share and the bound of the mean
  QString quality;    ///< the mean in a word of ITU-T P.800, "good"; empty without a mean
  QString goal;       ///< how measuring for the mean ended; empty while it has not, or for another goal
};

/// What to draw of a direction. Of a run that is not `over`, stimuli that were not measured yet make no mean
/// conditional. Pure, re-entrant.
DirectionPlot plot_of(const DirectionRun& direction, const SamplerOptions& sampling, bool over,
                      ScoreMode mode = ScoreMode::narrowband);

}  // namespace vqas::app
