#include "vqas/calls/calls_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace vqas {
namespace {

std::string times(const std::optional<Spread>& spread) {
  if (!spread) return "not known";
  const auto ms = [](double seconds) { return fmt::format("{:.{}f} ms", 1e3 * seconds, seconds < 0.01 ? 1 : 0); };
  return fmt::format("median {}, 95 % within {}, worst {} ({} calls)", ms(spread->median), ms(spread->p95),
                     ms(spread->worst), spread->n);
}

std::string mean_words(const Interval& mos) {
  if (!std::isfinite(mos.half_width)) return fmt::format("{:.2f} (one call, no interval)", mos.mean);
  return fmt::format("{:.2f} ± {:.2f} ({:g} %, {} calls)", mos.mean, mos.half_width, 100 * mos.confidence, mos.n);
}

std::string mean_and_worst(const CallsSummary& summary) {
  if (!summary.mos) return "no call has a score";
  const std::string mean = mean_words(*summary.mos);
  return summary.mos->n > 1 && summary.worst_mos ? fmt::format("{}, worst call {:.2f}", mean, *summary.worst_mos)
                                                 : mean;
}

std::string narrow_words(const CallsSummary& summary) {
  std::vector<std::string> reasons;
  for (const auto& [why, count] : summary.narrow_why) reasons.push_back(fmt::format("{} ({})", why, count));
  return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> calls_rows(const CallsSummary& summary, const CallsPlan& plan,
                                                            const RampFound* ramp) {
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back(
      "calls", fmt::format("{} ({} scored, {} without a score, {} failed, {} spoilt by this machine{})", summary.calls,
                           summary.scored, summary.unscored, summary.failed, summary.spoilt,
                           summary.answered > 0 ? fmt::format(", {} only sent", summary.answered) : ""));
  for (const auto& [end, count] : summary.ends) rows.emplace_back("  " + end, std::to_string(count));
  rows.emplace_back("score of", score_of_what(plan.far_end));
  if (plan.far_end != FarEnd::listen)
    rows.emplace_back(fmt::format("mean {}", mos_name(summary.mode)), mean_and_worst(summary));
  if (summary.narrowband_mos)
    rows.emplace_back(fmt::format("mean {}", scale_name(ScoreMode::narrowband)),
                      mean_words(*summary.narrowband_mos) + "; the same calls in narrowband, which enter no limit");
  if (summary.narrow > 0)
    rows.emplace_back("narrowband calls",
                      fmt::format("{} of {} with audio: {}; a score near 3 is the best that they can have",
                                  summary.narrow, summary.with_audio, narrow_words(summary)));
  if (summary.by_sentence.size() > 1) {
    std::vector<std::string> parts;
    for (const auto& [stimulus, scores] : summary.by_sentence)
      parts.push_back(fmt::format("{} {:.2f} ({})", stimulus, scores.mean, scores.n));
    rows.emplace_back("by sentence, with counts",
                      fmt::format("{}; calls that carry different sentences differ by this, "
                                  "and the ± above holds it too",
                                  fmt::join(parts, ", ")));
  }
  if (summary.sentences_unscored > 0) {
    rows.emplace_back("sentences without a score",
                      fmt::format("{} of {} in scored calls", summary.sentences_unscored, summary.sentences));
  }
  if (summary.below_percent)
    rows.emplace_back("calls below the limit",
                      fmt::format("{:.1f} % below {:g}", *summary.below_percent, *plan.limit_mos));
  const std::size_t judged = summary.calls - summary.spoilt;
  rows.emplace_back(plan.far_end == FarEnd::listen ? "calls that failed" : "calls without a score",
                    judged == 0 ? "not known: no call counts"
                                : fmt::format("{:.1f} % of the {} that count", summary.failed_percent, judged));
  rows.emplace_back("time to ring", times(summary.ring_s));
  rows.emplace_back("time to answer", times(summary.answer_s));
  rows.emplace_back("packets", fmt::format("{} sent, {} received, {} lost", summary.packets_sent,
                                           summary.packets_received, summary.packets_lost));
  rows.emplace_back("own lateness", fmt::format("{} packets later than {:g} ms, worst {:.2f} ms", summary.sent_late,
                                                plan.late_ms, summary.worst_late_ms));
  if (summary.spoilt > 0) {
    rows.emplace_back("what to do",
                      "this machine was too busy for its packets: make fewer calls at a time, end other "
                      "work, or let it run with real-time priority (CAP_SYS_NICE)");
  }
  if (ramp != nullptr) rows.emplace_back("rising load", ramp->in_words());
  if (!summary.verdict_reason.empty()) {
    std::string verdict(to_string(summary.verdict));
    std::ranges::replace(verdict, '_', ' ');
    rows.emplace_back("verdict", verdict + ": " + summary.verdict_reason);
  }
  return rows;
}

}  // namespace vqas
