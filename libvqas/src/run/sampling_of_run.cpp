#include "run/sampling_of_run.h"

#include "run/counted_as.h"
#include "run/run_json.h"

namespace vqas::store {

Interval interval_of(const StimulusRun& stimulus, const SamplerOptions& options) {
  const bool fell_back = stimulus.stopped_because == StopReason::fallback && options.fallback;
  return sampled_interval(scores_of(stimulus.measurements), options, fell_back ? *options.fallback : options.goal,
                          stimulus.stopped_because == StopReason::goal);
}

StopReason replayed_stop_reason(const StimulusRun& stimulus, const SamplerOptions& options) {
  Sampler sampler(options);
  for (const Measurement& one : stimulus.measurements) count_in(sampler, one, Silent::is_spared);
  if (sampler.stopped_because()) return *sampler.stopped_because();
  const bool lost = !stimulus.measurements.empty() && stimulus.measurements.back().outcome != Outcome::cancelled &&
                    counted_as(stimulus.measurements.back()) == CountedAs::nothing;
  return lost ? StopReason::line_lost : StopReason::cancelled;
}

}  // namespace vqas::store
