// What a sampler of a direction's mean expects to be needed, and what is certain to be.
#include <algorithm>
#include <cmath>

#include "sampling/mean_rules.h"
#include "vqas/sampling/mean_sampler.h"
#include "vqas/sampling/verdict.h"

namespace vqas {

std::vector<MeanSampler::Part> MeanSampler::parts() const {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < stimuli(); ++i) {
    Part part{.measured = scored(i), .count = scored(i), .asked = asked_[i], .open = !is_abandoned(i)};
    if (part.count >= 2) {
      const double deviation = effective_deviation(t_interval(scores_[i], options_.goal.confidence));
      part.squares = deviation * deviation * static_cast<double>(part.count - 1);
    }
    parts.push_back(part);
  }
  return parts;
}

std::optional<std::size_t> MeanSampler::add_to_fewest(std::span<Part> parts) {
  std::optional<std::size_t> fewest;
  const auto counted = [&](std::size_t i) { return parts[i].count - std::min(parts[i].count, parts[i].asked); };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].open && (!fewest || counted(i) < counted(*fewest))) fewest = i;
  }
  if (fewest) ++parts[*fewest].count;
  return fewest;
}

std::size_t MeanSampler::expected_behind_first() const {
  std::vector<Part> parts = this->parts();
  double squares = 0, degrees = 0, in_mean = 0;
  for (std::size_t i = 0; i < stimuli(); ++i) {
    if (is_left_out(i)) continue;
    ++in_mean;
    if (parts[i].measured < 2) continue;
    squares += parts[i].squares;
    degrees += static_cast<double>(parts[i].measured - 1);
  }
  // A stimulus that was not measured yet is taken to scatter as the others do.
  const double common = squares / degrees;
  const double tails = 1 + excess_kurtosis(scores_) / 2;
  const PrecisionGoal goal{width_for_goal(), options_.goal.confidence};
  const double least_quantile = normal_quantile(goal.confidence);
  const auto is_enough = [&] {
    double variance = 0, of_variance = 0;
    for (std::size_t i = 0; i < stimuli(); ++i) {
      if (is_left_out(i)) continue;
      const Part& part = parts[i];
      const double own = part.measured < 2 ? common : part.squares / static_cast<double>(part.measured - 1);
      const double share = own / static_cast<double>(part.count);
      variance += share;
      of_variance += share * share / static_cast<double>(std::max<std::size_t>(2, part.count) - 1);
    }
    const double error = std::sqrt(variance) / in_mean;
    // The quantile is expensive to compute, and not below that of the normal distribution.
    if (least_quantile * error > goal.half_width) return false;
    const double freedom = variance * variance / of_variance / tails;
    return two_sided_t(goal.confidence, freedom) * error * stopping_margin(freedom) <= goal.half_width;
  };
  const std::size_t missing = missing_first();
  for (std::size_t i = 0; i < missing; ++i) add_to_fewest(parts);
  const std::size_t room_behind = room() - std::min(room(), missing);
  std::size_t more = 0;
  for (; more < room_behind && !is_enough(); ++more) {
    if (!add_to_fewest(parts)) return room_behind;
  }
  return more;
}

std::size_t MeanSampler::expected_more() const {
  if (finished()) return 0;
  const bool known = std::ranges::any_of(scores_, [](const auto& one) { return one.size() >= 2; });
  return std::max(wanted(), std::min(room(), missing_first() + (known ? expected_behind_first() : 0)));
}

std::size_t MeanSampler::certain() const {
  const std::size_t least = wanted();
  if (options_.goal_of == GoalOf::line_time && least > 0) return room();
  // Where the mean is compared with a limit, the missing scores may move it far enough for a decision.
  if (least == 0 || missing_first() > 0 || options_.goal_of == GoalOf::above) return least;
  // Squares of differences never become fewer. The quantile is at least the normal one, a factor at least 1.
  const double quantile = normal_quantile(options_.goal.confidence);
  std::vector<Part> parts = this->parts();
  const auto least_error = [&] {
    double variance = 0, in_mean = 0;
    for (std::size_t i = 0; i < stimuli(); ++i) {
      if (is_left_out(i)) continue;
      const auto n = static_cast<double>(parts[i].count);
      ++in_mean;
      variance += parts[i].squares / (n - 1) / n;
    }
    return std::sqrt(variance) / in_mean;
  };
  std::size_t more = 0;
  while (more < room() && quantile * least_error() > options_.goal.half_width && add_to_fewest(parts)) ++more;
  return std::max(least, more);
}

bool MeanSampler::is_beyond_reach() const {
  double variance = 0, in_mean = 0;
  bool any_open = false;
  const std::vector<Part> parts = this->parts();
  for (std::size_t i = 0; i < stimuli(); ++i) {
    if (is_left_out(i)) continue;
    ++in_mean;
    any_open = any_open || parts[i].open;
    const auto n = static_cast<double>(parts[i].count);
    if (!parts[i].open) variance += parts[i].squares / (n - 1) / n;
  }
  if (!any_open || !is_of_width(options_)) return !any_open;
  return normal_quantile(options_.goal.confidence) * std::sqrt(variance) / in_mean > options_.goal.half_width;
}

double MeanSampler::width_for_goal() const {
  if (options_.goal_of == GoalOf::line_time) return 0;
  if (options_.goal_of != GoalOf::above) return options_.goal.half_width;
  const double distance = std::abs(plain_mean(scores(), options_.goal.confidence).mean - options_.limit.mos);
  const double by_model = with_model_error(0, options_.goal.confidence, options_.limit.model_error);
  const double needed =
      distance > by_model ? std::sqrt(distance * distance - by_model * by_model) : by_model - distance;
  return std::max(needed, options_.goal.half_width);
}

}  // namespace vqas
