#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vqas/report/e_model.h"
#include "vqas/run/run.h"
#include "vqas/sampling/compare.h"
#include "vqas/sampling/drift.h"
#include "vqas/sampling/verdict.h"
#include "vqas/store/journal.h"

namespace vqas {

/// How the line changed while a direction was measured, by the order of its transmissions, at the confidence of the
/// first goal.
LineDrift drift_of(const DirectionRun& direction, const SamplerOptions& sampling);

/// What was noticed in the scores of a stimulus, in their order.
SamplePattern pattern_of(const StimulusRun& stimulus);

/// What a run says of the limit in its plan. All directions together: fail when one fails, pass when all pass.
struct RunJudgement {
  LimitVerdict verdict = LimitVerdict::undecided;
  std::vector<Judgement> directions;  ///< as in the run
};
/// Nothing when no limit is set. By repeatability and model error together (vqas/sampling/verdict.h); a conditional
/// mean never passes.
std::optional<RunJudgement> judge_run(const RunResults& results, const Provenance& provenance);

/// An estimate of conversational quality with what it was made from.
struct Conversation {
  ConversationEstimate estimate;
  ConversationPath path;
  DelayBasis basis = DelayBasis::unknown;  ///< of the delay
  bool echo_told = false;                  ///< by the plan; else the line is simulated, and its talker hears none
};
/// Nothing unless there is a mean, a delay with a known basis (the median is taken), and an echo loss: the one of the
/// plan, or none on a simulated line.
std::optional<Conversation> conversation_of(const RunResults& results, const DirectionRun& direction);

/// The runs' directions as channels for compare(): named by `names`, one for each run, and the direction where a run
/// has two. Means of a conditional stimulus are among them as they are.
std::vector<ComparedChannel> channels_of(std::span<const StoredRun> runs, std::span<const std::string> names);

/// Why two channels cannot be compared, "no stimulus has scores on both"; empty where they can.
std::string not_compared_in_words(const Comparison& one);
/// "they differ", "no difference is shown", "cannot be compared: " and why; of conditional means "conditional" and
/// "they differ, conditional".
std::string difference_in_words(const Comparison& one);
/// "conditional: 39.6 % and 0 % without a score; with those at the bottom of the scale 2.53 and 4.17, a difference of
/// +1.64"; empty where neither mean is conditional.
std::string conditional_in_words(const Comparison& one);

/// A channel's place among others.
struct RankedChannel {
  /// 1 is the best; 0: not ranked: without a score, conditional, or without a stimulus that the others have
  std::size_t rank = 0;
  std::string name;  ///< as channels_of() has it
  std::optional<double> mean;
  double half_width = 0;               ///< of the mean, by itself
  std::string against_the_one_before;  ///< in words; of what is not ranked: why
};
/// The channels of channels_of(), best first, with what `compared` says of neighbours. A conditional mean is one of the
/// times when the line worked, and a mean of other stimuli says nothing of two lines: what has no stimulus in common
/// with another one of the rest has no rank, either. These stand behind those that have.
std::vector<RankedChannel> rank_channels(std::span<const StoredRun> runs, std::span<const std::string> names,
                                         std::span<const Comparison> compared);

/// Whether a difference between these runs can be one of their lines: the same stimuli, byte for byte, by the same
/// score. Fails with bad_input, naming two runs that are unlike.
Status check_comparable(std::span<const StoredRun> runs, std::span<const std::string> names);

}  // namespace vqas
