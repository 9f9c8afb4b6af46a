#include "vqas/sampling/mean_sampler.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace vqas {
namespace {

/// How a correction falls with the degrees of freedom of the mean: 1 at 4, as for five scores of one stimulus, 0.16 at
/// 48, twelve stimuli with five each.
double fall(double degrees) {
  return std::pow(4 / degrees, 0.75);
}

/// What the t interval is multiplied by before it is compared with the goal: a look stops where the deviations happen
/// to look small.
double margin(double degrees) {
  return 1 + 0.15 * fall(degrees);
}

bool decided_by_looks(const SamplerOptions& options) {
  return options.first_count < options.cap_count;
}

double normal_quantile(double confidence) {
  return two_sided_t(confidence, std::numeric_limits<double>::infinity());
}

std::vector<Interval> plain_intervals(std::span<const std::vector<double>> scores, double confidence) {
  std::vector<Interval> intervals;
  for (const std::vector<double>& one : scores) intervals.push_back(t_interval(one, confidence));
  return intervals;
}

StratifiedMean plain_mean(std::span<const std::vector<double>> scores, double confidence) {
  return stratified_mean(plain_intervals(scores, confidence), confidence, kScoreResolution, excess_kurtosis(scores));
}

/// Factor on the t interval for stopping by looks, when no goal was reached.
double widening(const StratifiedMean& mean, const SamplerOptions& options) {
  return decided_by_looks(options) && mean.degrees > 0 ? 1 + 0.32 * fall(mean.degrees) : 1;
}

}  // namespace

PrecisionGoal simultaneous_goal(const PrecisionGoal& goal, std::size_t statements) {
  return {goal.half_width, std::pow(goal.confidence, 1 / static_cast<double>(statements))};
}

StratifiedMean sampled_mean(std::span<const std::vector<double>> scores, const SamplerOptions& options,
                            const PrecisionGoal& goal, bool reached) {
  StratifiedMean mean = plain_mean(scores, goal.confidence);
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

MeanSampler::MeanSampler(const SamplerOptions& options, std::size_t stimuli)
    : options_(options), scores_(stimuli), failures_(stimuli, 0), asked_(stimuli, 0) {}

void MeanSampler::add_score(std::size_t stimulus, double mos) {
  if (!std::isfinite(mos)) return add_failure(stimulus);
  scores_[stimulus].push_back(mos);
  order_.push_back({stimulus, mos});
  look_if_due();
}

void MeanSampler::add_failure(std::size_t stimulus) {
  if (++failures_[stimulus] == options_.max_failures) look_if_due();
}

void MeanSampler::stop(StopReason reason) {
  if (finished()) return;
  if (reason == StopReason::cap_line_time) {
    meet_cap(reason);
  } else {
    reason_ = reason;
  }
}

void MeanSampler::ask_for_more(std::size_t stimulus, std::size_t count) {
  if (reason_ && reason_ != StopReason::goal && reason_ != StopReason::fallback) return;
  if (is_abandoned(stimulus) || room() == 0) return;
  MeanSampler again(options_, stimuli());
  again.asked_ = asked_;
  again.asked_[stimulus] += std::min(count, room());
  for (std::size_t i = 0; i < stimuli(); ++i) {
    for (std::size_t k = 0; k < failures_[i]; ++k) again.add_failure(i);
  }
  for (const auto& [i, mos] : order_) again.add_score(i, mos);
  *this = std::move(again);
}

std::size_t MeanSampler::counted() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < stimuli(); ++i) count += counted(i);
  return count;
}

std::size_t MeanSampler::missing_first() const {
  std::size_t missing = 0;
  for (std::size_t i = 0; i < stimuli(); ++i)
    missing += is_abandoned(i) ? 0 : options_.first_count - std::min(options_.first_count, counted(i));
  return missing;
}

std::size_t MeanSampler::room() const {
  const std::size_t cap = options_.cap_count * stimuli();
  return cap - std::min(cap, scored());
}

