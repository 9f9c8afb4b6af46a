#include "sampling/mean_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vqas/sampling/mean_sampler.h"

namespace vqas {
namespace {

/// How a correction falls with the degrees of freedom of the mean: 1 at 4, as for five scores of one stimulus, 0.16 at
/// 48, twelve stimuli with five each.
double fall(double degrees) {
  return std::pow(4 / degrees, 0.75);
}

std::vector<Interval> plain_intervals(std::span<const std::vector<double>> scores, double confidence) {
  std::vector<Interval> intervals;
  for (const std::vector<double>& one : scores) intervals.push_back(t_interval(one, confidence));
  return intervals;
}

/// Factor on the t interval for stopping by looks, when no goal was reached.
double widening(const StratifiedMean& mean, const SamplerOptions& options) {
  return decided_by_looks(options) && mean.degrees > 0 ? 1 + 0.32 * fall(mean.degrees) : 1;
}

}  // namespace

double stopping_margin(double degrees) {
  return 1 + 0.15 * fall(degrees);
}

bool decided_by_looks(const SamplerOptions& options) {
  return options.first_count < options.cap_count && options.goal_of != GoalOf::line_time;
}

bool is_of_width(const SamplerOptions& options) {
  return options.goal_of != GoalOf::line_time && options.goal_of != GoalOf::above;
}

double normal_quantile(double confidence) {
  return two_sided_t(confidence, std::numeric_limits<double>::infinity());
}

StratifiedMean plain_mean(std::span<const std::vector<double>> scores, double confidence) {
  return stratified_mean(plain_intervals(scores, confidence), confidence, kScoreResolution, excess_kurtosis(scores));
}

PrecisionGoal simultaneous_goal(const PrecisionGoal& goal, std::size_t statements) {
  return {goal.half_width, std::pow(goal.confidence, 1 / static_cast<double>(statements)), statements};
}

StratifiedMean sampled_mean(std::span<const std::vector<double>> scores, const SamplerOptions& options,
                            const PrecisionGoal& goal, bool reached) {
  StratifiedMean mean = plain_mean(scores, goal.confidence);
  reached = reached && is_of_width(options);
  std::size_t count = 0;
  for (const std::vector<double>& one : scores) count += one.size();
  const bool looked_again = count > options.first_count * mean.strata;
  const bool by_goal = reached && looked_again && decided_by_looks(options);
  mean.half_width *= by_goal ? 1 + fall(mean.degrees) : widening(mean, options);
  if (reached) mean.half_width = std::min(mean.half_width, goal.half_width);
  return mean;
}

std::vector<Interval> sampled_intervals(std::span<const std::vector<double>> scores, const SamplerOptions& options,
                                        double confidence) {
  std::vector<Interval> intervals = plain_intervals(scores, confidence);
  const double factor = widening(plain_mean(scores, confidence), options);
  for (Interval& one : intervals) {
    one.stopping_factor = factor;
    one.half_width *= factor;
  }
  return intervals;
}

}  // namespace vqas
