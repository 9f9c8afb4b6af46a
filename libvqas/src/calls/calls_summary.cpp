#include "vqas/calls/calls_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vqas/run/narrow_path.h"
#include "vqas/sampling/verdict.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

// Nearest rank: the time that this share of the calls did not exceed.
double ranked(const std::vector<double>& ascending, double share) {
  const double rank = std::ceil(share * static_cast<double>(ascending.size()));
  return ascending[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

std::optional<Spread> spread_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  return Spread{values.size(), ranked(values, 0.5), ranked(values, 0.95), values.back()};
}

void count(const CallOutcome& call, CallsSummary& summary) {
  switch (call.result) {
    case CallResult::scored:
      ++summary.scored;
      break;
    case CallResult::unscored:
      ++summary.unscored;
      break;
    case CallResult::answered:
      ++summary.answered;
      break;
    case CallResult::spoilt:
      ++summary.spoilt;
      break;
    case CallResult::failed:
      ++summary.failed;
      ++summary.ends[call.end];
      break;
    case CallResult::cancelled:
      return;
  }
  ++summary.calls;
  summary.sent_late += call.lateness.late;
  summary.worst_late_ms = std::max(summary.worst_late_ms, call.lateness.worst_ms);
  summary.packets_sent += call.packets.sent;
  summary.packets_received += call.packets.heard.packets;
  summary.packets_lost += call.packets.heard.packets_lost;
  if (call.result != CallResult::failed || call.packets.sent > 0 || !call.narrow.empty()) ++summary.with_audio;
  if (!call.narrow.empty()) {
    ++summary.narrow;
    // How many sentences of a call showed it makes no other reason.
    const bool is_heard = call.narrow.starts_with(kNarrowPath);
    ++summary.narrow_why[is_heard ? std::string(kNarrowPath) : call.narrow];
  }
  if (call.result != CallResult::scored) return;
  for (const CallSentence& one : call.sentences) {
    ++summary.sentences;
    if (!one.mos) {
      ++summary.sentences_unscored;
    }
  }
  enter_sentences(call, summary.by_sentence);
}

std::string why_not_measured(const CallsSummary& summary) {
  if (summary.calls == 0) return "no call was made";
  if (summary.spoilt == summary.calls) return "this machine spoilt every call, so none says anything of the line";
  if (summary.failed + summary.spoilt < summary.calls) return "no call has a score";
  std::string ends;
  for (const auto& [end, count] : summary.ends) ends += fmt::format("{}{} {}", ends.empty() ? "" : ", ", end, count);
  return fmt::format("{} ({})", summary.spoilt > 0 ? "every call failed or was spoilt" : "every call failed", ends);
}

void judge_all(const CallsPlan& plan, CallsSummary& summary) {
  const bool measured = plan.far_end == FarEnd::listen ? summary.answered > 0 : summary.scored > 0;
  const auto conclude = [&summary](RunVerdict verdict, const std::string& why) {
    summary.verdict = verdict;
    summary.verdict_reason = why;
  };
  const bool too_many = plan.limit_failed_percent && summary.failed_percent > *plan.limit_failed_percent;
  if (too_many && summary.calls > summary.spoilt) {
    return conclude(
        RunVerdict::fail,
        fmt::format("{:.1f} % of the calls {}, and the limit is {:g} %", summary.failed_percent,
                    plan.far_end == FarEnd::listen ? "failed" : "have no score", *plan.limit_failed_percent));
  }
  if (!measured) return conclude(RunVerdict::not_measured, why_not_measured(summary));
  if (!plan.limit_mos) {
    return conclude(plan.limit_failed_percent ? RunVerdict::pass : RunVerdict::no_limit, "");
  }
  MeasuredMean mean;
  mean.mean = summary.mos->mean;
  mean.half_width = summary.mos->half_width;
  mean.confidence = summary.mos->confidence;
  mean.model_error = model_error(summary.mode).mos;
  // Calls without a score are left out of the mean. How many of them are acceptable, only the plan can say.
  mean.conditional = !plan.limit_failed_percent && summary.failed_percent > 0;
  const Judgement judgement = judge(mean, *plan.limit_mos);
  const RunVerdict verdict = judgement.verdict == LimitVerdict::pass   ? RunVerdict::pass
                             : judgement.verdict == LimitVerdict::fail ? RunVerdict::fail
                                                                       : RunVerdict::undecided;
  conclude(verdict, judgement.reason);
}

// The mean of the scores that are in `all` and not in `some`; nothing: there are none.
std::optional<double> without(const SentenceScores& all, const SentenceScores& some) {
  if (all.n <= some.n) return std::nullopt;
  const double sum = static_cast<double>(all.n) * all.mean - static_cast<double>(some.n) * some.mean;
  return sum / static_cast<double>(all.n - some.n);
}

SentenceScores all_of(const std::map<std::string, SentenceScores>& by_sentence) {
  SentenceScores all;
  for (const auto& [stimulus, scores] : by_sentence) {
    all.n += scores.n;
    all.mean += (scores.mean - all.mean) * static_cast<double>(scores.n) / static_cast<double>(all.n);
  }
  return all;
}

}  // namespace

