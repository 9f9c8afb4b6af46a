#include "vqas/sampling/direction_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sampling/certain.h"

namespace vqas {
namespace {

std::size_t sum(std::span<const std::size_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// How often each stimulus comes in `chosen`.
std::vector<std::size_t> counts_of(std::span<const std::size_t> chosen, std::size_t stimuli) {
  std::vector<std::size_t> counts(stimuli, 0);
  for (const std::size_t i : chosen) ++counts[i];
  return counts;
}

}  // namespace

DirectionSampler::DirectionSampler(const SamplerOptions& options, std::size_t stimuli)
    : first_count_(options.first_count) {
  if (options.goal_of == GoalOf::each_stimulus) {
    each_.assign(stimuli, Sampler(options));
    asked_.assign(stimuli, 0);
  } else {
    mean_.emplace(options, stimuli);
  }
}

DirectionSampler::DirectionSampler(std::vector<Sampler> each) : each_(std::move(each)), asked_(each_.size(), 0) {
  if (!each_.empty()) first_count_ = each_.front().options().first_count;
}

void DirectionSampler::add_score(std::size_t stimulus, double mos) {
  if (mean_) return mean_->add_score(stimulus, mos);
  each_[stimulus].add_score(mos);
}

void DirectionSampler::add_failure(std::size_t stimulus) {
  if (mean_) return mean_->add_failure(stimulus);
  each_[stimulus].add_failure();
}

void DirectionSampler::stop(StopReason reason) {
  if (mean_) return mean_->stop(reason);
  for (Sampler& one : each_) one.stop(reason);
}

void DirectionSampler::ask_for_more(std::size_t stimulus, std::size_t count) {
  if (mean_) return mean_->ask_for_more(stimulus, count);
  Sampler& sampler = each_[stimulus];
  const auto reason = sampler.stopped_because();
  if (reason && reason != StopReason::goal && reason != StopReason::fallback) return;
  asked_[stimulus] += count;
  if (!reason) return sampler.ask_for_more(count);
  // As if asked at the beginning: measurements made since the end are not requested again.
  Sampler again(sampler.options());
  again.ask_for_more(asked_[stimulus]);
  for (std::size_t i = 0; i < sampler.failures(); ++i) again.add_failure();
  for (const double score : sampler.scores()) again.add_score(score);
  sampler = again;
}

bool DirectionSampler::finished() const {
  return mean_ ? mean_->finished() : std::ranges::all_of(each_, &Sampler::finished);
}

std::optional<StopReason> DirectionSampler::stopped_because(std::size_t stimulus) const {
  if (!mean_) return each_[stimulus].stopped_because();
  return mean_->is_abandoned(stimulus) ? StopReason::failures : mean_->stopped_because();
}

Interval DirectionSampler::interval(std::size_t stimulus) const {
  return mean_ ? mean_->interval(stimulus) : each_[stimulus].interval();
}

std::size_t DirectionSampler::scored(std::size_t stimulus) const {
  return mean_ ? mean_->scored(stimulus) : each_[stimulus].scores().size();
}

std::size_t DirectionSampler::failures(std::size_t stimulus) const {
  return mean_ ? mean_->failures(stimulus) : each_[stimulus].failures();
}

std::vector<std::size_t> DirectionSampler::wanted(Reach reach, std::span<const std::size_t> under_way) const {
  if (mean_) {
    const std::size_t all = reach == Reach::certain ? mean_->certain() : mean_->wanted(), away = sum(under_way);
    return counts_of(mean_->next(all - std::min(all, away), under_way), stimuli());
  }
  std::vector<std::size_t> more;
  for (std::size_t i = 0; i < each_.size(); ++i) {
    const std::size_t all = reach == Reach::certain ? certain(each_[i]) : each_[i].wanted();
    more.push_back(all - std::min(all, under_way.empty() ? 0 : under_way[i]));
  }
  return more;
}

std::vector<std::size_t> DirectionSampler::expected_more() const {
  if (mean_) return counts_of(mean_->next(mean_->expected_more()), stimuli());
  std::vector<std::size_t> more;
  for (const Sampler& one : each_) more.push_back(one.expected_more());
  return more;
}

std::size_t DirectionSampler::expected_looks() const {
  if (mean_) return vqas::expected_looks(mean_->expected_more() - mean_->wanted(), mean_->options().step);
  std::size_t most = 0;
  for (const Sampler& one : each_) most = std::max(most, vqas::expected_looks(one));
  return most;
}

double DirectionSampler::gain_behind(std::size_t stimulus, std::size_t away) const {
  if (mean_) return 1 / static_cast<double>(1 + mean_->scored(stimulus) + away);
  const double gain = each_[stimulus].expected_gain(away + 1);
  return std::isfinite(gain) ? gain - (away == 0 ? 0 : each_[stimulus].expected_gain(away)) : gain;
}

}  // namespace vqas
