#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/escape.h"
#include "report/page.h"
#include "report/svg_plot.h"
#include "run/run_json.h"
#include "vqas/run/mos_scale.h"

namespace vqas::report {
namespace {

std::string percent(double part) {
  return fmt::format("{:.3g} %", 100 * part);
}

/// StopReason has no value for a killed program; a run without an end time was killed.
std::string why_stopped(const StimulusRun& stimulus, const RunResults& results) {
  const bool broken_off = results.finished_utc.empty() && stimulus.stopped_because == StopReason::cancelled;
  return broken_off ? "broken off" : stop_in_words(stimulus.stopped_because, results.sampling);
}

}  // namespace

std::string name_of(const DirectionRun& direction) {
  return fmt::format("{} → {}", name_of(direction.from), name_of(direction.to()));
}

std::string table_row(const std::vector<std::string>& cells, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, cell);
  return row + "</tr>\n";
}

std::string plot_section(const PageData& data) {
  Plot plot{.labels = {},
            .series = {},
            .mode = data.results.mode,
            .lowest = 1,
            .highest = highest_mos(data.results.mode),
            .axis = std::string(scale_name(data.results.mode))};
  plot.quality_bands = true;
  for (const DirectionRun& direction : data.results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      if (std::ranges::find(plot.labels, stimulus.stimulus) == plot.labels.end())
        plot.labels.push_back(stimulus.stimulus);
    }
  }
  for (std::size_t i = 0; i < data.results.directions.size(); ++i) {
    const DirectionRun& direction = data.results.directions[i];
    const StratifiedMean& mean = data.summaries[i].mean;
    PlotSeries series{.name = name_of(direction), .points = {}, .mean = {}, .half_width = mean.half_width};
    if (mean.strata > 0) series.mean = mean.mean;
    for (const std::string& label : plot.labels) {
      PlotPoint point;
      for (const StimulusRun& stimulus : direction.stimuli) {
        if (stimulus.stimulus != label) continue;
        point.scores = store::scores_of(stimulus.measurements);
        point.half_width = stimulus.interval.half_width;
        if (stimulus.interval.n > 0) point.mean = stimulus.interval.mean;
        const StimulusSummary summary = summarise(stimulus);
        if (summary.conditional) point.bound = summary.bound;
      }
      series.points.push_back(std::move(point));
    }
    plot.series.push_back(std::move(series));
  }
  Plot narrow = plot;
  narrow.narrow = true;
  return "<section>\n<h2>MOS by stimulus and direction</h2>\n<div class=\"plot wide\">" + svg_plot(plot) +
         "</div>\n<div class=\"plot narrow\">" + svg_plot(narrow) + "</div>\n" +
         fmt::format(
             "<p class=\"quiet small\">Marks: mean of a stimulus, with its interval ({} unless the table gives another "
             "confidence). Small dots: single measurements. Dashed line and band: equal-weight mean of the "
             "direction and its interval. Hollow mark: conditional, more than {} not scored; the triangle is "
             "the mean with those at the bottom of the scale. ×: no score. Arrowhead at the end of a bar: "
             "the interval extends beyond the scale. The scale ends at {:.2f}, the score of an undistorted "
             "recording.</p>\n</section>\n",
             percent(data.results.sampling.goal.confidence), percent(kConditionalShare),
             highest_mos(data.results.mode));
}

std::string stimuli_section(const PageData& data) {
  std::set<std::string> whys, confidences;
  bool any_conditional = false;
  for (const DirectionRun& direction : data.results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      whys.insert(why_stopped(stimulus, data.results));
      confidences.insert(percent(stimulus.interval.confidence));
      any_conditional = any_conditional || summarise(stimulus).conditional;
    }
  }
  const bool same_why = whys.size() == 1, same_confidence = confidences.size() == 1;
  // What all rows share stands above the table; a telephone's screen has no room for the minor columns.
  const auto row = [&](const char* tag, const std::vector<std::string>& cells) {
    const bool shown[] = {true, true, true, true, !same_confidence, true, true, true, any_conditional, !same_why};
    const bool minor[] = {false, false, false, false, true, true, false, false, true, true};
    std::string html = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (shown[i]) html += fmt::format("<{0}{2}>{1}</{0}>", tag, cells[i], minor[i] ? " class=\"minor\"" : "");
    }
    return html + "</tr>\n";
  };
  std::string html = "<section class=\"long by-stimulus\">\n<h2>By stimulus</h2>\n";
  std::string shared;
  if (same_confidence) shared += fmt::format("Half-widths are at {}. ", *confidences.begin());
  if (same_why) shared += fmt::format("All stopped for one reason: {}.", escape(*whys.begin()));
  if (!shared.empty()) html += "<p>" + shared + "</p>\n";
  html += "<div class=\"scroll\"><table class=\"stimuli\">\n<thead>" +
          row("th", {"direction", "stimulus", "mean", "half-width", "confidence", "deviation", "n", "not scored",
                     "mean with unscored at 1.0", "stopped because"}) +
          "</thead>\n<tbody>\n";
  for (std::size_t i = 0; i < data.results.directions.size(); ++i) {
    const DirectionRun& direction = data.results.directions[i];
    for (const StimulusRun& stimulus : direction.stimuli) {
      const Interval& interval = stimulus.interval;
      const StimulusSummary summary = summarise(stimulus);
      html += row(
          "td",
          {svg_mark(i) + " " + escape(name_of(direction)), escape(stimulus.stimulus),
           interval.n > 0
               ? fmt::format("<b>{:.2f}</b>{}", interval.mean, summary.conditional ? "<span>conditional</span>" : "")
               : std::string("no score"),
           interval.n > 0 ? escape(half_width_text(interval.half_width, data.results.mode)) : "–",
           percent(interval.confidence), interval.n > 1 ? fmt::format("{:.3f}", interval.standard_deviation) : "–",
           std::to_string(interval.n), std::to_string(summary.outcomes.total() - summary.outcomes.of(Outcome::scored)),
           summary.conditional && summary.bound ? fmt::format("{:.2f}", *summary.bound) : "",
           escape(why_stopped(stimulus, data.results))});
    }
  }
  return html + "</tbody>\n</table></div>\n</section>\n";
}

}  // namespace vqas::report
