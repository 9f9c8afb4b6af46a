// The first page: what was measured and for whom, how good it is, what to do next.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "report/escape.h"
#include "report/page.h"
#include "report/quality_scale.h"
#include "report/svg_plot.h"
#include "vqas/report/findings.h"
#include "vqas/report/heard.h"
#include "vqas/run/call_levels.h"
#include "vqas/run/mos_scale.h"

namespace vqas::report {
namespace {

std::optional<int> number_at(const std::string& text, std::size_t at, std::size_t count) {
  int value = 0;
  if (at + count > text.size()) return std::nullopt;
  const char* const end = text.data() + at + count;
  const auto [stop, fault] = std::from_chars(text.data() + at, end, value);
  return fault == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::string facts(const PageData& data) {
  const RunAbout& about = data.results.about;
  std::string rows;
  const auto row = [&rows](const char* name, const std::string& value, const char* kind = "") {
    if (!value.empty()) rows += fmt::format("<dt>{}</dt><dd{}>{}</dd>\n", name, kind, escape(value));
  };
  const auto tag = [&about](const char* name) {
    const auto found = about.tags.find(name);
    return found == about.tags.end() ? std::string() : found->second;
  };
  row("Customer", tag("customer"));
  row("Site", tag("site"));
  row("Circuit", tag("circuit"));
  row("Campaign", about.campaign);
  row("Measured", date_in_words(data.results.started_utc));
  row("Run", about.uuid, " class=\"run\"");
  return rows.empty() ? "" : "<dl class=\"facts\">\n" + rows + "</dl>\n";
}

/// A scale from 1 to its end that marks the mean.
std::string gauge(double mos, double top, const std::string& colour) {
  constexpr double kWidth = 300;
  const auto x_of = [top](double value) { return kWidth * (value - 1) / (top - 1); };
  std::string svg =
      "<svg class=\"gauge\" viewBox=\"0 0 300 34\" role=\"img\" font-family=\"system-ui,Helvetica,Arial,sans-serif\" "
      "font-size=\"11\" fill=\"#444\">";
  double to = top;
  for (const QualityBand& band : kQualityBands) {
    svg += fmt::format(
        "<rect x=\"{0:.1f}\" y=\"8\" width=\"{1:.1f}\" height=\"10\" fill=\"{2}\" stroke=\"#b8bcc2\"/>"
        "<text x=\"{3:.1f}\" y=\"31\" text-anchor=\"middle\">{4}</text>",
        x_of(band.from), x_of(to) - x_of(band.from), band.colour, (x_of(band.from) + x_of(to)) / 2,
        band.word == "excellent" ? "exc." : band.word);
    to = band.from;
  }
  return svg + fmt::format("<rect x=\"{:.1f}\" y=\"3\" width=\"4\" height=\"20\" fill=\"{}\"/></svg>",
                           x_of(std::clamp(mos, 1.0, top)) - 2, colour);
}

std::string card_of(const PageData& data, std::size_t index) {
  const DirectionRun& direction = data.results.directions[index];
  const DirectionSummary& summary = data.summaries[index];
  std::string card = "<div class=\"card\"><div>" + svg_mark(index) + " <b>" + escape(name_of(direction)) + "</b></div>";
  if (summary.mean.strata == 0) return card + "<div class=\"number\">no score</div></div>\n";
  card += fmt::format("<div class=\"number\">{:.2f} <span class=\"unit\">{}, {}</span></div>", summary.mean.mean,
                      scale_name(data.results.mode), quality_of(summary.mean.mean).word);
  card += gauge(summary.mean.mean, highest_mos(data.results.mode), svg_colour(index));
  card += "<div class=\"small\">" +
          escape(precision_in_words(summary.mean.half_width, summary.mean.confidence, data.provenance.model_error_mos,
                                    data.provenance.model_error_label, data.results.mode)) +
          "</div>";
  card += fmt::format(
      "<div class=\"quiet small\">mean of {} of {} stimuli, range {:.2f}; {} of {} measurements scored</div>",
      summary.mean.strata, direction.stimuli.size(), summary.mean.range, summary.outcomes.of(Outcome::scored),
      summary.outcomes.total());
  if (!summary.goal.empty()) card += "<div class=\"quiet small\">" + escape(summary.goal) + "</div>";
  if (summary.conditional) card += "<div class=\"note\">" + escape(conditional_in_words(summary)) + "</div>";
  return card + "</div>\n";
}

std::string sentences(const PageData& data) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < data.results.directions.size(); ++i)
    words.push_back(heard_in_words(data.results.directions[i], data.summaries[i]));
  if (words.empty()) return "";
  if (std::ranges::all_of(words, [&](const std::string& one) { return one == words.front(); })) {
    words.front().front() = static_cast<char>(words.front().front() - ('a' - 'A'));
    return "<p class=\"lead\">" + escape(words.front()) + (words.size() > 1 ? ", in both directions" : "") + ".</p>\n";
  }
  std::string html;
  for (std::size_t i = 0; i < words.size(); ++i)
    html +=
        "<p class=\"lead\"><b>" + escape(name_of(data.results.directions[i])) + "</b> " + escape(words[i]) + ".</p>\n";
  return html;
}

/// A list of what to do about a direction, each without its full stop.
std::vector<std::string> items_about(const DirectionRun& direction, const DirectionSummary& summary, bool simulated,
                                     bool failed) {
  std::vector<std::string> items;
  const Breakdowns hidden = breakdowns_of(direction);
  const bool none = summary.mean.strata == 0;
  if (hidden.breaks_down) {
    items.push_back(
        "breaks down at times: find the times under “During the run”, and compare them with alarms, weather and load "
        "of the line");
    items.push_back("when it breaks down, " + advice_on(hidden.low));
  }
  if (hidden.losses > 0)
    items.push_back(fmt::format("the call or an end was lost {}: {} below shows where; look for what ended it",
                                times_in_words(hidden.losses), hidden.calls > 1 ? "“Calls”" : "“Outcomes”"));
  if (none || summary.conditional) {
    items.push_back(fmt::format("{}: see “Outcomes” below{}",
                                none ? "no measurement could be scored" : "too many measurements have no score",
                                simulated ? "" : "; <code>vqas line check</code> shows what to fix"));
  } else if (hidden.unscored > 0) {
    items.push_back(fmt::format("{} of {} measurements {} no score: see “Outcomes” below", hidden.unscored, hidden.made,
                                hidden.unscored == 1 ? "has" : "have"));
  }
  if (failed && !hidden.breaks_down) items.push_back(advice_on(measurements_of(direction)));
  return items;
}

std::string next_steps(const PageData& data, const std::optional<RunJudgement>& judged) {
  std::string items;
  const RunResults& results = data.results;
  bool fails = false;
  bool undecided = false;
  for (std::size_t i = 0; i < results.directions.size(); ++i) {
    const DirectionSummary& summary = data.summaries[i];
    const bool none = summary.mean.strata == 0;
    const bool fair = !none && summary.mean.mean < 3.5;
    const bool failed = judged ? judged->directions[i].verdict == LimitVerdict::fail : fair;
    fails = fails || failed;
    if (!none && !summary.conditional)
      undecided = undecided || (judged && judged->directions[i].verdict == LimitVerdict::undecided);
    for (const std::string& one : items_about(results.directions[i], summary, !results.simulated.empty(), failed))
      items += "<li><b>" + escape(name_of(results.directions[i])) + "</b> " + one + ".</li>\n";
  }
  if (!results.is_complete())
    items +=
        "<li>The run is not complete: finish it with <code>vqas measure --resume FOLDER</code>, then use the new "
        "report.</li>\n";
  if (undecided)
    items +=
        "<li>The mean is too close to the limit for a verdict: listen to the recordings and "
        "decide.</li>\n";
  if (fails)
    items +=
        "<li>After a repair, measure again as described below and compare both runs with <code>vqas results "
        "compare</code>.</li>\n";
  return items.empty() ? "" : "<h2>What to do next</h2>\n<ul>\n" + items + "</ul>\n";
}

}  // namespace

