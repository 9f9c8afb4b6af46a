#include "model/plot_data.h"

#include <algorithm>
#include <cmath>

#include "model/words.h"
#include "vqas/report/summary.h"

namespace vqas::app {

namespace {

/// Before that an interval is so wide and so uncertain that it says nothing.
bool had_first_look(const StimulusPoint& point, const SamplerOptions& sampling) {
  const std::size_t count = sampling.goal_of == GoalOf::line_time ? 2 : sampling.first_count;
  return point.scores.size() >= count || point.not_scored >= sampling.max_failures;
}

StimulusPoint point_of(const StimulusRun& run, const SamplerOptions& sampling, bool over) {
  StimulusPoint point;
  point.stimulus = QString::fromStdString(run.stimulus);
  for (const Measurement& measurement : run.measurements) {
    if (measurement.outcome == Outcome::scored && measurement.mos_lqo)
      point.scores.push_back(*measurement.mos_lqo);
    else
      ++point.not_scored;
  }
  if (point.scores.empty()) return point;
  // The intervals of a run in progress may be out of date; until then the plain one is used.
  const Interval interval =
      run.interval.n == point.scores.size() ? run.interval : t_interval(point.scores, sampling.goal.confidence);
  point.conditional = summarise(run).conditional;
  point.mean = interval.mean;
  point.confidence = interval.confidence;
  if (std::isfinite(interval.half_width) && (over || had_first_look(point, sampling)))
    point.half_width = interval.half_width;
  point.within_goal = sampling.goal_of == GoalOf::each_stimulus && point.half_width &&
                      *point.half_width <= sampling.goal.half_width && interval.confidence >= sampling.goal.confidence;
  return point;
}

}  // namespace

DirectionPlot plot_of(const DirectionRun& direction, const SamplerOptions& sampling, bool over, ScoreMode mode) {
  DirectionPlot plot;
  plot.mode = mode;
  plot.from = direction.from;
  for (const StimulusRun& run : direction.stimuli) plot.points.push_back(point_of(run, sampling, over));
  DirectionRun told = direction;
  if (!over) std::erase_if(told.stimuli, [](const StimulusRun& run) { return run.measurements.empty(); });
  const DirectionSummary summary = summarise(told, sampling);
  plot.conditional = summary.conditional;
  plot.condition = QString::fromStdString(conditional_in_words(summary));
  plot.included = summary.mean.strata;
  if (plot.included == 0) return plot;
  plot.mean = summary.mean.mean;
  plot.confidence = summary.mean.confidence;
  plot.quality = QString::fromUtf8(quality_word(summary.mean.mean));
  if (over && summary.stopped_because) plot.goal = QString::fromStdString(summary.goal);
  const bool looked = over || std::ranges::all_of(plot.points, [&sampling](const StimulusPoint& point) {
                        return had_first_look(point, sampling);
                      });
  if (looked && std::isfinite(summary.mean.half_width)) plot.half_width = summary.mean.half_width;
  return plot;
}

}  // namespace vqas::app
