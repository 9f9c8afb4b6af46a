#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/escape.h"
#include "trend/page_parts.h"
#include "trend/parts.h"
#include "trend/site_record.h"
#include "trend/trend_chart.h"

namespace vqas::trend {
namespace {

using report::escape;

std::string by_direction(const IndexEntry& entry, std::string (*words)(const CircuitTrend&, const DirectionTrend&)) {
  std::string html;
  for (const DirectionTrend& direction : entry.trend.directions)
    html += fmt::format("<div>{}</div>", words(entry.trend, direction));
  return "<div>" + html + "</div>";
}

std::string last_mean(const CircuitTrend& trend, const DirectionTrend& direction) {
  const RunOfTrend& run = trend.runs[direction.runs.back()];
  const DirectionOfRun& one = *direction_of(run, direction.from);
  return arrow(direction.from) + " <b>" +
         (one.mean ? escape(mean_text(*one.mean, one.half_width, scale_of(run))) : std::string("no score")) + "</b>";
}

std::string last_change(const CircuitTrend& trend, const DirectionTrend& direction) {
  const TrendChange* const change = direction.last_change();
  if (change == nullptr) return arrow(direction.from) + " none found";
  return fmt::format("{} {}: {:+.2f}", arrow(direction.from), trend.local.at(trend.runs[change->after].started_s).date,
                     change->to_mos - change->from_mos);
}

}  // namespace

std::string index_html(const std::vector<IndexEntry>& circuits, double now_s) {
  std::map<std::string, std::size_t> states;
  std::string rows;
  for (const IndexEntry& one : circuits) {
    const std::optional<CircuitState> state = state_of(one.trend, now_s);
    if (!state) continue;
    ++states[std::string(to_string(*state))];
    rows += row_of({fmt::format("<a href=\"{}\">{}</a>", one.page, escape(one.trend.name)), state_badge(*state),
                    by_direction(one, last_mean), by_direction(one, svg_spark), by_direction(one, last_change),
                    when(one.trend.local, one.trend.runs.back().started_s), std::to_string(one.trend.runs.size())},
                   "td", {"wide", "n", "n", "", "n", "n", ""});
  }
  std::string body = "<h1>Circuits</h1>\n";
  if (rows.empty()) return page_of("Circuits", body + "<p>There are no runs yet.</p>\n");
  std::string words;
  for (const auto& [state, count] : states) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, state);
  body += fmt::format("<p>{} circuit{}: {}. <span class=\"quiet\">Times are those of {}.</span></p>\n", circuits.size(),
                      circuits.size() == 1 ? "" : "s", words, escape(circuits.front().trend.local.zone()));
  body += table_of({"circuit", "state", "last mean", "last 60 runs", "last change", "last run", "runs"}, rows, "index");
  body +=
      "<h2>States</h2>\n<p class=\"small\">The first that fits: <b>overdue</b>, no run for three times as long as "
      "usual, or as the longest time between two slots of its campaign; <b>no score</b> in a direction of the last "
      "run; <b>not measured</b>, the last run was broken off; <b>below the limit</b> of its plan, or <b>undecided</b>; "
      "<b>worse</b>, the level of a direction fell at its last change; <b>meets the limit</b>; without a limit <b>few "
      "runs</b>, too few to see a change, or <b>steady</b>. Steady says that the level has not fallen, not that it is "
      "high.</p>\n";
  return page_of("Circuits", body);
}

}  // namespace vqas::trend
