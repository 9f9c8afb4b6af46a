#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vqas/run/run.h"
#include "vqas/sampling/stratified.h"

namespace vqas {

/// How often each outcome came, in the order of kAllOutcomes.
struct OutcomeCounts {
  std::array<std::size_t, kAllOutcomes.size()> count{};

  std::size_t of(Outcome outcome) const;
  std::size_t total() const;
  /// Part of the measurements that have no score, 0..1; those that somebody cancelled are left out. 0 when there is
  /// none. What fell with a call counts: lines lose calls when they are at their worst, so a mean without those times
  /// is one of the others.
  double share_unscored() const;
};

/// A mean of scores is conditional on a score being there: when more than this part has none, the mean says so.
inline constexpr double kConditionalShare = 0.10;

struct StimulusSummary {
  OutcomeCounts outcomes;
  bool conditional = false;  ///< share_unscored() above kConditionalShare
  /// Mean when each measurement without a score, other than cancelled ones, counts as 1.0, the scale's bottom: a lower
  /// bound of what a listener may have got. Nothing when nothing was measured.
  std::optional<double> bound;
};
StimulusSummary summarise(const StimulusRun& stimulus);

struct DirectionSummary {
  OutcomeCounts outcomes;
  StratifiedMean mean;                    ///< over the stimuli with a score, at the confidence of the first goal
  std::vector<std::string> omitted;       ///< stimuli without any score, which the mean leaves out
  std::vector<std::string> not_measured;  ///< of these the ones of which nothing was measured: no sign of a bad line
  /// Part without a score, each stimulus with the same weight, as in the mean; 0 when nothing was measured.
  double share_unscored = 0;
  /// share_unscored above kConditionalShare, a stimulus left out, or one of which less than half was scored.
  bool conditional = false;
  std::optional<double> bound;  ///< equal-weight mean of the stimuli's bounds
};
DirectionSummary summarise(const DirectionRun& direction, const SamplerOptions& sampling);

/// Numbers from 1 to the highest of a direction that no measurement has.
struct SequenceGap {
  std::uint32_t first = 0, last = 0;
};
/// In order. A round that ended too early, because a program was killed or a node or the line was gone, leaves them:
/// what was planned under them was sent again under later numbers, if at all.
std::vector<SequenceGap> sequence_gaps(const DirectionRun& direction);

/// The command that measures a simulated line again with the same conditions, seed, cap, stimuli and directions, both
/// directions alike but for the clocks, as `vqas quickstart` makes them; for a real line the one to measure it anew.
std::string reproduce_command(const RunResults& results);

/// Distance between the ends of the scale, 1.0 and 4.55, in MOS: an interval wider than this says nothing.
inline constexpr double kScaleWidth = 3.55;

/// Step of MOS and half-widths in results.json, in MOS; a half-width is never rounded to nothing.
inline constexpr double kMosStep = 1e-4;

/// "±0.10"; "<0.01" for what would be rounded to nothing; ">3.55" when it is wider than the scale; "–" when it is not
/// finite.
std::string half_width_text(double half_width);

/// "+0.10", "-0.03"; "0.00" for what rounds to nothing, which has no sign.
std::string difference_text(double difference);

/// "the cap of line time ended the run before 7 of 24 stimuli reached a goal"; a stimulus counts in each direction.
/// Empty where it did not.
std::string cap_in_words(const RunResults& results);

/// Why a stimulus got no more measurements: "goal reached", "±0.15 MOS at 95 % reached, but not the goal"; for tables.
std::string stop_in_words(StopReason reason, const SamplerOptions& sampling);

/// "repeatability ±0.10 (99 %); model error about ±0.3 (1 σ, against P.862.1)"; says so where one of them is not known.
std::string precision_in_words(double half_width, double confidence, double model_error_mos,
                               const std::string& model_error_label);

/// What stands beside every mean that is conditional: "conditional: 11.8 % without a score, M1 left out; with those at
/// the bottom of the scale the mean would be 3.14", "16.7 % without a score (1 because the call or an end was gone)",
/// or "conditional: F1, F2 not measured". Empty for one that is not.
std::string conditional_in_words(const DirectionSummary& summary);
std::string conditional_in_words(const StimulusSummary& summary);

/// A direction's mean with everything that belongs beside it: precision_in_words(), "15 of 17 measurements scored" and
/// conditional_in_words(); or that there is none.
std::string mean_in_words(const DirectionSummary& summary, double model_error_mos,
                          const std::string& model_error_label);

}  // namespace vqas
