#include "vqas/sampling/sampler.h"

#include <algorithm>
#include <cmath>

namespace vqas {

double stopping_factor(std::size_t count) {
  if (count < 2) return 1;
  return 1 + 0.32 * std::pow(4.0 / static_cast<double>(count - 1), 0.75);
}

Interval sampled_interval(std::span<const double> scores, const SamplerOptions& options, const PrecisionGoal& goal) {
  Interval interval = t_interval(scores, goal.confidence);
  if (options.first_count < options.cap_count) {
    interval.stopping_factor = stopping_factor(interval.n);
    interval.half_width *= interval.stopping_factor;
  }
  return interval;
}

Sampler::Sampler(const SamplerOptions& options) : options_(options), target_(options.first_count) {}

void Sampler::add_score(double mos) {
  if (!std::isfinite(mos)) return add_failure();
  scores_.push_back(mos);
  if (!finished() && scores_.size() >= target_) look();
}

void Sampler::add_failure() {
  ++failures_;
  if (!finished() && failures_ >= options_.max_failures) reason_ = StopReason::failures;
}

void Sampler::stop(StopReason reason) {
  if (finished()) return;
  if (reason == StopReason::cap_line_time) {
    meet_cap(reason);
  } else {
    reason_ = reason;
  }
}

std::size_t Sampler::wanted() const {
  return finished() ? 0 : target_ - scores_.size();
}

Interval Sampler::interval() const {
  return sampled_interval(scores_, options_, reason_ == StopReason::fallback ? *options_.fallback : options_.goal);
}

std::size_t Sampler::expected_more() const {
  if (finished()) return 0;
  const std::size_t count = scores_.size() < 2 ? target_ : std::max(target_, count_for_goal());
  return count - scores_.size();
}

bool Sampler::reached(const PrecisionGoal& goal) const {
  return sampled_interval(scores_, options_, goal).half_width <= goal.half_width;
}

/// Smallest count on the grid, behind what is there, whose interval would be narrow enough if the deviation stayed as
/// it is now; the cap when there is none below it.
std::size_t Sampler::count_for_goal() const {
  const std::size_t now = std::max(scores_.size(), options_.first_count);
  if (now >= options_.cap_count) return options_.cap_count;
  const double confidence = options_.goal.confidence;
  const double ratio = effective_deviation(t_interval(scores_, confidence)) / options_.goal.half_width;
  /// What the formula asks for with the quantile and the factor of `count` measurements; falls with `count`.
  const auto needed = [&](std::size_t count) {
    const double root = two_sided_t(confidence, static_cast<double>(count) - 1) * ratio * stopping_factor(count);
    return root * root;
  };
  const std::size_t steps_to_cap = (options_.cap_count - now + options_.step - 1) / options_.step;
  const auto steps_to = [&](double count) {
    const double steps = std::ceil((count - static_cast<double>(now)) / static_cast<double>(options_.step));
    return static_cast<std::size_t>(std::clamp(steps, 1.0, static_cast<double>(steps_to_cap)));
  };
  const auto count_at = [&](std::size_t steps) { return now + steps * options_.step; };
  // More than enough by the quantile of what is there, at least enough by the quantile of that many; then by halving.
  std::size_t high = steps_to(needed(now));
  std::size_t low = steps_to(needed(count_at(high)));
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (needed(count_at(middle)) <= static_cast<double>(count_at(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return std::min(count_at(low), options_.cap_count);
}

void Sampler::look() {
  if (reached(options_.goal)) {
    reason_ = StopReason::goal;
    return;
  }
  if (scores_.size() >= options_.cap_count) return meet_cap(StopReason::cap_count);
  // Half of what the t-formula asks for, before the next look: a deviation that came out large by chance would else
  // be paid for in full (cost: libvqas/doc/sampling.md).
  const std::size_t steps = (count_for_goal() - scores_.size() + options_.step - 1) / options_.step;
  const std::size_t next = scores_.size() + std::max<std::size_t>(1, steps / 2) * options_.step;
  target_ = std::min(next, options_.cap_count);
}

void Sampler::meet_cap(StopReason cap) {
  reason_ = cap;
  if (reached(options_.goal)) {
    reason_ = StopReason::goal;
  } else if (options_.fallback && reached(*options_.fallback)) {
    reason_ = StopReason::fallback;
  }
}

}  // namespace vqas