std::optional<double> relative_mos(const CallOutcome& call, const std::map<std::string, SentenceScores>& by_sentence) {
  if (!call.mos()) return std::nullopt;
  std::map<std::string, SentenceScores> own;
  enter_sentences(call, own);
  double sum = 0;
  std::size_t n = 0;
  for (const auto& [stimulus, scores] : own) {
    const auto all = by_sentence.find(stimulus);
    if (all == by_sentence.end()) continue;
    const auto others = without(all->second, scores);
    if (!others) continue;
    sum += static_cast<double>(scores.n) * (scores.mean - *others);
    n += scores.n;
  }
  return n == 0 ? std::nullopt : std::optional(sum / static_cast<double>(n));
}

double rank_mos(const CallOutcome& call, const std::map<std::string, SentenceScores>& by_sentence) {
  const auto mos = call.mos();
  if (!mos) return 0;
  if (const auto relative = relative_mos(call, by_sentence)) return *relative;
  std::map<std::string, SentenceScores> own;
  enter_sentences(call, own);
  const auto others = without(all_of(by_sentence), all_of(own));
  return others ? *mos - *others : 0;
}

void enter_sentences(const CallOutcome& call, std::map<std::string, SentenceScores>& by_sentence) {
  if (call.result != CallResult::scored) return;
  for (const CallSentence& one : call.sentences) {
    if (!one.mos) continue;
    SentenceScores& scores = by_sentence[one.stimulus];
    scores.mean += (*one.mos - scores.mean) / static_cast<double>(++scores.n);
  }
}

CallsSummary summarise(const std::vector<CallOutcome>& calls, const CallsPlan& plan) {
  CallsSummary summary;
  summary.mode = mode_of(plan);
  std::vector<double> ring, answer, scores, in_narrowband;
  for (const CallOutcome& call : calls) {
    count(call, summary);
    if (call.result == CallResult::cancelled) continue;
    if (call.ring_s) ring.push_back(*call.ring_s);
    if (call.answer_s) answer.push_back(*call.answer_s);
    if (const auto mos = call.mos()) scores.push_back(*mos);
    if (const auto mos = call.narrowband_mos()) in_narrowband.push_back(*mos);
  }
  summary.ring_s = spread_of(std::move(ring));
  summary.answer_s = spread_of(std::move(answer));
  if (!scores.empty()) {
    summary.mos = t_interval(scores, plan.confidence);
    summary.worst_mos = *std::ranges::min_element(scores);
    if (plan.limit_mos) {
      const auto below = std::ranges::count_if(scores, [&](double one) { return one < *plan.limit_mos; });
      summary.below_percent = 100.0 * static_cast<double>(below) / static_cast<double>(scores.size());
    }
  }
  if (!in_narrowband.empty()) summary.narrowband_mos = t_interval(in_narrowband, plan.confidence);
  if (const std::size_t judged = summary.calls - summary.spoilt; judged > 0)
    summary.failed_percent =
        100.0 * static_cast<double>(summary.failed + summary.unscored) / static_cast<double>(judged);
  judge_all(plan, summary);
  return summary;
}

}  // namespace vqas
