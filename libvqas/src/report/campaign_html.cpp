#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>
#include <set>

#include "report/escape.h"
#include "report/page.h"
#include "report/svg_chart.h"
#include "report/svg_plot.h"
#include "vqas/report/findings.h"
#include "vqas/report/report.h"
#include "vqas/report/slot_words.h"
#include "vqas/run/mos_scale.h"
#include "vqas/store/utc_text.h"

namespace vqas {
namespace {

using report::escape;
using report::table_row;

constexpr std::size_t kMostCompared = 10;
constexpr double kErrorFree = 1e-10;  // place of a line without errors on the logarithmic scale

/// When each run began, in s since 1970, or nothing. A simulated line's runs are measured one after the other, whatever
/// the times of their slots: they count as begun when their slots say.
std::vector<std::optional<double>> starts_of(std::span<const StoredRun> runs, std::span<const std::string> names,
                                             std::span<const SlotRecord> records) {
  std::vector<std::optional<double>> starts;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    starts.push_back(utc_from_text(runs[r].results.started_utc));
    const auto slot = std::ranges::find(records, names[r], &SlotRecord::run);
    if (!runs[r].results.simulated.empty() && slot != records.end())
      starts.back() = slot->began_s.value_or(slot->due_s);
  }
  return starts;
}

/// By start; runs without a known start come last.
std::vector<std::size_t> in_order_of_start(std::span<const std::optional<double>> starts) {
  std::vector<std::size_t> order(starts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto began = [&starts](std::size_t r) { return starts[r].value_or(std::numeric_limits<double>::infinity()); };
  std::ranges::stable_sort(order, {}, began);
  return order;
}

/// Clock times on an axis that starts at `first` and is `span` long, both in s. Positions are in s after `first`.
void add_clock(report::Chart& chart, double first, double span) {
  constexpr double kMostTicks = 6, kDay = 86400;
  constexpr std::array kSteps = {1.,    2.,    5.,    10.,    15.,    30.,    60.,  120.,     300.,     600.,     900.,
                                 1800., 3600., 7200., 10800., 21600., 43200., kDay, 2 * kDay, 7 * kDay, 30 * kDay};
  const auto* const fits = std::ranges::find_if(kSteps, [span](double one) { return span / one <= kMostTicks; });
  double step = fits != kSteps.end() ? *fits : kSteps.back();
  while (span / step > 2 * kMostTicks) step *= 2;
  const bool one_day = std::floor(first / kDay) == std::floor((first + span) / kDay);
  const auto words = [](double seconds, const char* form) {
    return fmt::format(fmt::runtime(form), fmt::gmtime(static_cast<std::time_t>(std::llround(seconds))));
  };
  const char* const form = step < 60      ? "{:%H:%M:%S}"
                           : one_day      ? "{:%H:%M}"
                           : step >= kDay ? "{:%m-%d}"
                                          : "{:%m-%d %H:%M}";
  if (span == 0) {
    chart.ticks.push_back({0, words(first, "{:%H:%M:%S}")});
  } else {
    for (double at = std::ceil(first / step) * step; at <= first + span; at += step)
      chart.ticks.push_back({at - first, words(at, form)});
  }
  chart.x_axis = one_day ? "start of the run, UTC, on " + words(first, "{:%Y-%m-%d}") : "start of the run, UTC";
}

/// Label of a run's point: the last part of its path, shortened when long.
std::string short_name(std::string name) {
  constexpr std::size_t kLongest = 20;
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  if (const std::size_t slash = name.rfind('/'); slash != std::string::npos) name = name.substr(slash + 1);
  return name.size() > kLongest ? name.substr(0, kLongest - 3) + "..." : name;
}

/// Labels each run once, at its highest point. Many labels would hide the points.
void name_points(report::Chart& chart, std::span<const StoredRun> runs, std::span<const std::string> names) {
  constexpr std::size_t kMostNamed = 16;
  if (runs.size() > kMostNamed) return;
  for (const std::string& name : names) {
    report::ChartPoint* highest = nullptr;
    for (report::ChartSeries& series : chart.series) {
      for (report::ChartPoint& point : series.points) {
        const bool of_run = point.title.starts_with(name + " ");
        if (of_run && (highest == nullptr || point.y > highest->y)) highest = &point;
      }
    }
    if (highest != nullptr) highest->label = short_name(name);
  }
}

bool has_several_places(const report::Chart& chart) {
  std::set<double> places;
  for (const report::ChartSeries& series : chart.series) {
    for (const report::ChartPoint& point : series.points) places.insert(point.x);
  }
  return places.size() > 1;
}

std::optional<double> ber_of(const RunResults& results, const DirectionRun& direction) {
  const auto line = results.simulated.find(direction_name(direction.from));
  if (line == results.simulated.end() || !results.profile.empty()) return std::nullopt;
  return line->second.ber;
}

/// The series of a direction, created if missing.
report::ChartSeries& series_of(report::Chart& chart, const std::string& name) {
  const auto found = std::ranges::find(chart.series, name, &report::ChartSeries::name);
  if (found != chart.series.end()) return *found;
  report::ChartSeries& made = chart.series.emplace_back();
  made.name = name;
  made.joined = true;
  return made;
}

report::Chart chart_of(const char* title, const char* axis, ScoreMode mode) {
  report::Chart chart;
  chart.title = title;
  chart.x_axis = axis;
  chart.y_axis = scale_name(mode);
  chart.highest = highest_mos(mode);
  return chart;
}

/// The names of a narrow chart's series, which has no room for them.
std::string legend_of(const report::Chart& chart) {
  std::string names;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    names += fmt::format("<span style=\"color:{}\">●</span> {} ", report::svg_colour(i), escape(chart.series[i].name));
  return "<p class=\"small\">" + names + "</p>\n";
}

/// The chart for a screen, and for a telephone: without the runs' names, and with at most five ticks.
std::string plots_of(const report::Chart& chart) {
  report::Chart narrow = chart;
  narrow.narrow = true;
  for (report::ChartSeries& series : narrow.series) {
    for (report::ChartPoint& point : series.points) point.label.clear();
  }
  std::vector<report::ChartTick> ticks;
  constexpr std::size_t kMostTicks = 5;
  const std::size_t every = (chart.ticks.size() + kMostTicks - 1) / kMostTicks;
  for (std::size_t i = 0; i < chart.ticks.size(); i += every) ticks.push_back(chart.ticks[i]);
  narrow.ticks = std::move(ticks);
  return "<div class=\"plot wide\">" + svg_chart(chart) + "</div>\n<div class=\"plot narrow\">" + svg_chart(narrow) +
         legend_of(chart) + "</div>\n";
}

std::string started_in_words(std::optional<double> utc_s, const std::string& otherwise) {
  return "<span class=\"when\">" + escape(utc_s ? utc_words(*utc_s) : otherwise) + "</span>";
}

/// The names of a campaign's runs are their folders, beside its page.
std::string linked(const std::string& name, bool links) {
  return links ? report::link_to_run(name) : escape(name);
}

std::string runs_table(std::span<const StoredRun> runs, std::span<const std::string> names, bool links,
                       std::span<const std::optional<double>> starts, report::Chart& over_time,
                       report::Chart& against_ber) {
  std::string rows;
  const std::vector<std::size_t> order = in_order_of_start(starts);
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const double first = order.empty() ? unknown : starts[order.front()].value_or(unknown);
  double span = 0;
  for (const std::size_t r : order) {
    const RunResults& results = runs[r].results;
    const auto judged = judge_run(results, runs[r].provenance);
    const std::string_view verdict = verdict_word(results, runs[r].provenance);
    for (std::size_t d = 0; d < results.directions.size(); ++d) {
      const DirectionRun& direction = results.directions[d];
      const DirectionSummary summary = summarise(direction, results.sampling);
      const std::string name = report::name_of(direction);
      const bool scored = summary.mean.strata > 0;
      const std::optional<double> seconds = starts[r];
      const std::string words = scored ? fmt::format("{} {}: {:.2f}", names[r], name, summary.mean.mean) : "";
      if (seconds) span = std::max(span, *seconds - first);
      if (scored && seconds)
        series_of(over_time, name)
            .points.push_back(
                {*seconds - first, summary.mean.mean, summary.mean.half_width, !results.notes.empty(), words});
      if (const auto ber = ber_of(results, direction); scored && ber)
        series_of(against_ber, name)
            .points.push_back(
                {std::log10(std::max(*ber, kErrorFree)), summary.mean.mean, summary.mean.half_width, false, words});
      rows += table_row({linked(names[r], links), started_in_words(starts[r], results.started_utc), escape(name),
                         scored ? fmt::format("<b>{:.2f}</b>", summary.mean.mean) : std::string("no score"),
                         scored ? escape(half_width_text(summary.mean.half_width, results.mode)) : "–",
                         fmt::format("{} of {}{}", summary.outcomes.of(Outcome::scored), summary.outcomes.total(),
                                     scored && summary.conditional ? "; " + escape(conditional_in_words(summary)) : ""),
                         judged ? std::string(to_string(judged->directions[d].verdict)) : without_underscores(verdict),
                         results.is_complete() ? "complete" : escape(results.ended_because)});
    }
  }
  if (std::isfinite(first)) add_clock(over_time, first, span);
  return "<div class=\"scroll\"><table class=\"stack runs\">\n<thead>" +
         table_row({"run", "started, UTC", "direction", "mean", "half-width", "scored", "verdict", "ended"}, "th") +
         "</thead>\n<tbody>\n" + rows + "</tbody>\n</table></div>\n";
}

std::string comparison_section(std::span<const StoredRun> runs, std::span<const std::string> names, bool unlike_too) {
  const auto channels = channels_of(runs, names);
  if (channels.size() < 2 || channels.size() > kMostCompared) return "";
  std::string note;
  if (const Status alike = check_comparable(runs, names); !alike) {
    note = "<div class=\"note\">" + escape(alike.error().message) + ".</div>\n";
    if (!unlike_too) return "<section>\n<h2>Not compared</h2>\n" + note + "</section>\n";
  }
  const double confidence = runs.front().results.sampling.goal.confidence;
  const auto compared = compare(channels, confidence);
  if (!compared) return "";
  const ScoreMode mode = runs.front().results.mode;
  std::string ranks;
  for (const RankedChannel& one : rank_channels(runs, names, *compared))
    ranks +=
        table_row({one.rank > 0 ? std::to_string(one.rank) : "–", escape(one.name),
                   one.mean ? fmt::format("<b>{:.2f}</b>", *one.mean) : std::string("no score"),
                   one.mean ? escape(half_width_text(one.half_width, mode)) : "–", escape(one.against_the_one_before)});
  std::string rows;
  for (const Comparison& one : *compared) {
    const std::string why_not = not_compared_in_words(one);
    rows += table_row({escape(one.first), escape(one.second),
                       one.stimuli.empty() ? "–" : fmt::format("<b>{}</b>", difference_text(one.difference)),
                       escape(half_width_text(one.half_width, mode)), escape(half_width_text(one.simultaneous, mode)),
                       why_not.empty() ? fmt::format("{:.4f}", one.adjusted) : "–",
                       !why_not.empty()  ? escape("cannot be compared: " + why_not)
                       : one.conditional ? escape((one.differ() ? "yes; " : "") + conditional_in_words(one))
                       : one.differ()    ? "yes"
                                         : "not shown",
                       std::to_string(one.stimuli.size()), escape(fmt::format("{}", fmt::join(one.omitted, ", ")))});
  }
  return fmt::format(
             "<section class=\"long\">\n<h2>Comparison</h2>\n{}<p>Best first. The half-width is that of one mean. The "
             "comparison "
             "with the one above holds for all pairs together. A conditional mean has no rank, and neither has a mean "
             "without a stimulus in common with the others.</p>"
             "\n<details>\n<summary>{}</summary>\n<p>The difference is the second mean minus the first, over the "
             "stimuli with scores in both, with equal weights. Half-widths are repeatability only, at {:.4g} %: for "
             "one pair, and for all pairs together (Bonferroni). Two channels differ if Holm's test over all pairs "
             "shows it.</p>\n",
             note + "<div class=\"scroll\"><table class=\"stack ranks\">\n<thead>" +
                 table_row({"rank", "channel", "mean", "half-width", "compared with the one above"}, "th") +
                 "</thead>\n<tbody>\n" + ranks + "</tbody>\n</table></div>\n",
             compared->size() == 1 ? std::string("The pair in detail") : fmt::format("All {} pairs", compared->size()),
             100 * confidence) +
         "<div class=\"scroll\"><table>\n<thead>" +
         table_row({"first", "second", "difference", "half-width", "for all pairs", "p (Holm)", "differ", "stimuli",
                    "left out"},
                   "th") +
         "</thead>\n<tbody>\n" + rows + "</tbody>\n</table></div>\n</details>\n</section>\n";
}

}  // namespace

std::string campaign_html(std::span<const StoredRun> runs, std::span<const std::string> names, bool unlike_too,
                          std::span<const SlotRecord> records) {
  const ScoreMode mode = runs.empty() ? ScoreMode::narrowband : runs.front().results.mode;
  report::Chart over_time = chart_of("Means over time", "", mode);
  report::Chart against_ber = chart_of("Means against bit errors", "bit error ratio", mode);
  const bool is_campaign = !records.empty();
  const std::string table =
      runs_table(runs, names, is_campaign, starts_of(runs, names, records), over_time, against_ber);
  for (report::ChartSeries& series : against_ber.series)
    std::ranges::stable_sort(series.points, {}, &report::ChartPoint::x);
  name_points(over_time, runs, names);
  name_points(against_ber, runs, names);
  for (int power = -10; power <= -1; ++power)
    against_ber.ticks.push_back({static_cast<double>(power), power == -10 ? "none" : fmt::format("1e{}", power)});
  const std::string title = runs.empty() || runs.front().results.about.campaign.empty()
                                ? std::string("Several runs")
                                : runs.front().results.about.campaign;
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      escape(title) + "</title>\n<style>" + page_style() + "</style>\n</head>\n<body>\n<main>\n<section>\n<h1>" +
      escape(title) + "</h1>\n";
  page += fmt::format(
      "<p class=\"quiet\">{} runs. Bars and half-widths show repeatability. The report of each run explains the "
      "numbers.</p>\n",
      runs.size());
  if (is_campaign) {
    // Its runs are of one line: how they differ is a matter of time.
    page +=
        "<p class=\"small\">Levels, changes and outages over time: <code>vqas report FOLDER --trend "
        "trend.html</code></p>\n</section>\n" +
        report::slots_section(records);
  } else {
    page += "</section>\n" + comparison_section(runs, names, unlike_too);
  }
  if (!over_time.series.empty()) page += "<section>\n<h2>Over time</h2>\n" + plots_of(over_time) + "</section>\n";
  if (has_several_places(against_ber))
    page += "<section>\n<h2>Against bit errors</h2>\n" + plots_of(against_ber) + "</section>\n";
  page += "<section class=\"long\">\n<h2>Runs</h2>\n" + table + "</section>\n";
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace vqas
