#include "experiment/join.h"

namespace vqas::experiment {

void join(const MeasuredChannel& channel, ExperimentResult& result) {
  result.labels.push_back(channel.name);
  for (const DirectionRun& direction : channel.run.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& measurement : stimulus.measurements) {
        ExperimentPoint point;
        point.series = direction_words(direction.from);
        point.label = channel.name;
        point.x = static_cast<double>(result.labels.size());
        point.stimulus = stimulus.stimulus;
        point.outcome = measurement.outcome;
        point.reason = measurement.reason;
        point.mos_lqo = measurement.mos_lqo;
        result.points.push_back(std::move(point));
      }
    }
  }
}

}  // namespace vqas::experiment
