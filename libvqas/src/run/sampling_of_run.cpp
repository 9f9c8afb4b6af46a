#include "run/sampling_of_run.h"

#include "run/run_json.h"

namespace vqas::store {

Interval interval_of(const StimulusRun& stimulus, const SamplerOptions& options) {
  const bool fell_back = stimulus.stopped_because == StopReason::fallback && options.fallback;
  return sampled_interval(scores_of(stimulus.measurements), options, fell_back ? *options.fallback : options.goal,
                          stimulus.stopped_because == StopReason::goal);
}

StopReason replayed_stop_reason(const StimulusRun& stimulus, const SamplerOptions& options) {
  Sampler sampler(options);
  for (const Measurement& one : stimulus.measurements) {
    if (one.outcome == Outcome::scored && one.mos_lqo) {
      sampler.add_score(*one.mos_lqo);
    } else if (!was_abandoned(one)) {
      sampler.add_failure();
    }
  }
  if (sampler.stopped_because()) return *sampler.stopped_because();
  const bool lost = !stimulus.measurements.empty() && was_abandoned(stimulus.measurements.back()) &&
                    stimulus.measurements.back().outcome != Outcome::cancelled;
  return lost ? StopReason::line_lost : StopReason::cancelled;
}

}  // namespace vqas::store