std::string date_in_words(const std::string& utc) {
  static constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
  static constexpr const char* kDays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
  const auto year = number_at(utc, 0, 4), month = number_at(utc, 5, 2), day = number_at(utc, 8, 2);
  if (!year || !month || !day) return utc;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return utc;
  const std::chrono::weekday weekday{std::chrono::sys_days(date)};
  std::string words = fmt::format("{}, {} {} {}", kDays[weekday.c_encoding()], *day, kMonths[*month - 1], *year);
  if (utc.size() >= 16 && utc[10] == 'T') words += ", " + utc.substr(11, 5) + " UTC";
  return words;
}

std::string headline_section(const PageData& data) {
  const RunResults& results = data.results;
  const auto judged = judge_run(results, data.provenance);
  std::string html =
      "<section class=\"first\">\n<h1>Voice quality of " + escape(line_title(results)) + "</h1>\n" + facts(data);
  if (judged) {
    const std::string name(to_string(judged->verdict));
    // Some programs that make PDF do not support ::first-letter.
    std::string shown = name;
    shown.front() = static_cast<char>(shown.front() - ('a' - 'A'));
    html += fmt::format("<p class=\"verdict {}\">{}: limit {:.2f} {}</p>\n", name, shown, *results.about.limit_mos,
                        scale_name(results.mode));
  } else if (results.about.limit_mos) {
    html += fmt::format("<p class=\"verdict undecided\">Not measured: limit {:.2f} {}</p>\n", *results.about.limit_mos,
                        scale_name(results.mode));
  }
  html += sentences(data);
  if (!results.is_complete())
    html += "<div class=\"note\">This run is not complete: " + escape(results.ended_because) + ".</div>\n";
  for (const std::string& warning : call_warnings(results))
    html += "<div class=\"note\">" + escape(warning) + ".</div>\n";
  html += "<div class=\"cards\">\n";
  for (std::size_t i = 0; i < results.directions.size(); ++i) html += card_of(data, i);
  html += "</div>\n";
  if (judged) {
    html += "<ul class=\"small\">\n";
    for (std::size_t i = 0; i < judged->directions.size(); ++i)
      html += fmt::format("<li><b>{}</b> {}: {}</li>\n", escape(name_of(results.directions[i])),
                          to_string(judged->directions[i].verdict), escape(judged->directions[i].reason));
    html += "</ul>\n";
  }
  html += next_steps(data, judged);
  return html + "<p class=\"quiet small\">Measured by VQAS " + escape(data.provenance.software_version) + ", score " +
         escape(data.provenance.score_version) + ".</p>\n</section>\n";
}

}  // namespace vqas::report
