#include "vqas/sampling/mean_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sampling/mean_allocation.h"

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

}  // namespace

PrecisionGoal simultaneous_goal(const PrecisionGoal& goal, std::size_t statements) {
  return {goal.half_width, std::pow(goal.confidence, 1 / static_cast<double>(statements))};
}

MeanSampler::MeanSampler(const SamplerOptions& options, std::size_t stimuli) : options_(options), strata_(stimuli) {}

void MeanSampler::add_score(std::size_t stimulus, double mos) {
  if (!std::isfinite(mos)) return add_failure(stimulus);
  Stratum& stratum = strata_[stimulus];
  ++stratum.n;
  const double before = mos - stratum.mean;
  stratum.mean += before / static_cast<double>(stratum.n);
  stratum.squares += before * (mos - stratum.mean);
  order_.push_back({stimulus, mos});
  look_if_due();
}

void MeanSampler::add_failure(std::size_t stimulus) {
  ++failures_;
  ++strata_[stimulus].failures;
  if (strata_[stimulus].failures == options_.max_failures) look_if_due();
}

void MeanSampler::stop(StopReason reason) {
  if (finished()) return;
  if (reason == StopReason::cap_line_time) {
    meet_cap(reason);
  } else {
    reason_ = reason;
  }
}

std::size_t MeanSampler::missing_first(const Stratum& stratum, std::size_t away) const {
  if (is_abandoned(stratum)) return 0;
  return options_.first_count - std::min(options_.first_count, stratum.n + away);
}

std::size_t MeanSampler::missing_first() const {
  std::size_t missing = 0;
  for (const Stratum& stratum : strata_) missing += missing_first(stratum);
  return missing;
}

std::vector<Interval> MeanSampler::intervals() const {
  std::vector<Interval> intervals;
  for (const Stratum& stratum : strata_) {
    Interval& interval = intervals.emplace_back();
    if (is_left_out(stratum)) continue;
    interval.n = stratum.n;
    interval.mean = stratum.mean;
    if (stratum.n >= 2) interval.standard_deviation = std::sqrt(stratum.squares / static_cast<double>(stratum.n - 1));
  }
  return intervals;
}

std::vector<ShrunkenDeviation> MeanSampler::shrunken() const {
  std::vector<std::vector<double>> scores(strata_.size());
  for (const auto& [stimulus, mos] : order_) scores[stimulus].push_back(mos);
  return shrunken_deviations(intervals(), excess_kurtosis(scores));
}

StratifiedMean MeanSampler::plain_mean(double confidence) const {
  std::vector<Interval> strata = intervals();
  const std::vector<ShrunkenDeviation> deviations = shrunken();
  for (std::size_t i = 0; i < strata.size(); ++i)
    strata[i].stopping_factor = allocation_factor(deviations[i].own_share, strata[i].n, options_.first_count);
  return stratified_mean(strata, confidence);
}

bool MeanSampler::reached(const PrecisionGoal& goal) const {
  const StratifiedMean mean = plain_mean(goal.confidence);
  if (!std::isfinite(mean.half_width)) return false;
  return mean.half_width * (decided_by_looks() ? margin(mean.degrees) : 1) <= goal.half_width;
}

StratifiedMean MeanSampler::mean(double confidence) const {
  StratifiedMean mean = plain_mean(confidence);
  if (decided_by_looks() && mean.degrees > 0) mean.half_width *= 1 + 0.32 * fall(mean.degrees);
  return mean;
}

StratifiedMean MeanSampler::mean() const {
  if (reason_ == StopReason::fallback) return mean(options_.fallback->confidence);
  if (reason_ != StopReason::goal) return mean(options_.goal.confidence);
  StratifiedMean mean = plain_mean(options_.goal.confidence);
  if (decided_by_looks()) mean.half_width *= 1 + (looked_again_ ? 1 : 0.32) * fall(mean.degrees);
  mean.half_width = std::min(mean.half_width, options_.goal.half_width);
  return mean;
}

std::vector<std::size_t> MeanSampler::abandoned() const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    if (is_abandoned(strata_[i])) found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> MeanSampler::left_out() const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    if (is_left_out(strata_[i])) found.push_back(i);
  }
  return found;
}

bool MeanSampler::autocorrelated() const {
  const std::vector<ShrunkenDeviation> deviations = shrunken();
  std::vector<double> residuals;
  for (const auto& [stimulus, mos] : order_) {
    const double deviation = deviations[stimulus].deviation;
    if (deviation > 0) residuals.push_back((mos - strata_[stimulus].mean) / deviation);
  }
  return recognise(residuals).autocorrelated;
}

std::size_t MeanSampler::wanted() const {
  if (finished()) return 0;
  const std::size_t missing = missing_first();
  return std::min(room(), missing > 0 ? missing : target_ - std::min(target_, scored()));
}

