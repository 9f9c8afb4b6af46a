#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/escape.h"
#include "trend/chart_parts.h"
#include "trend/page_parts.h"
#include "trend/parts.h"
#include "trend/trend_chart.h"
#include "vqas/report/summary.h"

namespace vqas {
namespace {

using namespace trend;
using report::escape;

// Rows of the tables; all of them are in the JSON.
constexpr std::size_t kMostRows = 100, kMostOutages = 20;

std::string chance_text(double probability) {
  return probability < 1e-4 ? "below 0.0001" : fmt::format("at most {:.4f}", probability);
}

std::string count_of(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

class Page {
 public:
  Page(const CircuitTrend& trend, const TrendPage& place) : trend_(trend), place_(place) {}

  std::string body() {
    head();
    for (const DirectionTrend& direction : trend_.directions) over_time(direction);
    outages();
    for (const DirectionTrend& direction : trend_.directions) by_clock(direction);
    for (const DirectionTrend& direction : trend_.directions) causes(direction);
    runs();
    meaning();
    return out_;
  }

 private:
  std::string when_of(std::size_t run) const { return when(trend_.local, trend_.runs[run].started_s); }

  void head() {
    if (!place_.index.empty())
      out_ += "<p class=\"small\"><a href=\"" + escape(place_.index) + "\">All circuits</a></p>\n";
    out_ += "<h1>" + escape(trend_.name) + "</h1>\n";
    if (trend_.runs.empty()) {
      out_ += "<p>No run of this circuit has a known start.</p>\n";
      return later();
    }
    const auto state = state_of(trend_, place_.now_s);
    out_ += fmt::format(
        "<p>{} <span class=\"quiet\">{} from {} to {}{}. Times are those of {}.</span></p>\n", state_badge(*state),
        count_of(trend_.runs.size(), "run"), when_of(0), when_of(trend_.runs.size() - 1),
        trend_.cadence_s ? ", usually every " + lasting(*trend_.cadence_s) : "", escape(trend_.local.zone()));
    later();
    std::string tags;
    for (const auto& [name, value] : trend_.tags) {
      if (!value.empty()) tags += fmt::format("{}{} {}", tags.empty() ? "" : " · ", escape(name), escape(value));
    }
    if (!tags.empty()) out_ += "<p class=\"quiet small\">" + tags + "</p>\n";
    out_ += "<div class=\"cards\">\n";
    for (const DirectionTrend& direction : trend_.directions) card(direction);
    out_ += "</div>\n";
    if (!place_.json.empty())
      out_ += "<p class=\"small\"><a href=\"" + escape(place_.json) + "\">All figures as JSON</a></p>\n";
  }

  void later() {
    if (trend_.later_s.empty()) return;
    const std::size_t count = trend_.later_s.size();
    out_ += fmt::format(
        "<p>{} left out: {} in the future, at {}{}. The clock of the measuring machine was wrong.</p>\n",
        count_of(count, "run") + (count == 1 ? " is" : " are"), count == 1 ? "its start lies" : "their starts lie",
        when(trend_.local, trend_.later_s.front()), count == 1 ? "" : " and later");
  }

  void card(const DirectionTrend& direction) {
    const std::size_t last = direction.runs.back();
    const DirectionOfRun& one = *direction_of(trend_.runs[last], direction.from);
    out_ += "<div class=\"card\"><b>" + arrow(direction.from) + "</b>\n";
    if (one.mean) {
      const ScoreMode mode = scale_of(trend_.runs[last]);
      out_ += fmt::format("<div class=\"number\">{:.2f} <span>{} {}</span></div>\n", *one.mean,
                          escape(half_width_text(one.half_width, mode)), scale_name(mode));
    } else {
      out_ += "<div class=\"number\">no score</div>\n";
    }
    std::string words = "last run " + when_of(last);
    if (one.verdict) words += fmt::format(", {}", to_string(*one.verdict));
    if (one.conditional) words += ", conditional";
    if (!trend_.runs[last].ended_because.empty()) words += ", broken off";
    out_ += "<div class=\"small\">" + words + "</div>\n";
    const TrendChange* const change = direction.last_change();
    out_ += fmt::format("<div class=\"small\">{}</div></div>\n",
                        change == nullptr ? "no change of level was found"
                                          : "last change " + when_of(change->after) + ": " +
                                                escape(step_text(*change, scale_of(trend_.runs[change->after]))));
  }

  void over_time(const DirectionTrend& direction) {
    out_ += fmt::format("<section>\n<h2>{} over time</h2>\n", arrow(direction.from));
    out_ += svg_over_time(trend_, direction, false) + svg_over_time(trend_, direction, true);
    std::string key = "<p class=\"quiet small\">Dots are runs";
    if (direction.runs.size() <= kMostRunsWithBars) key += ", bars their repeatability";
    key += "; lines are levels with their interval at 99 %.";
    const auto any = [&](bool with_runs) {
      return std::ranges::any_of(direction.outages,
                                 [with_runs](const TrendOutage& one) { return (one.runs > 0) == with_runs; });
    };
    if (any(true)) key += "<span class=\"key\" style=\"background:var(--out)\"></span>no score";
    if (any(false)) key += "<span class=\"key\" style=\"background:var(--gap)\"></span>no run";
    out_ += key + "</p>\n";
    changes(direction);
    out_ += "</section>\n";
  }

  void changes(const DirectionTrend& direction) {
    std::string rows;
    std::size_t letter = 0, scale_number = 0;
    for (const TrendScale& scale : direction.scales) {
      if (direction.scales.size() > 1)
        out_ += fmt::format("<p>Scale {} from {}: score {}, {}, line {}, {}.</p>\n", ++scale_number,
                            when_of(scale.runs.front()), escape(scale.score_version), escape(scale.stimuli),
                            escape(scale.setup), count_of(scale.runs.size(), "run"));
      for (const TrendChange& one : scale.changes)
        rows += row_of({letter_of(letter++), when_of(one.before) + " and " + when_of(one.after),
                        when_of(one.earliest) + " and " + when_of(one.latest),
                        fmt::format("<b>{}</b> {}", difference_text(one.to_mos - one.from_mos),
                                    escape(half_width_text(one.half_width, scale_of(trend_.runs[one.after])))),
                        fmt::format("{:.2f} to {:.2f}", one.from_mos, one.to_mos),
                        fmt::format("{:.1f} times its error", std::abs(one.statistic)), chance_text(one.probability)},
                       "td", {"", "", "", "n"});
      out_ += "<p class=\"small quiet\">" + noise_in_words(scale) + "</p>\n";
    }
    if (direction.scales.size() > 1)
      out_ += "<p>Scores of different scales are not compared: a step between them need not be the line's.</p>\n";
    if (!rows.empty())
      out_ += table_of({"change", "between", "likely between", "step", "level", "evidence", "by chance"}, rows);
  }

  /// What the search for changes rested on.
  static std::string noise_in_words(const TrendScale& scale) {
    if (!std::isfinite(scale.threshold))
      return fmt::format("Changes of level are looked for from 20 runs on; there {} {}.",
                         scale.runs.size() == 1 ? "is" : "are", scale.runs.size());
    std::string words = fmt::format(
        "{}; besides their own errors runs differ by ±{:.2f} from one to the next (1 σ), and long means vary {:.1f} "
        "times "
        "as much as those of independent runs would.",
        scale.changes.empty() ? "No change of level was found" : count_of(scale.changes.size(), "change") + " of level",
        scale.between_runs, scale.inflation);
    if (scale.by_hour || scale.by_weekday)
      words += fmt::format(" The pattern of a usual {} was taken off before.", !scale.by_weekday ? "day"
                                                                               : !scale.by_hour  ? "week"
                                                                                                 : "day and week");
    if (!scale.strays.empty())
      words += fmt::format(" {} far from {} neighbours.",
                           count_of(scale.strays.size(), "single run") + (scale.strays.size() == 1 ? " lies" : " lie"),
                           scale.strays.size() == 1 ? "its" : "their");
    return words;
  }

  struct ListedOutage {
    TrendOutage outage;
    std::string direction;
  };

  /// The newest first; what is the same in both directions once.
  std::vector<ListedOutage> all_outages() const {
    std::vector<ListedOutage> all;
    for (const DirectionTrend& direction : trend_.directions) {
      for (const TrendOutage& one : direction.outages) {
        const auto same = std::ranges::find_if(all, [&one](const ListedOutage& other) {
          return other.outage.from_s == one.from_s && other.outage.until_s == one.until_s &&
                 other.outage.runs == one.runs && other.outage.why == one.why;
        });
        if (same == all.end()) {
          all.push_back({one, arrow(direction.from)});
        } else {
          same->direction = "both";
        }
      }
    }
    std::ranges::stable_sort(all, std::greater(), [](const ListedOutage& one) { return one.outage.from_s; });
    return all;
  }

  void outages() {
    const std::vector<ListedOutage> all = all_outages();
    out_ += "<section>\n<h2>Outages</h2>\n";
    if (all.empty()) {
      out_ +=
          "<p>Every run has a score in each direction, and no start was missed.</p>\n" + left_out() + "</section>\n";
      return;
    }
    std::string words;
    for (const DirectionTrend& direction : trend_.directions) {
      std::size_t runs = 0, starts = 0;
      for (const TrendOutage& one : direction.outages) runs += one.runs, starts += one.missed;
      words += fmt::format("{}{}: {} without a score, {} missed", words.empty() ? "" : "; ", arrow(direction.from),
                           count_of(runs, "run"), count_of(starts, "start"));
    }
    const bool more = all.size() > kMostOutages;
    out_ +=
        fmt::format("<p>{}.{}</p>\n", words, more ? fmt::format(" The last {} of {}:", kMostOutages, all.size()) : "");
    const double last_s = last_known_s(trend_);
    std::string rows;
    for (std::size_t i = 0; i < std::min(all.size(), kMostOutages); ++i) {
      const TrendOutage& one = all[i].outage;
      rows += row_of({when(trend_.local, one.from_s), one.until_s ? when(trend_.local, *one.until_s) : "it lasts",
                      (one.until_s ? "" : "at least ") + lasting(one.until_s.value_or(last_s) - one.from_s),
                      all[i].direction, one.runs > 0 ? std::to_string(one.runs) : "–",
                      one.missed > 0 ? std::to_string(one.missed) : "–", escape(one.why)},
                     "td", {"n", "n", "n", "n", "", "", "wide"});
    }
    out_ += table_of({"from", "until", "length", "direction", "runs", "missed starts", "why"}, rows) + left_out() +
            "</section>\n";
  }

  /// The starts that say nothing of the line.
  std::string left_out() const {
    if (trend_.left_out.empty()) return "";
    const std::size_t count = trend_.left_out.size();
    const MissedStart& last = trend_.left_out.back();
    return fmt::format(
        "<p>{} no outage: an earlier run was still measuring, or the user had stopped the campaign. The last was due "
        "{}: "
        "{}.</p>\n",
        count_of(count, "start") + (count == 1 ? " that was left out is" : " that were left out are"),
        when(trend_.local, last.due_s), escape(last.why));
  }

  static std::string exceptions(const std::vector<TrendBin>& bins, bool weekdays, ScoreMode mode) {
    constexpr std::array kNames = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
    std::vector<std::string> words;
    for (const TrendBin& one : bins) {
      if (!one.differs()) continue;
      words.push_back(fmt::format(
          "{} {} {}",
          weekdays ? std::string(kNames[static_cast<std::size_t>(one.bin)]) : fmt::format("{:02} h", one.bin),
          difference_text(one.difference), half_width_text(one.half_width, mode)));
    }
    if (words.empty()) return weekdays ? "No weekday differs from the others." : "No hour differs from the level.";
    return std::string(weekdays ? "Different from the mean of the weekdays: " : "Different from the level: ") +
           escape(fmt::format("{}", fmt::join(words, ", "))) + ".";
  }

  void by_clock(const DirectionTrend& direction) {
    const auto known = [](const TrendBin& one) { return std::isfinite(one.half_width); };
    const bool hours = std::ranges::count_if(direction.hours, known) > 1;
    const bool weekdays = std::ranges::count_if(direction.weekdays, known) > 1;
    if (!hours && !weekdays) return;
    const ScoreMode mode = scale_of(trend_.runs[direction.runs.back()]);
    out_ +=
        fmt::format("<section>\n<h2>{} by time of day and weekday</h2>\n<div class=\"pair\">\n", arrow(direction.from));
    if (hours)
      out_ += "<figure>" + svg_bins(direction.hours, false) + "<figcaption>" +
              exceptions(direction.hours, false, mode) + "</figcaption></figure>\n";
    if (weekdays)
      out_ += "<figure>" + svg_bins(direction.weekdays, true) + "<figcaption>" +
              exceptions(direction.weekdays, true, mode) + "</figcaption></figure>\n";
    out_ +=
        "</div>\n<p class=\"small quiet\">Difference of the runs from the level of their time, and of a weekday from "
        "the mean of the weekdays, MOS. The intervals hold at 99 % for all columns of a picture together; one day "
        "counts once.</p>\n</section>\n";
  }

  void causes(const DirectionTrend& direction) {
    const std::string drawing = svg_causes(trend_, direction, false);
    if (drawing.empty()) return;
    out_ += fmt::format("<section>\n<h2>{}: causes over time</h2>\n", arrow(direction.from)) + drawing +
            svg_causes(trend_, direction, true) +
            fmt::format(
                "<p class=\"small quiet\">What each impairment alone costs in the mean of a {}, MOS, and the share "
                "without a score; strongest from 1 MOS or 100 % on. The figure at the right is the highest.</p>\n"
                "</section>\n",
                direction.causes_by_week ? "week" : "day");
  }

  std::string cell(const RunOfTrend& run, End from) const {
    const DirectionOfRun* const one = direction_of(run, from);
    if (one == nullptr) return "–";
    if (!one->mean) return escape("no score: " + one->no_score);
    return fmt::format("{}{}", escape(mean_text(*one->mean, one->half_width, scale_of(run))),
                       one->conditional ? ", conditional" : "");
  }

  void runs() {
    out_ += fmt::format("<section>\n<h2>Runs</h2>\n<details>\n<summary>{}</summary>\n",
                        trend_.runs.size() > kMostRows ? fmt::format("The last {} of {}", kMostRows, trend_.runs.size())
                                                       : fmt::format("All {}", trend_.runs.size()));
    std::vector<std::string> heads{"started"};
    for (const DirectionTrend& direction : trend_.directions) heads.push_back(arrow(direction.from));
    for (const char* const head : {"scored", "ended", "report"}) heads.emplace_back(head);
    std::string rows;
    for (std::size_t i = trend_.runs.size(); i-- > trend_.runs.size() - std::min(trend_.runs.size(), kMostRows);) {
      const RunOfTrend& run = trend_.runs[i];
      std::vector<std::string> cells{when_of(i)};
      std::size_t scored = 0, made = 0;
      for (const DirectionTrend& direction : trend_.directions) cells.push_back(cell(run, direction.from));
      for (const DirectionOfRun& one : run.directions) scored += one.scored, made += one.measurements;
      cells.push_back(fmt::format("{} of {}", scored, made));
      cells.push_back(run.ended_because.empty() ? "complete" : escape(run.ended_because));
      const std::string link = run.report.empty() ? "" : link_to(run.report, place_.page_folder);
      cells.push_back(link.empty() ? escape(run.uuid.substr(0, 8)) : fmt::format("<a href=\"{}\">report</a>", link));
      rows += row_of(cells);
    }
    out_ += table_of(heads, rows) + "</details>\n</section>\n";
  }

  void meaning() {
    double error = 0;
    for (const RunOfTrend& run : trend_.runs) error = std::max(error, run.model_error_mos);
    const bool wide = !trend_.runs.empty() && scale_of(trend_.runs.back()) == ScoreMode::wideband;
    out_ += "<section>\n<h2>How to read this page</h2>\n<p>A mean is an objective estimate of listening quality (";
    out_ += wide ? "MOS-LQOW, 1.04 to 4.64" : "MOS-LQON, 1 to 4.55";
    out_ +=
        "). The figure behind ± is repeatability: how well the instrument repeats that mean on a "
        "line that stays as it is.</p>\n";
    if (error > 0)
      out_ += fmt::format(
          "<p>The score's own error is about ±{:.2g} MOS (1 σ). It is nearly the same for all runs of a "
          "scale, so it matters for a limit, not for a change.</p>\n",
          error);
    out_ +=
        "<p>A change of level is reported when the step exceeds what chance gives anywhere in a series of this length "
        "with a probability of at most 1 %. The noise is estimated from the series itself, so that runs which "
        "resemble their neighbours, or a usual day, are not taken for changes. A change within the last few "
        "runs may not be visible yet. “Likely between” covers all places whose likelihood is at least 1/32 of "
        "the best one's.</p>\n</section>\n";
  }

  const CircuitTrend& trend_;
  const TrendPage& place_;
  std::string out_;
};

}  // namespace

std::string trend_html(const CircuitTrend& trend, const TrendPage& page) {
  return page_of("Trend of " + trend.name, Page(trend, page).body());
}

}  // namespace vqas
