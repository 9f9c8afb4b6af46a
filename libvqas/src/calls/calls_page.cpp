#include "calls/calls_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "report/escape.h"
#include "report/svg_chart.h"
#include "vqas/calls/calls_text.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

using report::escape;

// An <svg> of more points is slow to show, and shows no more.
constexpr std::size_t kMostPoints = 2000;

std::string cells(const std::vector<std::string>& texts, const char* tag = "td") {
  std::string row = "<tr>";
  for (const std::string& one : texts) row += fmt::format("<{0}>{1}</{0}>", tag, escape(one));
  return row + "</tr>\n";
}

std::string chart(const std::vector<CallOutcome>& calls, ScoreMode mode, bool over_time) {
  report::Chart chart;
  const std::string scale = mos_name(mode);
  chart.title = scale + (over_time ? " over time" : " by call");
  chart.x_axis = over_time ? "minutes from the first call" : "call";
  chart.y_axis = scale + " of the call";
  report::ChartSeries series{"calls", {}};
  std::size_t scored = 0;
  for (const CallOutcome& call : calls) scored += call.mos() ? 1 : 0;
  const std::size_t every = std::max<std::size_t>(1, (scored + kMostPoints - 1) / kMostPoints);
  std::size_t at = 0;
  for (const CallOutcome& call : calls) {
    const auto mos = call.mos();
    if (!mos || at++ % every != 0) continue;
    const double x = over_time ? call.started_s / 60 : static_cast<double>(call.number);
    series.points.push_back({x, *mos, 0, false, fmt::format("call {}: {:.2f}", call.number, *mos)});
  }
  if (series.points.empty()) return {};
  chart.series.push_back(std::move(series));
  const std::string note = every > 1 ? fmt::format("<p>One of {} calls is drawn.</p>\n", every) : std::string();
  return "<div>" + report::svg_chart(chart) + "</div>\n" + note;
}

std::string worst_table(const std::vector<CallOutcome>& calls, const CallsSummary& summary) {
  std::vector<const CallOutcome*> kept;
  for (const CallOutcome& call : calls) {
    if (!call.recording.empty()) kept.push_back(&call);
  }
  if (kept.empty()) return {};
  const auto relative = [&](const CallOutcome* call) {
    const auto mos = relative_mos(*call, summary.by_sentence);
    return mos ? fmt::format("{:+.2f}", *mos) : std::string();
  };
  std::ranges::sort(kept, {}, [&](const CallOutcome* call) { return rank_mos(*call, summary.by_sentence); });
  std::vector<std::string> heads{"call",        "sentences",    "began",      mos_name(summary.mode),
                                 "to the mean", "packets lost", "jitter, ms", "recording"};
  if (summary.narrowband_mos) heads.emplace_back(scale_name(ScoreMode::narrowband));
  std::string table =
      "<h2>Worst calls</h2>\n<p>By how far they lie below the means of their sentences in the other calls; where no "
      "other call "
      "carried them, below the mean of all other calls.</p>\n<table>\n" +
      cells(heads, "th");
  for (const CallOutcome* call : kept) {
    std::vector<std::string> stimuli;
    for (const CallSentence& one : call->sentences) stimuli.push_back(one.stimulus);
    std::vector<std::string> row{std::to_string(call->number),
                                 fmt::format("{}", fmt::join(stimuli, " ")),
                                 call->started_utc,
                                 fmt::format("{:.2f}", call->mos().value_or(0)),
                                 relative(call),
                                 std::to_string(call->packets.heard.packets_lost),
                                 fmt::format("{:.1f}", call->packets.worst_jitter_ms),
                                 call->recording};
    if (summary.narrowband_mos) {
      const auto mos = call->narrowband_mos();
      row.push_back(mos ? fmt::format("{:.2f}", *mos) : std::string());
    }
    table += cells(row);
  }
  return table + "</table>\n";
}

std::string ramp_table(const RampFound* ramp, ScoreMode mode) {
  if (ramp == nullptr) return {};
  std::string table =
      "<h2>Rising load</h2>\n<p>" + escape(ramp->in_words()) + ".</p>\n<table>\n" +
      cells({"at a time", "calls", fmt::format("mean {}", mos_name(mode)), "without a score", "held"}, "th");
  for (const RampStep& step : ramp->steps) {
    table += cells({std::to_string(step.at_once), std::to_string(step.summary.calls),
                    step.summary.mos ? fmt::format("{:.2f}", step.summary.mos->mean) : "-",
                    fmt::format("{:.1f} %", step.summary.failed_percent), step.held ? "yes" : "no: " + step.why});
  }
  return table + "</table>\n";
}

}  // namespace

std::string calls_page(const std::vector<CallOutcome>& calls, const CallsSummary& summary, const CallsPlan& plan,
                       const RampFound* ramp) {
  const std::string title = plan.name.empty() ? "Calls" : plan.name;
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{1}</style></head>\n"
      "<body>\n<main>\n<section>\n<h1>{0}</h1>\n<p>{2}</p>\n<table>\n",
      escape(title), page_style(), escape(plan.line));
  for (const auto& [what, figure] : calls_rows(summary, plan, ramp)) page += cells({what, figure});
  page += "</table>\n" + chart(calls, summary.mode, true) + chart(calls, summary.mode, false) +
          ramp_table(ramp, summary.mode) + worst_table(calls, summary);
  return page + "</section>\n</main>\n</body></html>\n";
}

}  // namespace vqas
