#include "vqas/sampling/mean_sampler.h"

#include <algorithm>
#include <cmath>

#include "sampling/mean_rules.h"
#include "vqas/sampling/verdict.h"

namespace vqas {

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

bool MeanSampler::reached(const PrecisionGoal& goal) const {
  const StratifiedMean mean = plain_mean(scores(), goal.confidence);
  if (!std::isfinite(mean.half_width)) return false;
  return mean.half_width * (decided_by_looks(options_) ? stopping_margin(mean.degrees) : 1) <= goal.half_width;
}

std::optional<StopReason> MeanSampler::settled() const {
  if (options_.goal_of == GoalOf::line_time) return std::nullopt;
  if (options_.goal_of != GoalOf::above) return reached(options_.goal) ? std::optional(StopReason::goal) : std::nullopt;
  const auto& [limit, model_error] = options_.limit;
  const double confidence = options_.goal.confidence;
  const StratifiedMean mean = sampled_mean(scores(), options_, options_.goal);
  const Judgement judged = judge({.mean = mean.mean,
                                  .half_width = mean.half_width,
                                  .confidence = confidence,
                                  .model_error = model_error,
                                  .bound = {}},
                                 limit);
  if (judged.verdict != LimitVerdict::undecided) return StopReason::goal;
  // However exactly the mean were known, the model's error alone would leave it undecided.
  const bool by_model = std::abs(mean.mean - limit) + mean.half_width <= with_model_error(0, confidence, model_error);
  return by_model || mean.half_width <= options_.goal.half_width ? std::optional(StopReason::undecidable)
                                                                 : std::nullopt;
}

StratifiedMean MeanSampler::mean() const {
  return sampled_mean(scores(), options_, goal(), reason_ == StopReason::goal);
}

Interval MeanSampler::interval(std::size_t stimulus) const {
  return sampled_intervals(scores_, options_, goal().confidence)[stimulus];
}

bool MeanSampler::autocorrelated() const {
  std::vector<Interval> intervals;
  for (const auto& one : scores_) intervals.push_back(t_interval(one, options_.goal.confidence));
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

void MeanSampler::look_if_due() {
  if (finished() || missing_first() > 0) return;
  const bool any_abandoned = std::ranges::any_of(failures_, [&](std::size_t n) { return n >= options_.max_failures; });
  if (counted() >= target_ || room() == 0 || (any_abandoned && is_beyond_reach())) look();
}

void MeanSampler::look() {
  // A single stimulus has too few scores at its first look to tell unusual ones from normal ones, as in Sampler.
  const bool unusual = std::ranges::any_of(scores_, [](const auto& one) { return recognise(one).any(); });
  if (const std::size_t enough = std::min(kWidenedFirstCount, counted() + room()); counted() < enough && unusual) {
    target_ = enough;
    return;
  }
  if ((reason_ = settled())) return;
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
  if (const auto reason = settled()) {
    reason_ = reason;
  } else if (options_.fallback && is_of_width(options_)) {
    const PrecisionGoal& fallback = *options_.fallback;
    if (sampled_mean(scores(), options_, fallback).half_width <= fallback.half_width) reason_ = StopReason::fallback;
  }
}

}  // namespace vqas
