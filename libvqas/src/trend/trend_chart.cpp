#include "trend/trend_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trend/chart_parts.h"
#include "trend/page_parts.h"
#include "trend/parts.h"

namespace vqas::trend {
namespace {

constexpr double kHeight = 320, kTop = 26, kBottom = 34;

struct Tick {
  double at_s;
  std::string words;
};

/// Instants at which the zone's clocks show full hours, or midnight, few enough to be read.
std::vector<Tick> ticks_of(const LocalTime& local, double first_s, double last_s, std::size_t most) {
  constexpr double kHour = 3600, kDay = 24 * kHour;
  constexpr double kQuarter = kHour / 4;  // zones differ from UTC by whole quarters of an hour
  const double span = std::max(last_s - first_s, 1.0);
  const auto wanted = static_cast<double>(most);
  int hours = 0;
  std::int64_t days = 1;
  for (const int step : {1, 2, 3, 6, 12}) {
    if (hours == 0 && span / (step * kHour) <= wanted) hours = step;
  }
  while (hours == 0 && span / (static_cast<double>(days) * kDay) > wanted)
    days = days == 1 ? 2 : days == 2 ? 7 : 2 * days;
  std::vector<Tick> ticks;
  for (double at = std::ceil(first_s / kQuarter) * kQuarter; at <= last_s; at += kQuarter) {
    const LocalClock clock = local.at(at);
    if (!clock.time.ends_with(":00")) continue;
    // Weeks begin on Mondays.
    const bool due = hours > 0 ? clock.hour % hours == 0 : clock.hour == 0 && (clock.day + 3) % days == 0;
    if (!due) continue;
    ticks.push_back({at, clock.hour == 0 ? clock.date.substr(5) : clock.time});
    if (hours == 0) at += kDay - 2 * kHour;  // a day has 23 hours at least
  }
  if (ticks.size() < 2) {
    ticks = {{first_s, local.at(first_s).time}};
    if (last_s > first_s + 60) ticks.push_back({last_s, local.at(last_s).time});
  }
  return ticks;
}

class OverTime {
 public:
  OverTime(const CircuitTrend& trend, const DirectionTrend& direction, bool narrow)
      : trend_(trend), direction_(direction), narrow_(narrow), width_(narrow ? 400 : 1000) {
    std::tie(low_, high_) = range_of(trend, direction);
    first_s_ = trend.runs.front().started_s;
    last_s_ = std::max(last_known_s(trend), first_s_ + 1);
  }

  std::string draw() {
    out_ = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" font-size=\"13\" class=\"plot {}\">{}\n", width_,
                       kHeight, narrow_ ? "narrow" : "wide",
                       title("Means of the direction " + arrow(direction_.from) + " over time"));
    draw_outages();
    draw_axes();
    draw_runs();
    draw_levels();
    draw_changes();
    draw_scales();
    return out_ + "</svg>\n";
  }

 private:
  double x_of(double s) const {
    return kLeft + 4 + (s - first_s_) / (last_s_ - first_s_) * (width_ - kLeft - kRight - 8);
  }
  double x_of_run(std::size_t run) const { return x_of(trend_.runs[run].started_s); }
  double y_of(double mos) const {
    return kHeight - kBottom - (std::clamp(mos, low_, high_) - low_) / (high_ - low_) * (kHeight - kTop - kBottom);
  }
  std::string when_of(std::size_t run) const { return when(trend_.local, trend_.runs[run].started_s); }

  void block(double from_s, double until_s, const char* classes, const std::string& words) {
    constexpr double kLeast = 2;  // units that can be seen
    const double left = x_of(from_s), width = std::max(kLeast, x_of(until_s) - left);
    out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" class=\"{}\">{}</rect>\n", left,
                        kTop, width, kHeight - kTop - kBottom, classes, title(words));
  }

  void draw_outages() {
    for (const TrendOutage& one : direction_.outages)
      block(one.from_s, one.until_s.value_or(last_s_), one.runs > 0 ? "out" : "gap",
            fmt::format("from {}: {}", when(trend_.local, one.from_s), one.why));
  }

  void draw_axes() {
    for (double mos = std::ceil(2 * low_) / 2; mos <= high_ + 1e-9; mos += 0.5) {
      out_ += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>\n", kLeft, y_of(mos), width_ - kRight);
      out_ += text(kLeft - 6, y_of(mos) + 4.5, fmt::format("{:.1f}", mos), "end");
    }
    for (const Tick& tick : ticks_of(trend_.local, first_s_, last_s_, narrow_ ? 5 : 12)) {
      const double x = x_of(tick.at_s);
      out_ += fmt::format("<path class=\"axis\" d=\"M{:.1f} {}v5\"/>\n", x, kHeight - kBottom);
      const char* const anchor = x < kLeft + 18 ? "start" : x > width_ - kRight - 18 ? "end" : "middle";
      out_ += text(x, kHeight - kBottom + 20, tick.words, anchor);
    }
    out_ += fmt::format("<rect class=\"axis\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, kTop,
                        width_ - kLeft - kRight, kHeight - kTop - kBottom);
    if (!narrow_)
      out_ += text(kLeft, kTop - 10, std::string(scale_name(scale_of(trend_.runs.back()))), "start", "faint");
  }

