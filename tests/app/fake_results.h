#pragma once

#include <string>
#include <vector>

#include "vqas/run/run.h"

namespace vqas::test {

/// The results of a run before its first measurement: both directions, nothing measured.
inline RunResults empty_results(const std::vector<std::string>& stimuli) {
  RunResults results;
  for (const End from : {End::a, End::b}) {
    DirectionRun direction;
    direction.from = from;
    for (const std::string& id : stimuli) {
      StimulusRun run;
      run.stimulus = id;
      direction.stimuli.push_back(run);
    }
    results.directions.push_back(direction);
  }
  return results;
}

inline std::uint32_t next_sequence(const DirectionRun& direction) {
  std::uint32_t sequence = 1;
  for (const StimulusRun& run : direction.stimuli) sequence += static_cast<std::uint32_t>(run.measurements.size());
  return sequence;
}

/// Adds a scored measurement, and brings the interval up to date as a controller does.
inline void add_score(RunResults& results, std::size_t direction, std::size_t stimulus, double mos) {
  Measurement measurement;
  measurement.sequence = next_sequence(results.directions[direction]);
  measurement.outcome = Outcome::scored;
  measurement.mos_lqo = mos;
  StimulusRun& run = results.directions[direction].stimuli[stimulus];
  run.measurements.push_back(measurement);
  std::vector<double> scores;
  for (const Measurement& one : run.measurements)
    if (one.mos_lqo) scores.push_back(*one.mos_lqo);
  run.interval = t_interval(scores, results.sampling.goal.confidence);
}

/// Adds a measurement without a score.
inline void add_unscored(RunResults& results, std::size_t direction, std::size_t stimulus, Outcome outcome,
                         const std::string& reason) {
  Measurement measurement;
  measurement.sequence = next_sequence(results.directions[direction]);
  measurement.outcome = outcome;
  measurement.reason = reason;
  results.directions[direction].stimuli[stimulus].measurements.push_back(measurement);
}

}  // namespace vqas::test
