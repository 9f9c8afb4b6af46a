#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vqas/sampling/interval.h"
#include "vqas/sampling/pattern.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What a run measures for. A closed list.
enum class GoalOf {
  each_stimulus,  ///< the mean of each stimulus in a direction (Sampler): the rule of NTIA Report 98-354
  mean,           ///< the mean of each direction over its stimuli (MeanSampler), as are the next two
  line_time,      ///< as precise as a cap of line time allows
  above,          ///< whether the mean lies above a limit
};
/// "each-stimulus", "mean", "line-time", "above".
std::string_view to_string(GoalOf of);
std::optional<GoalOf> goal_of_from_string(std::string_view name);

/// Why the measurements of a stimulus, or of a direction, ended. A closed list.
enum class StopReason {
  goal,
  fallback,
  cap_count,
  cap_line_time,
  cancelled,
  line_lost,
  failures,
  disk,
  sender_finished,  ///< on the line alone: the sender sent everything it was to send
  undecidable,      ///< GoalOf::above: the model's error, or the goal's precision, does not allow a decision
};
/// "goal" to "undecidable".
std::string_view to_string(StopReason reason);
/// The reason with that name, or nothing.
std::optional<StopReason> stop_reason_from_string(std::string_view name);

struct PrecisionGoal {
  double half_width = 0.1;   ///< MOS, > 0
  double confidence = 0.99;  ///< above 0, below 1
  /// Number of statements that hold together (simultaneous_goal()), >= 1: at `confidence` to the power of this one.
  std::size_t together = 1;
};

/// Question of GoalOf::above.
struct LimitQuestion {
  double mos = 3.5;        ///< 1..5
  double model_error = 0;  ///< of the score, 1 σ, MOS, > 0
};

/// Goals and limits of a sampler. The first two and the fallback are those of NTIA Report 98-354, section 2: five
/// measurements, then usually multiples of five; 0.15 at 95 % where 0.1 at 99 % was out of reach.
struct SamplerOptions {
  std::size_t first_count = 5;    ///< measurements before the first look, >= 2
  std::size_t step = 5;           ///< measurements are requested in multiples of this, >= 1
  std::size_t cap_count = 30;     ///< most scored measurements, >= first_count
  std::size_t max_failures = 10;  ///< unscored measurements after which the stimulus is abandoned, >= 1
  PrecisionGoal goal;
  std::optional<PrecisionGoal> fallback = PrecisionGoal{0.15, 0.95};  ///< tried when a cap is reached
  GoalOf goal_of = GoalOf::each_stimulus;
  LimitQuestion limit = {};  ///< only for GoalOf::above
};

/// Fails with bad_input, naming the option out of range and the range.
Status validate(const SamplerOptions& options);

/// First look at a sample that does not resemble independent normal scores (pattern.h).
inline constexpr std::size_t kWidenedFirstCount = 10;

/// Factor by which the interval of `count` measurements is wider than the t interval when a sampler's look or a cap
/// decided to stop: 1 + 0.32 (4/(count - 1))^0.75, that is 1.32 at 5, 1.17 at 10, 1.07 at 30; 1 for fewer than 2. A
/// measured correction: libvqas/doc/record/sampling.md has coverage and cost.
double stopping_factor(std::size_t count);

/// Interval of `scores` for `goal`, when a sampler with `options` decided their number: the t interval, widened by
/// stopping_factor(). If the first look was the only one, the number was fixed beforehand, and the factor is 1. If
/// `goal` ended the sampling (`reached`), the interval is no wider than the goal, and after more than the first look no
/// narrower than 1 + (4/(count - 1))^0.75 times the t interval unless that is wider than the goal.
Interval sampled_interval(std::span<const double> scores, const SamplerOptions& options, const PrecisionGoal& goal,
                          bool reached = false);

/// Decides how many measurements one stimulus in one direction needs (NTIA Report 98-354, section 2, with its optional
/// stopping corrected: libvqas/doc/record/sampling.md). A pure computation, without time or audio: equal calls give
/// equal results. A value; not thread-safe.
class Sampler {
 public:
  /// `options` must have passed validate().
  explicit Sampler(const SamplerOptions& options);

  /// A score that is not finite counts as a failure.
  void add_score(double mos);
  void add_failure();
  /// Ends the sampling from outside, unless it has ended. A cap of line time tries the fallback goal, like the cap of
  /// counts, if the first count was reached.
  void stop(StopReason reason);
  /// Requests `count` more scored measurements whatever the interval, never beyond the cap; restarts the sampling when
  /// the goal or the fallback had ended it. For an operator who disagrees with the result.
  void ask_for_more(std::size_t count);

  /// Number of measurements to make now, in one batch: 0 when finished. Never beyond a cap.
  std::size_t wanted() const;
  bool finished() const { return reason_.has_value(); }
  /// Set when finished.
  std::optional<StopReason> stopped_because() const { return reason_; }
  /// Mean and interval of the scores so far, for the first goal, or for the fallback if that was reached.
  Interval interval() const;
  /// Expected number of further scored measurements in total; at most what the cap leaves.
  std::size_t expected_more() const;
  /// Expected decrease of the half-width, MOS, if `count` more are scored, as far as it is above the goal. 0 when
  /// finished; infinite below two scores.
  double expected_gain(std::size_t count) const;
  /// Pattern of the scores so far.
  SamplePattern pattern() const { return recognise(scores_); }
  /// The first look was postponed to kWidenedFirstCount because of the pattern of the scores.
  bool widened() const { return widened_; }

  const std::vector<double>& scores() const { return scores_; }
  std::size_t failures() const { return failures_; }
  const SamplerOptions& options() const { return options_; }

 private:
  bool reached(const PrecisionGoal& goal) const;
  double margin(std::size_t count) const;
  std::size_t count_for_goal(std::size_t least) const;
  void look();
  void meet_cap(StopReason cap);

  SamplerOptions options_;
  std::vector<double> scores_;
  std::size_t failures_ = 0;
  std::size_t target_;  ///< number of scores at the next look
  bool widened_ = false;
  std::size_t asked_ = 0;  ///< requested by ask_for_more(), in addition to the goal, and not yet wanted
  std::optional<StopReason> reason_;
};

}  // namespace vqas
