#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "vqas/sampling/mean_sampler.h"
#include "vqas/sampling/sampler.h"

namespace vqas {

/// How far a plan reaches: to the next decision, or to everything certain beyond it (certain()).
enum class Reach { next_look, certain };

/// The samplers of one direction, for any goal (GoalOf): one for each stimulus, or one for the mean over them. Equal
/// calls give equal results. A value; not thread-safe.
class DirectionSampler {
 public:
  /// `options` must have passed validate().
  DirectionSampler(const SamplerOptions& options, std::size_t stimuli);
  /// One for each stimulus, with the same options.
  DirectionSampler(std::vector<Sampler> each);

  std::size_t stimuli() const { return mean_ ? mean_->stimuli() : each_.size(); }
  /// `stimulus` is below stimuli(). A score that is not finite counts as a failure.
  void add_score(std::size_t stimulus, double mos);
  void add_failure(std::size_t stimulus);
  /// Ends what has not ended; a cap of line time tries the fallback goal.
  void stop(StopReason reason);
  /// Requests `count` more scores of a stimulus beside those for the goal, as if asked at the beginning: the time of
  /// the call makes no difference. Restarts what the goal or the fallback had ended; never beyond the cap.
  void ask_for_more(std::size_t stimulus, std::size_t count);

  bool finished() const;
  /// Why a stimulus gets no more measurements; nothing while it may.
  std::optional<StopReason> stopped_because(std::size_t stimulus) const;
  Interval interval(std::size_t stimulus) const;
  std::size_t scored(std::size_t stimulus) const;
  std::size_t failures(std::size_t stimulus) const;
  /// Scores of each stimulus to measure now, beyond those `under_way` (by stimulus; empty: none).
  std::vector<std::size_t> wanted(Reach reach, std::span<const std::size_t> under_way = {}) const;
  /// Expected number of further scores of each stimulus; at most what the cap leaves.
  std::vector<std::size_t> expected_more() const;
  /// Expected number of looks after the next one.
  std::size_t expected_looks() const;
  /// What one more score of a stimulus is worth behind `away` that are under way; for comparing stimuli.
  double gain_behind(std::size_t stimulus, std::size_t away) const;
  /// All stimuli get the same count, so they are measured in turn, the one with the fewest first.
  bool takes_turns() const { return mean_.has_value(); }
  std::size_t first_count() const { return first_count_; }

 private:
  std::size_t first_count_ = 0;
  std::optional<MeanSampler> mean_;
  std::vector<Sampler> each_;       // without mean_, as is the next one
  std::vector<std::size_t> asked_;  // number of further scores requested in all
};

}  // namespace vqas
