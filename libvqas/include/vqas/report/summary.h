#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/run/run.h"
#include "vqas/sampling/stratified.h"

namespace vqas {

/// Count of each outcome, in the order of kAllOutcomes.
struct OutcomeCounts {
  std::array<std::size_t, kAllOutcomes.size()> count{};

  std::size_t of(Outcome outcome) const;  ///< measurements that ended so
  std::size_t total() const;              ///< cancelled ones too
  /// Share of the measurements without a score, 0..1, not counting cancelled ones; 0 when there are none. Measurements
  /// lost with a call count: lines lose calls when they are at their worst.
  double share_unscored() const;
};

/// A mean is conditional when more than this share of its measurements has no score.
inline constexpr double kConditionalShare = 0.10;

struct StimulusSummary {
  OutcomeCounts outcomes;
  bool conditional = false;  ///< share_unscored() above kConditionalShare
  /// Mean with each unscored measurement, except cancelled ones, counted as 1.0, the bottom of the scale: a lower bound
  /// of what a listener may have got. Nothing when nothing was measured.
  std::optional<double> bound;
};
StimulusSummary summarise(const StimulusRun& stimulus);

struct DirectionSummary {
  OutcomeCounts outcomes;
  /// Over the stimuli with a score, at the confidence of the first goal; where the fallback goal of a direction's mean
  /// was reached, at that one's.
  StratifiedMean mean;
  /// Why no more was measured, where the goal is the direction's mean (GoalOf); else nothing.
  std::optional<StopReason> stopped_because;
  std::string goal;                       ///< the same in words: "the goal, ±0.1 at 99 %, was reached"; else empty
  std::vector<std::string> omitted;       ///< stimuli without any score, or too few, not included in the mean
  std::vector<std::string> not_measured;  ///< those of `omitted` without any measurement: no sign of a bad line
  /// Share without a score, each stimulus with the same weight, as in the mean; 0 when nothing was measured.
  double share_unscored = 0;
  /// share_unscored is above kConditionalShare, a stimulus is omitted, or less than half of a stimulus was scored.
  bool conditional = false;
  std::optional<double> bound;  ///< equal-weight mean of the stimuli's bounds
};
DirectionSummary summarise(const DirectionRun& direction, const SamplerOptions& sampling);

/// Sequence numbers of a direction that no measurement has, from 1 to the highest used.
struct SequenceGap {
  std::uint32_t first = 0, last = 0;
};
/// In order. A round that ends early, because a program was killed or a node or the line was lost, leaves such gaps;
/// what is still needed is sent again under later numbers.
std::vector<SequenceGap> sequence_gaps(const DirectionRun& direction);

/// The command that measures a simulated line again with the same conditions, seed, cap, stimuli and directions; both
/// directions are alike except for the clocks, as `vqas quickstart` makes them. For a real line, a command that
/// measures it anew.
std::string reproduce_command(const RunResults& results);

/// Step of MOS and half-widths in results.json, in MOS; a half-width is never rounded to 0.
inline constexpr double kMosStep = 1e-4;

/// "±0.10"; "<0.01" for what would round to 0; ">3.55" when wider than the scale of `mode`; "–" when not finite.
std::string half_width_text(double half_width, ScoreMode mode);

/// The word of ITU-T P.800 that is nearest to a MOS, "excellent" to "bad".
std::string_view quality_word(double mos);

/// "+0.10", "-0.03"; "0.00" without a sign for what rounds to 0.
std::string difference_text(double difference);

/// "the allowed line time ended before 7 of 24 stimuli reached their goal"; a stimulus counts in each direction. Empty
/// if the line time sufficed.
std::string cap_in_words(const RunResults& results);

/// Why measuring of a stimulus ended, for tables: "goal reached", "±0.15 MOS at 95 % reached, but not the goal".
std::string stop_in_words(StopReason reason, const SamplerOptions& sampling);

/// What is measured for and how it ends, for reports: "5 measurements of each stimulus and direction, then more ...".
std::string goal_in_words(const SamplerOptions& sampling);

/// "repeatability ±0.10 (99 %); model error about ±0.3 (1 σ, against P.862.1)"; either may be "not known".
std::string precision_in_words(double half_width, double confidence, double model_error_mos,
                               const std::string& model_error_label, ScoreMode mode);

/// Remark on a conditional mean: "conditional: 11.8 % without a score, M1 left out; with those at the bottom of the
/// scale the mean would be 3.14", "16.7 % without a score (1 because the call or an end was lost)", or "conditional:
/// F1, F2 not measured". Empty if it is not conditional.
std::string conditional_in_words(const DirectionSummary& summary);
std::string conditional_in_words(const StimulusSummary& summary);

/// A direction's mean with precision_in_words(), "15 of 17 measurements scored", DirectionSummary::goal and
/// conditional_in_words(). Without any score the text says so.
std::string mean_in_words(const DirectionSummary& summary, double model_error_mos, const std::string& model_error_label,
                          ScoreMode mode);

}  // namespace vqas
