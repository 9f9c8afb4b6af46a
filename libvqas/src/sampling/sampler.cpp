#include "vqas/sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sampling/certain.h"

namespace vqas {
namespace {

/// Decrease of a correction with the count: 1 at 5, 0.54 at 10, 0.23 at 30.
double fall(std::size_t count) {
  return std::pow(4.0 / static_cast<double>(count - 1), 0.75);
}

double plain_half_width(const Interval& interval, std::size_t count, double confidence) {
  const auto size = static_cast<double>(count);
  return two_sided_t(confidence, size - 1) * effective_deviation(interval) / std::sqrt(size);
}

/// 0 at 95 % and above, 1 at 90 % and below.
double looseness(double confidence) {
  return std::clamp(std::log2((1 - confidence) / 0.05), 0.0, 1.0);
}

/// Factor on a t interval before it is compared with the goal, to correct for stopping where the deviation looks small.
/// At a loose confidence the first look may stop a little early. The interval is then given as wide as the goal, which
/// covers the mean more often than required wherever five are enough (libvqas/doc/record/sampling.md).
double margin_of(const SamplerOptions& options, std::size_t count) {
  if (options.first_count >= options.cap_count) return 1;
  const double loose = looseness(options.goal.confidence);
  if (count <= options.first_count) return count < 5 ? stopping_factor(count) : 1 - 0.24 * loose * fall(count);
  // More looks for a smaller step.
  const double looks = static_cast<double>(5 - std::min<std::size_t>(options.step, 5)) / 4;
  return 1 + (0.15 + 0.2 * loose + 0.2 * looks) * fall(count);
}

/// Whether `count` scores can end the sampling by the goal, if all missing scores equal the mean, so that the sum of
/// squares does not grow.
bool could_reach(const Sampler& sampler, std::size_t count) {
  const std::vector<double>& scores = sampler.scores();
  if (scores.size() < 2) return true;
  const PrecisionGoal& goal = sampler.options().goal;
  Interval best = t_interval(scores, goal.confidence);
  best.standard_deviation *= std::sqrt(static_cast<double>(best.n - 1) / static_cast<double>(count - 1));
  return plain_half_width(best, count, goal.confidence) * margin_of(sampler.options(), count) <= goal.half_width;
}

/// Half of what the t formula requires, before the next look: otherwise a deviation that is large by chance would be
/// paid for in full (cost: libvqas/doc/record/sampling.md).
std::size_t next_steps(std::size_t more, std::size_t step) {
  return std::max<std::size_t>(1, (more + step - 1) / step / 2);
}

}  // namespace

double stopping_factor(std::size_t count) {
  return count < 2 ? 1 : 1 + 0.32 * fall(count);
}

std::size_t certain(const Sampler& sampler) {
  if (sampler.finished()) return 0;
  const SamplerOptions& options = sampler.options();
  std::size_t count = sampler.scores().size() + sampler.wanted();
  while (count < options.cap_count && !could_reach(sampler, count)) {
    count = std::min(count + options.step, options.cap_count);
  }
  return count - sampler.scores().size();
}

std::size_t expected_looks(const Sampler& sampler) {
  return expected_looks(sampler.expected_more() - sampler.wanted(), sampler.options().step);
}

std::size_t expected_looks(std::size_t more, std::size_t step) {
  std::size_t looks = 0;
  for (; more > 0; ++looks) more -= std::min(more, next_steps(more, step) * step);
  return looks;
}

Interval sampled_interval(std::span<const double> scores, const SamplerOptions& options, const PrecisionGoal& goal,
                          bool reached) {
  Interval interval = t_interval(scores, goal.confidence);
  if (options.first_count >= options.cap_count) return interval;
  interval.stopping_factor = stopping_factor(interval.n);
  const bool looked_again = interval.n > options.first_count;
  const double factor = reached && looked_again ? 1 + fall(interval.n) : interval.stopping_factor;
  interval.half_width *= factor;
  if (reached) interval.half_width = std::min(interval.half_width, goal.half_width);
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

void Sampler::ask_for_more(std::size_t count) {
  if (reason_ && reason_ != StopReason::goal && reason_ != StopReason::fallback) return;
  if (count == 0 || scores_.size() >= options_.cap_count) return;
  count = std::min(count, options_.cap_count);
  if (!finished()) {
    asked_ += count;
    return;
  }
  target_ = std::min(scores_.size() + count, options_.cap_count);
  reason_.reset();
}

std::size_t Sampler::wanted() const {
  return finished() ? 0 : target_ - scores_.size();
}

Interval Sampler::interval() const {
  const bool fell_back = reason_ == StopReason::fallback;
  return sampled_interval(scores_, options_, fell_back ? *options_.fallback : options_.goal,
                          reason_ == StopReason::goal);
}

std::size_t Sampler::expected_more() const {
  if (finished()) return 0;
  const std::size_t count = scores_.size() < 2 ? target_ : count_for_goal(target_);
  return std::min(count + asked_, std::max(count, options_.cap_count)) - scores_.size();
}

double Sampler::expected_gain(std::size_t count) const {
  if (finished()) return 0;
  if (scores_.size() < 2) return std::numeric_limits<double>::infinity();
  const double confidence = options_.goal.confidence;
  const Interval now = t_interval(scores_, confidence);
  const auto above_goal = [&](std::size_t size) {
    return std::max(plain_half_width(now, size, confidence), options_.goal.half_width);
  };
  return above_goal(now.n) - above_goal(now.n + count);
}

double Sampler::margin(std::size_t count) const {
  return margin_of(options_, count);
}

bool Sampler::reached(const PrecisionGoal& goal) const {
  const Interval interval = t_interval(scores_, goal.confidence);
  return interval.half_width * margin(interval.n) <= goal.half_width;
}

/// Smallest count on the grid, from `least` on, whose interval would be narrow enough at the present deviation; the cap
/// if there is none below it.
std::size_t Sampler::count_for_goal(std::size_t least) const {
  if (least >= options_.cap_count) return options_.cap_count;
  const double confidence = options_.goal.confidence;
  const double ratio = effective_deviation(t_interval(scores_, confidence)) / options_.goal.half_width;
  /// Requirement of the formula with the quantile and the margin of `count` measurements; after the first look it
  /// decreases with `count`.
  const auto needed = [&](std::size_t count) {
    const double root = two_sided_t(confidence, static_cast<double>(count) - 1) * ratio * margin(count);
    return root * root;
  };
  if (needed(least) <= static_cast<double>(least)) return least;
  const std::size_t steps_to_cap = (options_.cap_count - least + options_.step - 1) / options_.step;
  const auto steps_to = [&](double count) {
    const double steps = std::ceil((count - static_cast<double>(least)) / static_cast<double>(options_.step));
    return static_cast<std::size_t>(std::clamp(steps, 1.0, static_cast<double>(steps_to_cap)));
  };
  const auto count_at = [&](std::size_t steps) { return least + steps * options_.step; };
  // The requirement at one more step is sufficient, because it decreases; then the smallest by bisection.
  std::size_t low = 1;
  std::size_t high = steps_to(needed(count_at(1)));
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
  // Five scores are too few to distinguish two levels from one, or a dependence from chance; ten are enough.
  if (scores_.size() < std::min(kWidenedFirstCount, options_.cap_count) && pattern().any()) {
    widened_ = true;
    while (target_ < kWidenedFirstCount) target_ += options_.step;
    target_ = std::min(target_, options_.cap_count);
    return;
  }
  const bool narrow = reached(options_.goal);
  if (narrow && (asked_ == 0 || scores_.size() >= options_.cap_count)) {
    reason_ = StopReason::goal;
    return;
  }
  if (scores_.size() >= options_.cap_count) return meet_cap(StopReason::cap_count);
  if (narrow) {
    // Requested measurements are in addition to those for the goal.
    const std::size_t more = std::min(asked_, options_.step);
    asked_ -= more;
    target_ = std::min(scores_.size() + more, options_.cap_count);
    return;
  }
  const std::size_t more = count_for_goal(scores_.size()) - scores_.size();
  const std::size_t next = scores_.size() + next_steps(more, options_.step) * options_.step;
  target_ = std::min(next, options_.cap_count);
}

void Sampler::meet_cap(StopReason cap) {
  reason_ = cap;
  // Below the first count there was no look: scores may be close together by chance.
  if (scores_.size() < options_.first_count) return;
  if (reached(options_.goal)) {
    reason_ = StopReason::goal;
  } else if (options_.fallback &&
             sampled_interval(scores_, options_, *options_.fallback).half_width <= options_.fallback->half_width) {
    reason_ = StopReason::fallback;
  }
}

}  // namespace vqas
