#include "run/sampling_of_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "run/counted_as.h"
#include "run/run_json.h"
#include "vqas/sampling/direction_sampler.h"

namespace vqas::store {
namespace {

const PrecisionGoal& goal_of(StopReason reason, const SamplerOptions& options) {
  return reason == StopReason::fallback && options.fallback ? *options.fallback : options.goal;
}

std::vector<std::vector<double>> scores_by_stimulus(const DirectionRun& direction) {
  std::vector<std::vector<double>> scores;
  for (const StimulusRun& stimulus : direction.stimuli) scores.push_back(scores_of(stimulus.measurements));
  return scores;
}

}  // namespace

StopReason stop_of_mean(const DirectionRun& direction) {
  for (const StimulusRun& stimulus : direction.stimuli) {
    if (stimulus.stopped_because != StopReason::failures) return stimulus.stopped_because;
  }
  return StopReason::failures;
}

bool is_left_out(const StimulusRun& stimulus, const SamplerOptions& options) {
  return options.goal_of != GoalOf::each_stimulus && stimulus.stopped_because == StopReason::failures &&
         stimulus.interval.n < 2;
}

StratifiedMean mean_of(const DirectionRun& direction, const SamplerOptions& options) {
  if (options.goal_of == GoalOf::each_stimulus) {
    std::vector<Interval> strata;
    for (const StimulusRun& stimulus : direction.stimuli) strata.push_back(stimulus.interval);
    return stratified_mean(strata, options.goal.confidence);
  }
  std::vector<std::vector<double>> scores = scores_by_stimulus(direction);
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (is_left_out(direction.stimuli[s], options)) scores[s].clear();
  }
  const StopReason reason = stop_of_mean(direction);
  return sampled_mean(scores, options, goal_of(reason, options), reason == StopReason::goal);
}

void set_intervals(DirectionRun& direction, const SamplerOptions& options) {
  const std::vector<std::vector<double>> scores = scores_by_stimulus(direction);
  const bool of_mean = options.goal_of != GoalOf::each_stimulus;
  const auto intervals = of_mean
                             ? sampled_intervals(scores, options, goal_of(stop_of_mean(direction), options).confidence)
                             : std::vector<Interval>();
  for (std::size_t s = 0; s < scores.size(); ++s) {
    StimulusRun& stimulus = direction.stimuli[s];
    const StopReason reason = stimulus.stopped_because;
    stimulus.interval =
        of_mean ? intervals[s]
                : sampled_interval(scores[s], options, goal_of(reason, options), reason == StopReason::goal);
  }
}

void replay_stops(DirectionRun& direction, const SamplerOptions& options) {
  std::vector<std::pair<std::size_t, const Measurement*>> in_order;
  for (std::size_t s = 0; s < direction.stimuli.size(); ++s) {
    for (const Measurement& one : direction.stimuli[s].measurements) in_order.emplace_back(s, &one);
  }
  std::ranges::stable_sort(in_order, {}, [](const auto& one) { return one.second->sequence; });
  DirectionSampler sampler(options, direction.stimuli.size());
  for (const auto& [s, one] : in_order) count_in(sampler, *one, Silent::is_spared, s);
  const auto says_lost = [](const Measurement& one) {
    return one.outcome != Outcome::cancelled && counted_as(one) == CountedAs::nothing;
  };
  const auto lost_last = [&](const std::vector<Measurement>& measurements) {
    return !measurements.empty() && says_lost(measurements.back());
  };
  const bool line_lost = !in_order.empty() && says_lost(*in_order.back().second);
  for (std::size_t s = 0; s < direction.stimuli.size(); ++s) {
    StimulusRun& stimulus = direction.stimuli[s];
    const bool lost = sampler.takes_turns() ? line_lost : lost_last(stimulus.measurements);
    const StopReason open = lost ? StopReason::line_lost : StopReason::cancelled;
    stimulus.stopped_because = sampler.stopped_because(s).value_or(open);
  }
}

}  // namespace vqas::store
