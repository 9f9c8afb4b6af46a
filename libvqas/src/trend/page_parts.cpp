#include "trend/page_parts.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "report/escape.h"
#include "vqas/report/summary.h"

namespace vqas::trend {
namespace {

using report::escape;

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --text: #222; --quiet: #5a5f66; --page: #fff; --line: #d5d9de; --axis: #8a8f98;
  --soft: #f3f5f7; --dot: #0072b2; --bar: #0072b255; --level: #00466e; --band: #0072b226; --change: #b34700;
  --out: #c0392b33; --gap: #8a8f9840; --other: #7a4fa3; --good: #007a59; --bad: #b3261e; --warn: #8a5a00; --heat: #c0392b; }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #e4e6e9; --quiet: #a2a8b0; --page: #16181b; --line: #34383e; --axis: #7b828b; --soft: #1f2226;
    --dot: #56b4e9; --bar: #56b4e955; --level: #a9dcff; --band: #56b4e92e; --change: #ff9a4d; --out: #ff6b5c3d;
    --gap: #8a8f9850; --other: #c9a3f0; --good: #4fd1a5; --bad: #ff8a80; --warn: #f2c14e; --heat: #ff7a6b; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, Helvetica, Arial, sans-serif; color: var(--text); background: var(--page); margin: 0; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 28px 48px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 6px; overflow-wrap: anywhere; }
h2 { font-size: 20px; margin: 34px 0 8px; border-bottom: 1px solid var(--line); padding-bottom: 4px; }
h3 { font-size: 16px; margin: 18px 0 4px; }
p, li { max-width: 80ch; margin: 6px 0; } a { color: var(--dot); }
.quiet { color: var(--quiet); } .small { font-size: 14px; }
.cards { display: flex; flex-wrap: wrap; gap: 16px; margin: 16px 0; }
.card { flex: 1 1 300px; border: 1px solid var(--line); border-radius: 6px; padding: 10px 16px; }
.card .number { font-size: 38px; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
.card .number span { font-size: 17px; font-weight: 400; color: var(--quiet); }
.state { font-weight: 600; white-space: nowrap; }
.state.good { color: var(--good); } .state.bad { color: var(--bad); } .state.warn { color: var(--warn); }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; margin: 8px 0 14px; }
th, td { padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { border-bottom: 2px solid var(--axis); vertical-align: bottom; }
td.wide { overflow-wrap: anywhere; min-width: 10em; } td.n { white-space: nowrap; }
.scroll { overflow-x: auto; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--text); }
svg.spark { width: 150px; height: 24px; }
.narrow { display: none; }
.pair { display: flex; flex-wrap: wrap; gap: 8px 32px; } .pair figure { flex: 1 1 320px; max-width: 520px; }
figure { margin: 8px 0; } figcaption { font-size: 14px; color: var(--quiet); }
details { margin: 10px 0; } summary { cursor: pointer; }
.grid { stroke: var(--line); } .axis { stroke: var(--axis); fill: none; } .faint { fill: var(--quiet) !important; }
.dots { stroke: var(--dot); fill: none; stroke-linecap: round; } .dots.conditional { opacity: .35; }
.dots.s1 { stroke: var(--other); } .bars { stroke: var(--bar); fill: none; }
.level { stroke: var(--level); stroke-width: 2.5; } .band { fill: var(--band); }
.change { stroke: var(--change); stroke-width: 1.5; } .changed { fill: var(--change); opacity: .14; }
svg .letter { fill: var(--change); font-weight: 700; } .out { fill: var(--out); } .gap { fill: var(--gap); }
.scale { stroke: var(--other); stroke-width: 1.5; stroke-dasharray: 3 4; } svg .scaled { fill: var(--other); }
.column { fill: var(--axis); opacity: .55; } .column.differs { fill: var(--change); opacity: .9; }
.whisker { stroke: var(--text); opacity: .7; } .cell { fill: var(--heat); } .empty { fill: var(--soft); }
.key { display: inline-block; width: 14px; height: 10px; margin: 0 4px 0 12px; }
@media screen and (max-width: 640px) {
  main { padding: 14px 14px 32px; } h1 { font-size: 22px; }
  .plot.wide { display: none; } .narrow { display: block; }
  table.stack, table.stack tbody { display: block; } table.stack thead { display: none; }
  table.stack tr { display: block; border-bottom: 1px solid var(--line); padding: 6px 0; }
  table.stack td { display: flex; gap: 10px; border: 0; padding: 1px 0; min-width: 0; }
  table.stack td::before { content: attr(data-head); color: var(--quiet); flex: 0 0 7.5em; }
  table.stack td.none { display: none; }
}
@page { size: A4; margin: 16mm 14mm; }
@media print {
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; } table { font-size: 8.5pt; }
  thead { display: table-header-group; } tr, figure, .card { break-inside: avoid; } h2, h3 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
)css";

}  // namespace

