#include "report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/escape.h"
#include "report/svg_plot.h"

namespace vqas::report {
namespace {

constexpr double kHeight = 330;
constexpr double kTop = 16;
constexpr double kBottom = 58;

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart), room_(chart.narrow ? kNarrowRoom : DrawingRoom{}) {
    for (const ChartSeries& series : chart.series) {
      for (const ChartPoint& point : series.points) include(point.x);
    }
    for (const ChartTick& tick : chart.ticks) include(tick.x);
    if (first_ > last_) first_ = 0, last_ = 1;
    const double margin = std::max((last_ - first_) * 0.03, 1e-9);
    first_ -= margin;
    last_ += margin;
  }

  std::string draw() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" {}><title>{}</title>\n",
        room_.width, kHeight, kDrawingStyle, escape(chart_.title));
    draw_scales();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_series(i);
    draw_labels();
    return out_ + "</svg>\n";
  }

 private:
  /// Position of the axis's name.
  double axis_x() const { return room_.left < kDrawingLeft ? 11 : 18; }
  void include(double x) {
    if (!std::isfinite(x)) return;
    first_ = std::min(first_, x);
    last_ = std::max(last_, x);
  }
  double x_of(double x) const {
    const double words = chart_.quality_bands ? kQualityWords : 0;
    return room_.left + (x - first_) / (last_ - first_) * (room_.width - room_.left - room_.right - words);
  }
  double y_of(double mos) const {
    const double part =
        (std::clamp(mos, chart_.lowest, chart_.highest) - chart_.lowest) / (chart_.highest - chart_.lowest);
    return kHeight - kBottom - part * (kHeight - kTop - kBottom);
  }

  void text(double x, double y, const std::string& content, const std::string& style) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, escape(content));
  }

  std::vector<ChartTick> ticks() const {
    if (!chart_.ticks.empty()) return chart_.ticks;
    std::vector<ChartTick> ticks;
    double step = std::pow(10, std::floor(std::log10(std::max(1.0, last_ - first_))));
    if ((last_ - first_) / step < 3) step = std::max(1.0, step / 5);
    // A telephone's screen has room for six numbers.
    while (chart_.narrow && (last_ - first_) / step > 6) step *= 2;
    for (double x = std::ceil(first_ / step) * step; x <= last_; x += step)
      ticks.push_back({x, fmt::format("{:.6g}", x == 0 ? 0.0 : x)});
    return ticks;
  }

  void draw_scales() {
    if (chart_.quality_bands) out_ += svg_quality_bands(room_, chart_.lowest, chart_.highest, kTop, kHeight - kBottom);
    for (double mos = std::ceil(chart_.lowest * 2) / 2; mos <= chart_.highest + 1e-9; mos += 0.5) {
      const bool whole = mos == std::floor(mos);
      out_ += fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", room_.left,
                          y_of(mos), room_.width - room_.right, y_of(mos), whole ? "#b8bcc2" : "#dfe2e6");
      if (whole) text(room_.left - 8, y_of(mos) + 4.5, fmt::format("{:.0f}", mos), "text-anchor=\"end\"");
    }
    for (const ChartTick& tick : ticks()) {
      out_ += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#8a8f98\"/>\n",
                          x_of(tick.x), kHeight - kBottom, kHeight - kBottom + 5);
      text(x_of(tick.x), kHeight - kBottom + 20, tick.label, "text-anchor=\"middle\"");
    }
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#8a8f98\"/>\n",
                        room_.left, kTop, room_.width - room_.left - room_.right, kHeight - kTop - kBottom);
    text((room_.left + room_.width - room_.right) / 2, kHeight - 14, chart_.x_axis, "text-anchor=\"middle\"");
    const double middle = (kTop + kHeight - kBottom) / 2;
    text(axis_x(), middle, chart_.y_axis,
         fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"", axis_x(), middle));
  }

  void draw_series(std::size_t index) {
    const ChartSeries& series = chart_.series[index];
    const std::string colour = svg_colour(index);
    if (series.joined && series.points.size() > 1) {
      std::string path;
      for (const ChartPoint& point : series.points)
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_of(point.x), y_of(point.y));
      out_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" opacity=\"0.5\"/>\n", path, colour);
    }
    for (const ChartPoint& point : series.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      const double x = x_of(point.x);
      out_ += fmt::format("<g><title>{}</title>", escape(point.title));
      if (point.half_width > 0 && std::isfinite(point.half_width))
        out_ += fmt::format(
            "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
            "stroke-width=\"1.6\"/>",
            x, y_of(point.y + point.half_width), y_of(point.y - point.half_width), colour);
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"{}\" opacity=\"0.85\"/>", x,
                          y_of(point.y), colour);
      if (point.marked)
        out_ += fmt::format(
            "<circle class=\"note\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"7\" fill=\"none\" "
            "stroke=\"#b36b00\" stroke-width=\"2\"/>",
            x, y_of(point.y));
      out_ += "</g>\n";
    }
    if (chart_.narrow) return;
    const double y = kTop + 16 + 22 * static_cast<double>(index);
    out_ += fmt::format("<circle cx=\"{}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", room_.width - room_.right + 16,
                        y - 4, colour);
    text(room_.width - room_.right + 28, y, series.name, "font-weight=\"600\"");
  }

  // Labels stand right of their points, or left at the right edge; they move up or down to avoid each other.
  void draw_labels() {
    constexpr double kLine = 14, kLetter = 6.6, kApart = 8;
    struct Place {
      double left, right, y;
    };
    std::vector<Place> taken;
    for (const ChartSeries& series : chart_.series) {
      for (const ChartPoint& point : series.points) {
        if (point.label.empty() || !std::isfinite(point.x) || !std::isfinite(point.y)) continue;
        const double x = x_of(point.x), width = kLetter * static_cast<double>(point.label.size());
        const bool at_edge = x + kApart + width > kDrawingWidth - kDrawingRight;
        const double left = at_edge ? x - kApart - width : x + kApart;
        Place place{left, left + width, 0};
        const auto is_taken = [&taken, &place](const Place& other) {
          return place.left < other.right && other.left < place.right && std::abs(place.y - other.y) < kLine;
        };
        for (int step = 0; step < 40; ++step) {
          const int lines = (step + 1) / 2 * (step % 2 == 0 ? 1 : -1);  // 0, -1, 1, -2 …
          place.y = y_of(point.y) + 4 + kLine * lines;
          const bool inside = place.y > kTop + kLine && place.y < kHeight - kBottom - 2;
          if (inside && std::ranges::none_of(taken, is_taken)) break;
        }
        taken.push_back(place);
        text(place.left, place.y, point.label, "font-size=\"12\" fill=\"#444\"");
      }
    }
  }

  const Chart& chart_;
  DrawingRoom room_;
  double first_ = std::numeric_limits<double>::infinity();
  double last_ = -std::numeric_limits<double>::infinity();
  std::string out_;
};

}  // namespace

std::string svg_chart(const Chart& chart) {
  return Drawing(chart).draw();
}

}  // namespace vqas::report