std::vector<std::vector<double>> MeanSampler::scores() const {
  std::vector<std::vector<double>> scores = scores_;
  for (std::size_t i = 0; i < stimuli(); ++i) {
    if (is_left_out(i)) scores[i].clear();
  }
  return scores;
}

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

bool MeanSampler::reached(const PrecisionGoal& goal) const {
  const StratifiedMean mean = plain_mean(scores(), goal.confidence);
  if (!std::isfinite(mean.half_width)) return false;
  return mean.half_width * (decided_by_looks(options_) ? margin(mean.degrees) : 1) <= goal.half_width;
}

StratifiedMean MeanSampler::mean() const {
  return sampled_mean(scores(), options_, goal(), reason_ == StopReason::goal);
}

Interval MeanSampler::interval(std::size_t stimulus) const {
  return sampled_intervals(scores_, options_, goal().confidence)[stimulus];
}

bool MeanSampler::autocorrelated() const {
  const std::vector<Interval> intervals = plain_intervals(scores_, options_.goal.confidence);
  std::vector<double> residuals;
  for (const auto& [stimulus, mos] : order_) {
    const Interval& own = intervals[stimulus];
    if (own.n >= 2) residuals.push_back((mos - own.mean) / effective_deviation(own));
  }
  return recognise(residuals).autocorrelated;
}

std::size_t MeanSampler::wanted() const {
  if (finished()) return 0;
  const std::size_t missing = missing_first();
  return std::min(room(), missing > 0 ? missing : target_ - std::min(target_, counted()));
}

std::vector<std::size_t> MeanSampler::next(std::size_t count, std::span<const std::size_t> under_way) const {
  std::vector<std::size_t> chosen;
  if (finished()) return chosen;
  std::vector<Part> parts(stimuli());
  for (std::size_t i = 0; i < stimuli(); ++i)
    parts[i] = {
        .count = scored(i) + (under_way.empty() ? 0 : under_way[i]), .asked = asked_[i], .open = !is_abandoned(i)};
  while (chosen.size() < count) {
    const auto fewest = add_to_fewest(parts);
    if (!fewest) break;
    chosen.push_back(*fewest);
  }
  return chosen;
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
  const PrecisionGoal& goal = options_.goal;
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
    return two_sided_t(goal.confidence, freedom) * error * margin(freedom) <= goal.half_width;
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
  if (least == 0 || missing_first() > 0) return least;
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
  return !any_open ||
         normal_quantile(options_.goal.confidence) * std::sqrt(variance) / in_mean > options_.goal.half_width;
}

void MeanSampler::look_if_due() {
  if (finished() || missing_first() > 0) return;
  const bool any_abandoned = std::ranges::any_of(failures_, [&](std::size_t n) { return n >= options_.max_failures; });
  if (counted() >= target_ || room() == 0 || (any_abandoned && is_beyond_reach())) look();
}

void MeanSampler::look() {
  if (reached(options_.goal)) {
    reason_ = StopReason::goal;
    return;
  }
  if (room() == 0) return meet_cap(StopReason::cap_count);
  if (is_beyond_reach()) return meet_cap(StopReason::failures);
  // Half of what is expected, as for one stimulus: deviations that came out large by chance would else be paid in full.
  const std::size_t steps = std::max<std::size_t>(1, (expected_behind_first() + options_.step - 1) / options_.step / 2);
  target_ = counted() + std::min(steps * options_.step, room());
}

void MeanSampler::meet_cap(StopReason cap) {
  reason_ = cap;
  // Fewer than the first count were never looked at: that they lie close together is chance.
  if (missing_first() > 0) return;
  if (reached(options_.goal)) {
    reason_ = StopReason::goal;
  } else if (options_.fallback) {
    const PrecisionGoal& fallback = *options_.fallback;
    if (sampled_mean(scores(), options_, fallback).half_width <= fallback.half_width) reason_ = StopReason::fallback;
  }
}

}  // namespace vqas