std::string page_of(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escape(title) + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<main>\n" + body +
         "</main>\n</body>\n</html>\n";
}

std::string row_of(const std::vector<std::string>& cells, const char* tag, const std::vector<const char*>& classes) {
  std::string row = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool classed = i < classes.size() && *classes[i] != '\0';
    row += fmt::format("<{0}{1}>{2}</{0}>", tag, classed ? fmt::format(" class=\"{}\"", classes[i]) : "", cells[i]);
  }
  return row + "</tr>\n";
}

std::string table_of(const std::vector<std::string>& heads, const std::string& rows, const char* classes) {
  // On a telephone each cell stands behind its column's name.
  std::string named;
  std::size_t cell = 0;
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t next = rows.find("<td", at);
    const std::size_t end = rows.find("</tr>", at);
    if (next == std::string::npos || end < next) {
      if (end == std::string::npos) break;
      cell = 0;
      named.append(rows, at, end + 5 - at);
      at = end + 5;
      continue;
    }
    named.append(rows, at, next + 3 - at);
    named += fmt::format(" data-head=\"{}\"", heads[cell < heads.size() ? cell : heads.size() - 1]);
    ++cell;
    at = next + 3;
  }
  return fmt::format("<div class=\"scroll\"><table class=\"stack {}\">\n<thead>{}</thead>\n<tbody>\n", classes,
                     row_of(heads, "th")) +
         named + "</tbody>\n</table></div>\n";
}

std::string when(const LocalTime& local, double utc_s) {
  const LocalClock clock = local.at(utc_s);
  return clock.date + " " + clock.time;
}

std::string lasting(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<long>(std::lround(seconds / 60));
  const long days = minutes / 1440, hours = minutes / 60 % 24, rest = minutes % 60;
  if (days > 0) return hours > 0 ? fmt::format("{} d {} h", days, hours) : fmt::format("{} d", days);
  if (hours > 0) return rest > 0 ? fmt::format("{} h {} min", hours, rest) : fmt::format("{} h", hours);
  return fmt::format("{} min", rest);
}

std::string arrow(End from) {
  return fmt::format("{} → {}", name_of(from), name_of(other_end(from)));
}

std::string mean_text(double mean, double half_width, ScoreMode mode) {
  return std::isfinite(half_width) ? fmt::format("{:.2f} {}", mean, half_width_text(half_width, mode))
                                   : fmt::format("{:.2f}", mean);
}

std::string step_text(const TrendChange& change, ScoreMode mode) {
  return fmt::format("{} {}, from {:.2f} to {:.2f}", difference_text(change.to_mos - change.from_mos),
                     half_width_text(change.half_width, mode), change.from_mos, change.to_mos);
}

std::string letter_of(std::size_t index) {
  std::string name;
  for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26)
    name.insert(name.begin(), static_cast<char>('A' + (rest - 1) % 26));
  return name;
}

std::string link_to(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path from = fs::weakly_canonical(folder.empty() ? "." : folder, failed);
  const fs::path to = fs::weakly_canonical(file, failed);
  std::string link;
  for (const char c : to.lexically_relative(from).generic_string()) {
    const bool usual = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
    link += usual ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return link;
}

std::string state_badge(CircuitState state) {
  const bool good = state == CircuitState::passes || state == CircuitState::steady;
  const bool bad = state == CircuitState::fails || state == CircuitState::no_score;
  const char* const mark = good ? "●" : bad ? "■" : "▲";
  return fmt::format("<span class=\"state {}\">{} {}</span>",
                     good  ? "good"
                     : bad ? "bad"
                           : "warn",
                     mark, to_string(state));
}

}  // namespace vqas::trend
