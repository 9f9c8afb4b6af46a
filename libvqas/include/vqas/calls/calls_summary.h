#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/calls/call_outcome.h"
#include "vqas/calls/calls_plan.h"
#include "vqas/campaign/run_verdict.h"
#include "vqas/sampling/interval.h"

namespace vqas {

/// Times of many calls, in s.
struct Spread {
  std::size_t n = 0;
  double median = 0, p95 = 0, worst = 0;
};

/// Scores of one sentence, over all calls that carried it.
struct SentenceScores {
  std::size_t n = 0;
  double mean = 0;  ///< MOS
};

/// What many calls came to.
struct CallsSummary {
  std::size_t calls = 0;  ///< all but those that the user broke off
  std::size_t scored = 0, unscored = 0, answered = 0, spoilt = 0, failed = 0;
  std::map<std::string, std::size_t> ends;  ///< of failed calls, by name
  std::optional<Spread> ring_s, answer_s;
  ScoreMode mode = ScoreMode::narrowband;  ///< the scale of all scores
  std::optional<Interval> mos;             ///< over the calls' means, one value a call: Student's t
  /// Of the same calls in narrowband, where both were asked for; it enters no limit.
  std::optional<Interval> narrowband_mos;
  std::optional<double> worst_mos;                    ///< of a call
  std::optional<double> below_percent;                ///< share of scored calls below the plan's limit
  double failed_percent = 0;                          ///< failed and unscored calls, of those that are not spoilt
  std::size_t sentences = 0, sentences_unscored = 0;  ///< of calls with a score
  std::size_t narrow = 0;                             ///< calls of an HD line that turned out to be narrowband ones
  std::map<std::string, std::size_t> narrow_why;      ///< of these, by reason
  std::size_t with_audio = 0;                         ///< calls that came as far as audio, narrow or not
  /// By stimulus. Sentences differ on the same line, so calls that carry different ones differ too.
  std::map<std::string, SentenceScores> by_sentence;
  std::uint32_t sent_late = 0;
  double worst_late_ms = 0;
  std::uint64_t packets_sent = 0, packets_received = 0, packets_lost = 0;
  RunVerdict verdict = RunVerdict::not_measured;
  std::string verdict_reason;  ///< one sentence part; empty without a limit
};

/// How far the call's scores lie above (below: negative) the means of their sentences in the other calls, as a mean;
/// nothing without a score, and where no other call carried its sentences. A sentence has a level of its own, so calls
/// are compared by this. The call's scores are in `by_sentence`. Re-entrant.
std::optional<double> relative_mos(const CallOutcome& call, const std::map<std::string, SentenceScores>& by_sentence);
/// Orders calls, the worst first. It is relative_mos(). A call without one gets the distance of its MOS from the mean
/// of the sentences of all other calls. The only call, and a call without a score, get 0. Re-entrant.
double rank_mos(const CallOutcome& call, const std::map<std::string, SentenceScores>& by_sentence);
/// Enters the call's scores into the means of their sentences.
void enter_sentences(const CallOutcome& call, std::map<std::string, SentenceScores>& by_sentence);

/// `calls` as they ended, in any order. Re-entrant.
CallsSummary summarise(const std::vector<CallOutcome>& calls, const CallsPlan& plan);

}  // namespace vqas
