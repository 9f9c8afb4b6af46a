#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "vqas/sampling/sampler.h"
#include "vqas/sampling/stratified.h"

namespace vqas {

/// The goal for each of `statements` (>= 1) that are to hold together at the confidence of `goal`: each at the root of
/// it. Šidák's inequality (JASA 62, 1967): right for independent directions, on the safe side for dependent ones, and
/// never more than Bonferroni's.
PrecisionGoal simultaneous_goal(const PrecisionGoal& goal, std::size_t statements);

/// Mean of a direction from the scores of each stimulus, for `goal`, when a MeanSampler with `options` decided their
/// number: stratified_mean() with the scores' kurtosis, widened for stopping. Where `goal` ended the sampling
/// (`reached`) the interval is no wider than the goal. Stimuli without scores are left out. Re-entrant.
StratifiedMean sampled_mean(std::span<const std::vector<double>> scores, const SamplerOptions& options,
                            const PrecisionGoal& goal, bool reached = false);

/// The t interval of each stimulus at `confidence` (above 0, below 1) when a MeanSampler decided the count, with the
/// stopping factor of the direction. Re-entrant.
std::vector<Interval> sampled_intervals(std::span<const std::vector<double>> scores, const SamplerOptions& options,
                                        double confidence);

/// Decides how many measurements a direction gets until its mean, the equal-weight mean over its stimuli, is known well
/// enough for SamplerOptions::goal_of: to the goal's half-width; or well enough to say whether it lies above the limit,
/// model error included; or as well as the line time allows, which stop() ends (GoalOf::each_stimulus is taken as
/// GoalOf::mean). All stimuli get the same count, whatever their scores, so that the interval holds for skewed and
/// two-level scores too; reasons, coverage and cost: libvqas/doc/record/sampling-mean.md. Pure: knows nothing of time,
/// order or audio. Equal calls give equal answers. A value; not for several threads at once.
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
  /// Requests `count` more scores of a stimulus beside those for the goal, as if asked at the beginning; never beyond
  /// the cap. Restarts the sampling when the goal or the fallback had ended it.
  void ask_for_more(std::size_t stimulus, std::size_t count);

  /// Scores to the next look: 0 when finished. Never beyond the cap.
  std::size_t wanted() const;
  /// Scores that are needed whatever they are, because even scores at their stimulus' mean would leave the half-width
  /// above the goal; at least wanted(), 0 when finished.
  std::size_t certain() const;
  /// The stimuli of the next `count` measurements, those with the fewest first; a stimulus may come several times.
  /// `under_way`: how many of each were asked for before and have not come; empty: none. Fewer only when every stimulus
  /// was abandoned, none when finished. Does not keep to wanted(): that is the caller's.
  std::vector<std::size_t> next(std::size_t count, std::span<const std::size_t> under_way = {}) const;
  bool finished() const { return reason_.has_value(); }
  /// Set when finished. `failures`: all stimuli were abandoned, or so much of the error lies in those that were that no
  /// measurement of the others could reach the goal.
  std::optional<StopReason> stopped_because() const { return reason_; }
  /// How many more scores will be needed in all, by what is known now; at most what the cap leaves.
  std::size_t expected_more() const;

  /// Mean and interval of the direction so far, for the first goal, or for the fallback when that is what was reached.
  StratifiedMean mean() const;
  /// Interval of one stimulus so far, by sampled_intervals() at the confidence of mean().
  Interval interval(std::size_t stimulus) const;
  /// It gets no more measurements because too many had no score. It is in the mean with the scores that it has.
  bool is_abandoned(std::size_t stimulus) const { return failures_[stimulus] >= options_.max_failures; }
  /// An abandoned stimulus with fewer than two scores is not in the mean: StratifiedMean::strata counts those that are.
  bool is_left_out(std::size_t stimulus) const { return is_abandoned(stimulus) && scored(stimulus) < 2; }
  /// The scores, in the order in which they came, depend on the one before (pattern.h). The interval does not know.
  bool autocorrelated() const;

  std::size_t stimuli() const { return scores_.size(); }
  std::size_t scored() const { return order_.size(); }
  std::size_t scored(std::size_t stimulus) const { return scores_[stimulus].size(); }
  std::size_t failures(std::size_t stimulus) const { return failures_[stimulus]; }
  const SamplerOptions& options() const { return options_; }

 private:
  /// What the error of the mean is made of.
  struct Part {
    double squares = 0;        ///< sum of squared differences from the stimulus' mean, at least that of rounding
    std::size_t measured = 0;  ///< scores behind `squares`
    std::size_t count = 0;     ///< scores that are assumed
    std::size_t asked = 0;
    bool open = true;
  };
  /// Adds a score to the open stimulus with the fewest, and returns it; nothing if none is open.
  static std::optional<std::size_t> add_to_fewest(std::span<Part> parts);

  /// Scores of a stimulus without those that were asked for.
  std::size_t counted(std::size_t stimulus) const {
    return scored(stimulus) - std::min(scored(stimulus), asked_[stimulus]);
  }
  std::size_t counted() const;
  std::size_t missing_first() const;
  std::size_t room() const;
  PrecisionGoal goal() const { return reason_ == StopReason::fallback ? *options_.fallback : options_.goal; }
  /// Without those of stimuli that are left out.
  std::vector<std::vector<double>> scores() const;
  std::vector<Part> parts() const;
  bool reached(const PrecisionGoal& goal) const;
  /// Why no more is needed, by what is known now; nothing if more is.
  std::optional<StopReason> settled() const;
  /// Half-width at which that is expected, by what is known now.
  double width_for_goal() const;
  bool is_beyond_reach() const;
  std::size_t expected_behind_first() const;
  void look_if_due();
  void look();
  void meet_cap(StopReason cap);

  struct Score {
    std::size_t stimulus = 0;
    double mos = 0;
  };

  SamplerOptions options_;
  std::vector<std::vector<double>> scores_;  // by stimulus, as are the next two
  std::vector<std::size_t> failures_;
  std::vector<std::size_t> asked_;
  std::vector<Score> order_;
  std::size_t target_ = 0;  // counted() at the next look; 0 before the first one
  std::optional<StopReason> reason_;
};

}  // namespace vqas