  void draw_runs() {
    for (std::size_t s = 0; s < direction_.scales.size(); ++s) {
      const TrendScale& scale = direction_.scales[s];
      const bool few = direction_.runs.size() <= kMostRunsWithBars;
      std::string bars, dots[2];
      for (const std::size_t r : scale.runs) {
        const DirectionOfRun& one = *direction_of(trend_.runs[r], direction_.from);
        const double x = x_of_run(r);
        if (few && std::isfinite(one.half_width))
          bars += fmt::format("M{:.1f} {:.1f}V{:.1f}", x, y_of(*one.mean - one.half_width),
                              y_of(*one.mean + one.half_width));
        dots[one.conditional ? 1 : 0] += fmt::format("M{:.1f} {:.1f}h0", x, y_of(*one.mean));
      }
      if (!bars.empty()) out_ += fmt::format("<path class=\"bars\" d=\"{}\"/>\n", bars);
      const double size = direction_.runs.size() > 1000 ? 2.2 : few && !narrow_ ? 5 : 3.2;
      for (const bool conditional : {false, true}) {
        if (dots[conditional].empty()) continue;
        out_ += fmt::format("<path class=\"dots {} s{}\" stroke-width=\"{}\" d=\"{}\"/>\n",
                            conditional ? "conditional" : "", s % 2, size, dots[conditional]);
      }
      if (few && !narrow_) draw_words(scale);
    }
  }

  /// Places to hover over.
  void draw_words(const TrendScale& scale) {
    for (const std::size_t r : scale.runs) {
      const DirectionOfRun& one = *direction_of(trend_.runs[r], direction_.from);
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"transparent\">{}</circle>\n", x_of_run(r),
                          y_of(*one.mean),
                          title(when_of(r) + ": " + mean_text(*one.mean, one.half_width, scale_of(trend_.runs[r]))));
    }
  }

  void draw_levels() {
    for (const TrendScale& scale : direction_.scales) {
      for (const TrendLevel& level : scale.levels) {
        const double left = x_of_run(level.first), right = std::max(x_of_run(level.last), left + 2);
        if (std::isfinite(level.half_width)) {
          const double top = y_of(level.mos + level.half_width);
          out_ += fmt::format("<rect class=\"band\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                              left, top, right - left, y_of(level.mos - level.half_width) - top);
        }
        out_ +=
            fmt::format("<path class=\"level\" d=\"M{:.1f} {:.1f}H{:.1f}\">{}</path>\n", left, y_of(level.mos), right,
                        title("level " + mean_text(level.mos, level.half_width, scale_of(trend_.runs[level.first]))));
      }
    }
  }

  void draw_changes() {
    std::size_t letter = 0;
    for (const TrendScale& scale : direction_.scales) {
      for (const TrendChange& change : scale.changes) {
        block(trend_.runs[change.earliest].started_s, trend_.runs[change.latest].started_s, "changed",
              "the change lies in here");
        const double x = (x_of_run(change.before) + x_of_run(change.after)) / 2;
        out_ += fmt::format("<path class=\"change\" d=\"M{:.1f} {}V{}\">{}</path>\n", x, kTop - 2, kHeight - kBottom,
                            title(step_text(change, scale_of(trend_.runs[change.after]))));
        out_ += text(x, kTop - 8, letter_of(letter++), "middle", "letter");
      }
    }
  }

  /// Where another score version or other stimuli begin.
  void draw_scales() {
    for (std::size_t s = 1; s < direction_.scales.size(); ++s) {
      const double x = x_of_run(direction_.scales[s].runs.front()) - 3;
      out_ += fmt::format("<path class=\"scale\" d=\"M{:.1f} {}V{}\"/>\n", x, kTop, kHeight - kBottom);
      const bool right = x > width_ / 2;
      out_ += text(right ? x - 5 : x + 5, kTop + 15 + 15 * static_cast<double>((s - 1) % 3), "other scale",
                   right ? "end" : "start", "scaled");
    }
  }

  static constexpr double kLeft = 40, kRight = 6;
  const CircuitTrend& trend_;
  const DirectionTrend& direction_;
  bool narrow_;
  double width_, low_ = 1, high_ = 5, first_s_ = 0, last_s_ = 1;
  std::string out_;
};

}  // namespace

std::string svg_over_time(const CircuitTrend& trend, const DirectionTrend& direction, bool narrow) {
  return OverTime(trend, direction, narrow).draw();
}

}  // namespace vqas::trend
