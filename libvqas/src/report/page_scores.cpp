#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/escape.h"
#include "report/page.h"
#include "report/svg_plot.h"
#include "store/run_json.h"
#include "vqas/node/call_levels.h"

namespace vqas::report {
namespace {

constexpr double kScaleTop = 4.55;  // what P.862.1 gives to identity

std::string percent(double part) {
  return fmt::format("{:.3g} %", 100 * part);
}

/// The closed list has no word for a program that was killed; a run without an end was.
std::string why_stopped(const StimulusRun& stimulus, const RunResults& results) {
  const bool broken_off = results.finished_utc.empty() && stimulus.stopped_because == StopReason::cancelled;
  return broken_off ? "broken off" : stop_in_words(stimulus.stopped_because, results.sampling);
}

std::string card_of(const PageData& data, std::size_t index) {
  const DirectionRun& direction = data.results.directions[index];
  const DirectionSummary& summary = data.summaries[index];
  std::string card = "<div class=\"card\"><div>" + svg_mark(index) + " <b>" + escape(name_of(direction)) + "</b></div>";
  if (summary.mean.strata == 0) return card + "<div class=\"number\">no score</div></div>\n";
  card += fmt::format("<div class=\"number\">{:.2f} <span class=\"unit\">MOS-LQON</span></div>", summary.mean.mean);
  card += "<div>" +
          escape(precision_in_words(summary.mean.half_width, summary.mean.confidence, data.provenance.model_error_mos,
                                    data.provenance.model_error_label)) +
          "</div>";
  card += fmt::format("<div class=\"quiet\">mean of {} of {} stimuli, range {:.2f}; {} of {} measurements scored</div>",
                      summary.mean.strata, direction.stimuli.size(), summary.mean.range,
                      summary.outcomes.of(Outcome::scored), summary.outcomes.total());
  if (summary.conditional) card += "<div class=\"note\">" + escape(conditional_in_words(summary)) + "</div>";
  return card + "</div>\n";
}

}  // namespace

std::string name_of(const DirectionRun& direction) {
  return direction.from + " → " + direction.to;
}

std::string table_row(const std::vector<std::string>& cells, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, cell);
  return row + "</tr>\n";
}

std::string headline_section(const PageData& data) {
  const RunResults& results = data.results;
  std::string html = "<section>\n<h1>Voice quality of " + escape(line_title(results)) + "</h1>\n<p class=\"quiet\">";
  html += results.started_utc.empty() ? "Measured by VQAS " : "Measured " + escape(results.started_utc) + " by VQAS ";
  html += escape(data.provenance.software_version) + ", score " + escape(data.provenance.score_version) + ".</p>\n";
  if (!results.ended_because.empty())
    html += "<div class=\"note\">This run is not complete: " + escape(results.ended_because) + ".</div>\n";
  for (const std::string& warning : call_warnings(results))
    html += "<div class=\"note\">" + escape(warning) + ".</div>\n";
  html += "<div class=\"cards\">\n";
  for (std::size_t i = 0; i < results.directions.size(); ++i) html += card_of(data, i);
  return html + "</div>\n</section>\n";
}

std::string plot_section(const PageData& data) {
  Plot plot{.labels = {}, .series = {}, .lowest = 1, .highest = kScaleTop, .axis = "MOS-LQON"};
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
  return "<section>\n<h2>MOS by stimulus and direction</h2>\n<div class=\"plot\">" + svg_plot(plot) + "</div>\n" +
         fmt::format(
             "<p class=\"quiet\">Marks: mean of a stimulus, with its interval ({} unless the table says another "
             "confidence). Small dots: single measurements. Dashed line and band: equal-weight mean of the "
             "direction and its interval. Hollow mark: conditional, more than {} not scored; the triangle is "
             "the mean with those at the bottom of the scale. ×: no score. An arrowhead in place of a bar's end: "
             "the interval goes on beyond the scale. The scale ends at 4.55, which is what "
             "an undistorted recording gets.</p>\n</section>\n",
             percent(data.results.sampling.goal.confidence), percent(kConditionalShare));
}

std::string stimuli_section(const PageData& data) {
  std::string html = "<section class=\"long\">\n<h2>By stimulus</h2>\n<div class=\"scroll\"><table>\n<thead>" +
                     table_row({"direction", "stimulus", "mean", "half-width", "confidence", "deviation", "n",
                                "not scored", "stopped because", "mean with unscored at 1.0"},
                               "th") +
                     "</thead>\n<tbody>\n";
  for (std::size_t i = 0; i < data.results.directions.size(); ++i) {
    const DirectionRun& direction = data.results.directions[i];
    for (const StimulusRun& stimulus : direction.stimuli) {
      const Interval& interval = stimulus.interval;
      const StimulusSummary summary = summarise(stimulus);
      html += table_row(
          {svg_mark(i) + " " + escape(name_of(direction)), escape(stimulus.stimulus),
           interval.n > 0 ? fmt::format("<b>{:.2f}</b>{}", interval.mean, summary.conditional ? " conditional" : "")
                          : std::string("no score"),
           interval.n > 0 ? escape(half_width_text(interval.half_width)) : "–", percent(interval.confidence),
           interval.n > 1 ? fmt::format("{:.3f}", interval.standard_deviation) : "–", std::to_string(interval.n),
           std::to_string(summary.outcomes.total() - summary.outcomes.of(Outcome::scored)),
           escape(why_stopped(stimulus, data.results)),
           summary.conditional && summary.bound ? fmt::format("{:.2f}", *summary.bound) : ""});
    }
  }
  return html + "</tbody>\n</table></div>\n</section>\n";
}

}  // namespace vqas::report
