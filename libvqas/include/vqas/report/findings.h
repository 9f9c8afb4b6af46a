#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/report/e_model.h"
#include "vqas/run/run.h"
#include "vqas/sampling/compare.h"
#include "vqas/sampling/drift.h"
#include "vqas/sampling/verdict.h"
#include "vqas/store/journal.h"

namespace vqas {

/// Change of the line over a direction's transmissions, in their order, at the confidence of the first goal.
LineDrift drift_of(const DirectionRun& direction, const SamplerOptions& sampling);

/// Unusual patterns in the scores of a stimulus, in their order.
SamplePattern pattern_of(const StimulusRun& stimulus);

/// Verdict on the limit in the run's plan. For all directions together: fail when one fails, pass when all pass.
struct RunJudgement {
  LimitVerdict verdict = LimitVerdict::undecided;
  std::vector<Judgement> directions;  ///< as in the run
};
/// Nothing when no limit is set, or when the run was not measured: it is not complete, or a direction has no score.
/// Considers repeatability and model error (vqas/sampling/verdict.h); a conditional mean never passes.
std::optional<RunJudgement> judge_run(const RunResults& results, const Provenance& provenance);
/// What the run says of its line, for every place that states it: "not_measured", "no_limit", "pass", "undecided" or
/// "fail".
std::string_view verdict_word(const RunResults& results, const Provenance& provenance);

/// Median of the delays of a direction that have a known basis.
struct MedianDelay {
  double ms = 0;  ///< of an even number, the upper of the two in the middle; below 0 within the delays' uncertainty
  DelayBasis basis = DelayBasis::unknown;  ///< of the last one
};
/// Nothing when no delay has a known basis. Re-entrant.
std::optional<MedianDelay> median_delay(const DirectionRun& direction);

/// An estimate of conversational quality with its inputs.
struct Conversation {
  ConversationEstimate estimate;
  ConversationPath path;
  DelayBasis basis = DelayBasis::unknown;  ///< of the delay
  bool echo_told = false;                  ///< the plan gives it; else the line is simulated and has no echo
};
/// Nothing without a mean, without a delay of a known basis (the median is taken; 0 for a negative one), or if the echo
/// loss is unknown. The plan gives the echo loss; a simulated line has no echo.
std::optional<Conversation> conversation_of(const RunResults& results, const DirectionRun& direction);

/// The directions of the runs as channels for compare(). `names` has one name for each run; the direction is added when
/// a run has two. Means of conditional stimuli are included unchanged.
std::vector<ComparedChannel> channels_of(std::span<const StoredRun> runs, std::span<const std::string> names);

/// Why two channels cannot be compared, "no stimulus has scores on both"; empty if they can.
std::string not_compared_in_words(const Comparison& one);
/// "they differ", "no difference is shown", "cannot be compared: " and why; for conditional means "they differ,
/// conditional", "conditional".
std::string difference_in_words(const Comparison& one);
/// "conditional: 39.6 % and 0 % without a score; with those at the bottom of the scale 2.53 and 4.17, a difference of
/// +1.64"; empty when neither mean is conditional.
std::string conditional_in_words(const Comparison& one);

/// A channel's place among others.
struct RankedChannel {
  /// 1 is the best; 0: not ranked, because it has no score, is conditional, or has no stimulus that the others have
  std::size_t rank = 0;
  std::string name;  ///< as given by channels_of()
  std::optional<double> mean;
  double half_width = 0;               ///< of this mean alone
  std::string against_the_one_before;  ///< in words; the reason when it is not ranked
};
/// The channels of channels_of(), best first, each compared with its neighbour by `compared`. A conditional mean covers
/// only the times when the line worked, and a mean over other stimuli does not compare two lines: a channel without a
/// stimulus in common with another one of the rest has no rank, either. Channels without a rank follow the ranked ones.
std::vector<RankedChannel> rank_channels(std::span<const StoredRun> runs, std::span<const std::string> names,
                                         std::span<const Comparison> compared);

/// Whether the runs can be compared: same stimuli, byte for byte, and same score version. Otherwise only part of a
/// difference may come from the lines. Fails with bad_input and names two runs that are not comparable.
Status check_comparable(std::span<const StoredRun> runs, std::span<const std::string> names);

/// Whether all have one scale of MOS. Scores of two scales are never compared, averaged or drawn together. Fails with
/// bad_input, naming the first two that differ.
Status check_one_scale(std::span<const StoredRun> runs, std::span<const std::string> names);

}  // namespace vqas
