#include "model/findings.h"

#include <algorithm>
#include <string_view>

#include "vqas/report/heard.h"

namespace vqas::app {

std::vector<DirectionFinding> findings_of(const RunResults& results) {
  std::vector<DirectionFinding> found;
  for (const DirectionRun& direction : results.directions) {
    const auto measurements = measurements_of(direction);
    if (measurements.empty()) continue;
    const DirectionSummary summary = summarise(direction, results.sampling);
    const bool scored = summary.mean.strata > 0;
    // A simulated line does what its settings say: nothing of it can be mended.
    const std::string_view quality = scored ? quality_word(summary.mean.mean) : std::string_view();
    const bool is_well = (quality == "good" || quality == "excellent") && !has_impairments(measurements);
    const bool mendable = scored && results.simulated.empty() && !is_well;
    found.push_back(
        {direction.from, heard_in_words(direction, summary), mendable ? advice_on(measurements) : std::string()});
  }
  if (!results.baseline.empty()) found.push_back({std::nullopt, results.baseline, {}});
  return found;
}

std::vector<TimeSeries> time_plot(const RunResults& results) {
  std::vector<TimeSeries> plot;
  for (const DirectionRun& direction : results.directions) {
    TimeSeries series{direction.from, results.mode, {}};
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements)
        series.points.push_back({one.sequence, one.mos_lqo, 0, QString::fromStdString(stimulus.stimulus)});
    }
    if (series.points.empty()) continue;
    std::ranges::sort(series.points, {}, &TimePoint::number);
    double sum = 0;
    std::size_t scored = 0;
    for (TimePoint& point : series.points) {
      if (point.mos) sum += *point.mos;
      scored += point.mos ? 1 : 0;
      if (scored > 0) point.running_mean = sum / static_cast<double>(scored);
    }
    plot.push_back(std::move(series));
  }
  return plot;
}

}  // namespace vqas::app