std::vector<std::size_t> MeanSampler::next(std::size_t count, std::span<const std::size_t> under_way) const {
  std::vector<std::size_t> chosen, have;
  if (finished()) return chosen;
  for (std::size_t i = 0; i < strata_.size(); ++i)
    have.push_back(strata_[i].n + (under_way.empty() ? 0 : under_way[i]));
  const auto fewest_first = [&] {
    std::size_t best = strata_.size();
    for (std::size_t i = 0; i < strata_.size(); ++i) {
      if (missing_first(strata_[i], have[i] - strata_[i].n) > 0 && (best == strata_.size() || have[i] < have[best]))
        best = i;
    }
    return best;
  };
  for (std::size_t i; chosen.size() < count && (i = fewest_first()) < strata_.size();) {
    chosen.push_back(i);
    ++have[i];
  }
  std::vector<AllocationStratum> strata;
  const std::vector<ShrunkenDeviation> deviations = shrunken();
  for (std::size_t i = 0; i < strata_.size(); ++i)
    strata.push_back({std::pow(deviations[i].deviation, 2), have[i], !is_abandoned(strata_[i])});
  while (chosen.size() < count) {
    const auto best = narrowing_most(strata);
    if (!best) break;
    chosen.push_back(*best);
    ++strata[*best].count;
  }
  return chosen;
}

std::size_t MeanSampler::expected_behind_first() const {
  const std::vector<ShrunkenDeviation> deviations = shrunken();
  std::vector<AllocationStratum> strata;
  std::vector<double> shares;
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    if (is_left_out(strata_[i])) continue;
    const std::size_t count = strata_[i].n + missing_first(strata_[i]);
    strata.push_back({std::pow(deviations[i].deviation, 2), count, !is_abandoned(strata_[i])});
    shares.push_back(deviations[i].own_share);
  }
  const PrecisionGoal& goal = options_.goal;
  const double least_quantile = two_sided_t(goal.confidence, std::numeric_limits<double>::infinity());
  const auto is_enough = [&] {
    const AllocationError error = error_of(strata, shares, options_.first_count);
    // The quantile is dear, and not below that of the normal distribution.
    if (least_quantile * error.deviation > goal.half_width) return false;
    return two_sided_t(goal.confidence, error.degrees) * error.deviation * margin(error.degrees) <= goal.half_width;
  };
  const std::size_t room_behind = room() - std::min(room(), missing_first());
  std::size_t more = 0;
  for (; more < room_behind && !is_enough(); ++more) {
    const auto best = narrowing_most(strata);
    if (!best) return room_behind;
    ++strata[*best].count;
  }
  return more;
}

std::size_t MeanSampler::expected_more() const {
  if (finished()) return 0;
  const bool known = std::ranges::any_of(strata_, [](const Stratum& one) { return one.n >= 2; });
  const std::size_t missing = missing_first();
  return std::max(wanted(), std::min(room(), missing + (known ? expected_behind_first() : 0)));
}

std::size_t MeanSampler::certain() const {
  const std::size_t least = wanted();
  if (least == 0 || missing_first() > 0) return least;
  // Squares of differences never become fewer. The quantile is at least the normal one, a factor at least 1.
  const double quantile = two_sided_t(options_.goal.confidence, std::numeric_limits<double>::infinity());
  std::vector<LeastError> strata;
  for (const Stratum& one : strata_) {
    if (is_left_out(one)) continue;
    strata.push_back({one.squares, one.n, !is_abandoned(one)});
  }
  std::size_t more = 0;
  while (more < room() && quantile * least_deviation(strata) > options_.goal.half_width && add_best(strata)) ++more;
  return std::max(least, more);
}

bool MeanSampler::is_beyond_reach() const {
  double variance = 0, in_mean = 0;
  bool any = false;
  for (const Stratum& one : strata_) {
    if (is_left_out(one)) continue;
    ++in_mean;
    if (!is_abandoned(one)) {
      any = true;
    } else {
      const auto n = static_cast<double>(one.n);
      variance += one.squares / (n - 1) / n;
    }
  }
  const double quantile = two_sided_t(options_.goal.confidence, std::numeric_limits<double>::infinity());
  return !any || quantile * std::sqrt(variance) / in_mean > options_.goal.half_width;
}

void MeanSampler::look_if_due() {
  if (finished() || missing_first() > 0) return;
  if (scored() >= target_ || is_beyond_reach()) look();
}

void MeanSampler::look() {
  if (reached(options_.goal)) {
    reason_ = StopReason::goal;
    return;
  }
  if (room() == 0) return meet_cap(StopReason::cap_count);
  if (is_beyond_reach()) return meet_cap(StopReason::failures);
  looked_again_ = true;
  // Half of what is expected, as for one stimulus: deviations that came out large by chance would else be paid in full.
  const std::size_t steps = std::max<std::size_t>(1, (expected_behind_first() + options_.step - 1) / options_.step / 2);
  target_ = std::min(scored() + steps * options_.step, cap());
}

void MeanSampler::meet_cap(StopReason cap) {
  reason_ = cap;
  // Fewer than the first count were never looked at: that they lie close together is chance.
  if (missing_first() > 0) return;
  if (reached(options_.goal)) {
    reason_ = StopReason::goal;
  } else if (options_.fallback && mean(options_.fallback->confidence).half_width <= options_.fallback->half_width) {
    reason_ = StopReason::fallback;
  }
}

}  // namespace vqas
