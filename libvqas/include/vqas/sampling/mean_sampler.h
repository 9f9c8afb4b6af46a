#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "vqas/sampling/sampler.h"
#include "vqas/sampling/shrinkage.h"
#include "vqas/sampling/stratified.h"

namespace vqas {

/// The goal for each of `statements` (>= 1) that are to hold together at the confidence of `goal`: each at the root of
/// it. Šidák's inequality (JASA 62, 1967): right for independent directions, on the safe side for dependent ones, and
/// never more than Bonferroni's.
PrecisionGoal simultaneous_goal(const PrecisionGoal& goal, std::size_t statements);

/// Decides which stimuli of one direction are measured until the direction's mean is known well enough: the
/// equal-weight mean over its stimuli, as stratified_mean() gives it. Each stimulus its first count, then those that
/// narrow the mean most (Neyman's allocation, JRSS 97, 1934, by shrunken_deviations()), with its optional stopping
/// corrected: libvqas/doc/record/sampling-mean.md. Pure: knows nothing of time, order or audio. Equal calls give equal
/// answers. A value; not for several threads at once.
class MeanSampler {
 public:
  /// `options` have passed validate(), and hold for the direction: `first_count` and `max_failures` of each stimulus,
  /// `step` of all scores between two looks, `cap_count` on average, so that as much is measured at most as by a
  /// Sampler for each stimulus. `stimuli` >= 1.
  MeanSampler(const SamplerOptions& options, std::size_t stimuli);

  /// `stimulus` is below stimuli(). A score that is not finite counts as a failure.
  void add_score(std::size_t stimulus, double mos);
  /// The one that is too many abandons the stimulus.
  void add_failure(std::size_t stimulus);
  /// Ends the sampling from outside, unless it has ended. A cap of line time tries the fallback goal, as the cap of
  /// counts does, where each stimulus has its first count.
  void stop(StopReason reason);

  /// Scores to the next look: 0 when finished. Never beyond the cap.
  std::size_t wanted() const;
  /// Scores that are needed whatever they are, because even scores at their stimulus' mean would leave the half-width
  /// above the goal; at least wanted(), 0 when finished.
  std::size_t certain() const;
  /// The stimuli of the next `count` measurements, in the order in which they are wanted; a stimulus may come several
  /// times. `under_way`: how many of each were asked for before and have not come; empty: none. Fewer only when every
  /// stimulus was abandoned, none when finished. Does not keep to wanted(): that is the caller's.
  std::vector<std::size_t> next(std::size_t count, std::span<const std::size_t> under_way = {}) const;
  bool finished() const { return reason_.has_value(); }
  /// Set when finished. `failures`: all stimuli were abandoned, or so much of the error lies in those that were that no
  /// measurement of the others could reach the goal.
  std::optional<StopReason> stopped_because() const { return reason_; }
  /// How many more scores will be needed in all, by what is known now; at most what the cap leaves.
  std::size_t expected_more() const;

  /// Mean and interval of the direction so far, for the first goal, or for the fallback when that is what was reached.
  StratifiedMean mean() const;
  /// The same at another confidence (above 0, below 1), by the widened t interval alone: no goal limits it.
  StratifiedMean mean(double confidence) const;
  /// Stimuli that get no more measurements because too many had no score. They are in the mean with the scores they
  /// have, those below two scores are not: StratifiedMean::strata tells how many stimuli it is of.
  std::vector<std::size_t> abandoned() const;
  /// Those of abandoned() that the mean leaves out.
  std::vector<std::size_t> left_out() const;
  /// The scores, in the order in which they came, depend on the one before (pattern.h). The interval does not know.
  bool autocorrelated() const;

  std::size_t stimuli() const { return strata_.size(); }
  std::size_t scored() const { return order_.size(); }
  std::size_t scored(std::size_t stimulus) const { return strata_[stimulus].n; }
  std::size_t failures() const { return failures_; }
  const SamplerOptions& options() const { return options_; }

 private:
  struct Stratum {
    std::size_t n = 0, failures = 0;
    double mean = 0, squares = 0;  // Welford's sums (Technometrics 4, 1962)
  };
  struct Score {
    std::size_t stimulus = 0;
    double mos = 0;
  };
  bool is_abandoned(const Stratum& stratum) const { return stratum.failures >= options_.max_failures; }
  bool is_left_out(const Stratum& stratum) const { return is_abandoned(stratum) && stratum.n < 2; }
  std::size_t missing_first(const Stratum& stratum, std::size_t away = 0) const;
  std::size_t missing_first() const;
  std::size_t cap() const { return options_.cap_count * strata_.size(); }
  std::size_t room() const { return cap() - std::min(cap(), scored()); }
  bool decided_by_looks() const { return options_.first_count < options_.cap_count; }
  /// Without those that the mean leaves out or that have no score.
  std::vector<Interval> intervals() const;
  std::vector<ShrunkenDeviation> shrunken() const;
  StratifiedMean plain_mean(double confidence) const;
  bool reached(const PrecisionGoal& goal) const;
  bool is_beyond_reach() const;
  std::size_t expected_behind_first() const;
  void look_if_due();
  void look();
  void meet_cap(StopReason cap);

  SamplerOptions options_;
  std::vector<Stratum> strata_;
  std::vector<Score> order_;
  std::size_t failures_ = 0;
  std::size_t target_ = 0;  ///< scores at the next look; 0 before the first one
  bool looked_again_ = false;
  std::optional<StopReason> reason_;
};

}  // namespace vqas
