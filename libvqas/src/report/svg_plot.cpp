#include "report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "report/escape.h"
#include "report/quality_scale.h"
#include "vqas/report/summary.h"

namespace vqas::report {
namespace {

constexpr double kHeight = 470;
constexpr double kTop = 34;
constexpr double kBottom = 44;
constexpr double kMark = 5;

// Blue, vermilion, bluish green, reddish purple, orange, sky blue, black of Okabe and Ito, "Color universal design",
// 2008; a darker yellow in place of theirs, which is too pale on white.
constexpr std::array kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222", "#A89B00"};
constexpr std::size_t kShapes = 4;

bool has_scores(const PlotSeries& series) {
  return std::ranges::any_of(series.points, [](const PlotPoint& point) { return point.mean.has_value(); });
}

const char* colour_of(std::size_t series) {
  return kColours[series % kColours.size()];
}

std::string mark(std::size_t series, double x, double y, bool hollow) {
  const char* colour = colour_of(series);
  const std::string style =
      fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", hollow ? "#fff" : colour, colour);
  switch ((series + series / kColours.size()) % kShapes) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" {}/>", x, y, kMark, style);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" {}/>", x - 4.5, y - 4.5, 9, 9,
                         style);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l5.5 10h-11z\" {}/>", x, y - 6, style);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l6 6l-6 6l-6 -6z\" {}/>", x, y - 6, style);
  }
}

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>", x1, y1, x2, y2, style);
}

std::string text(double x, double y, std::string_view content, std::string_view style) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>", x, y, style, escape(content));
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), room_(plot.narrow ? kNarrowRoom : DrawingRoom{}) {}

  std::string draw() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" {}>"
        "<title>{} by stimulus and direction, with intervals</title>\n",
        room_.width, kHeight, kDrawingStyle, escape(plot_.axis));
    draw_scale();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) draw_series_mean(i);
    for (std::size_t i = 0; i < plot_.series.size(); ++i) draw_curve(i);
    for (std::size_t i = 0; i < plot_.series.size(); ++i) draw_points(i);
    if (!plot_.narrow) draw_legend();
    return out_ + "</svg>\n";
  }

 private:
  /// Position of the axis's name.
  double axis_x() const { return room_.left < kDrawingLeft ? 11 : 18; }
  double y_of(double mos) const {
    const double part = (std::clamp(mos, plot_.lowest, plot_.highest) - plot_.lowest) / (plot_.highest - plot_.lowest);
    return kHeight - kBottom - part * (kHeight - kTop - kBottom);
  }
  double data_right() const { return room_.width - room_.right - (plot_.quality_bands ? kQualityWords : 0); }
  double band() const {
    return (data_right() - room_.left) / static_cast<double>(std::max<std::size_t>(1, plot_.labels.size()));
  }
  std::size_t longest_label() const {
    std::size_t longest = 0;
    for (const std::string& label : plot_.labels) longest = std::max(longest, label.size());
    return longest;
  }
  /// Middle of a series' share of a stimulus' band; the outer fifth on both sides stays empty.
  double x_of(std::size_t label, std::size_t series) const {
    const double share = 0.6 / static_cast<double>(std::max<std::size_t>(1, plot_.series.size()));
    return room_.left + band() * (static_cast<double>(label) + 0.2 + share * (static_cast<double>(series) + 0.5));
  }

  void draw_scale() {
    if (plot_.quality_bands) out_ += svg_quality_bands(room_, plot_.lowest, plot_.highest, kTop, kHeight - kBottom);
    for (std::size_t i = 1; i < plot_.labels.size(); i += 2)
      out_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"#e9ebee\" opacity=\"0.25\"/>\n",
          room_.left + band() * static_cast<double>(i), kTop, band(), kHeight - kTop - kBottom);
    for (double mos = std::ceil(plot_.lowest * 2) / 2; mos <= plot_.highest + 1e-9; mos += 0.5) {
      const bool whole = mos == std::floor(mos);
      out_ += line(room_.left, y_of(mos), room_.width - room_.right, y_of(mos),
                   whole ? "stroke=\"#b8bcc2\"" : "stroke=\"#dfe2e6\"");
      out_ += text(room_.left - 8, y_of(mos) + 4.5, fmt::format("{:.1f}", mos), "text-anchor=\"end\"") + "\n";
    }
    // Names that would overlap are left out at regular intervals.
    const double letters = 9.0 * static_cast<double>(longest_label());
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(letters / band())));
    for (std::size_t i = 0; i < plot_.labels.size(); i += every)
      out_ += text(room_.left + band() * (static_cast<double>(i) + 0.5), kHeight - kBottom + 20, plot_.labels[i],
                   "text-anchor=\"middle\"") +
              "\n";
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#8a8f98\"/>\n",
                        room_.left, kTop, room_.width - room_.left - room_.right, kHeight - kTop - kBottom);
    const double middle = (kTop + kHeight - kBottom) / 2;
    out_ += text(axis_x(), middle, plot_.axis,
                 fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"", axis_x(), middle)) +
            "\n";
  }

  void draw_series_mean(std::size_t series) {
    const PlotSeries& one = plot_.series[series];
    if (!one.mean) return;
    const char* colour = colour_of(series);
    if (std::isfinite(one.half_width)) {
      const double top = y_of(*one.mean + one.half_width);
      out_ += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" fill=\"{}\" opacity=\"0.13\"/>\n",
                          room_.left, top, data_right() - room_.left, y_of(*one.mean - one.half_width) - top, colour);
    }
    out_ += line(room_.left, y_of(*one.mean), data_right(), y_of(*one.mean),
                 fmt::format("stroke=\"{}\" stroke-width=\"1.4\" stroke-dasharray=\"7 4\"", colour)) +
            "\n";
  }

  void draw_curve(std::size_t series) {
    const auto& curve = plot_.series[series].curve;
    if (curve.size() < 2) return;
    std::string path;
    for (const auto& [place, height] : curve) {
      path +=
          fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", room_.left + band() * (place + 0.5), y_of(height));
    }
    out_ += fmt::format(
        "<path class=\"trend\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" opacity=\"0.75\"/>\n", path,
        colour_of(series));
  }

  /// A cross stroke, or an open arrowhead where the bar leaves the scale.
  std::string bar_end(double x, double mos, const std::string& stroke) const {
    const double y = y_of(mos);
    if (mos >= plot_.lowest && mos <= plot_.highest) return line(x - 6, y, x + 6, y, stroke);
    return fmt::format("<path class=\"beyond\" d=\"M{:.1f} {:.1f}l6 {}l6 {}\" fill=\"none\" {}/>", x - 6,
                       mos > plot_.highest ? y + 7 : y - 7, mos > plot_.highest ? -7 : 7, mos > plot_.highest ? 7 : -7,
                       stroke);
  }

  void draw_points(std::size_t series) {
    const PlotSeries& one = plot_.series[series];
    for (std::size_t i = 0; i < std::min(plot_.labels.size(), one.points.size()); ++i)
      draw_point(one, one.points[i], plot_.labels[i], x_of(i, series), series);
  }

  void draw_point(const PlotSeries& series, const PlotPoint& point, const std::string& label, double x,
                  std::size_t index) {
    const char* colour = colour_of(index);
    if (!point.mean && point.never_made) return;
    if (!point.mean) {
      out_ += fmt::format("<g stroke=\"{}\" stroke-width=\"2\"><title>{} {}: no score</title>", colour, escape(label),
                          escape(series.name));
      const double y = y_of(plot_.lowest) - 9;
      out_ += line(x - 5, y - 5, x + 5, y + 5, "") + line(x - 5, y + 5, x + 5, y - 5, "") + "</g>\n";
      return;
    }
    const std::string width =
        std::isfinite(point.half_width) ? " " + escape(half_width_text(point.half_width, plot_.mode)) : "";
    out_ += fmt::format("<g><title>{} {}: {:.2f}{}, n = {}{}</title>", escape(label), escape(series.name), *point.mean,
                        width, point.scores.size(), point.bound ? ", conditional" : "");
    for (const double score : plot_.narrow ? std::vector<double>() : point.scores)
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.7\" fill=\"{}\" opacity=\"0.45\"/>", x + 10,
                          y_of(score), colour);
    const std::string stroke = fmt::format("stroke=\"{}\" stroke-width=\"2\"", colour);
    if (point.bound) {
      out_ += line(x, y_of(*point.mean), x, y_of(*point.bound), stroke + " stroke-dasharray=\"2 3\"");
      out_ += fmt::format("<path d=\"M{:.1f} {:.1f}l5 -8h-10z\" fill=\"{}\"/>", x, y_of(*point.bound), colour);
    }
    if (std::isfinite(point.half_width)) {
      out_ += line(x, y_of(*point.mean + point.half_width), x, y_of(*point.mean - point.half_width), stroke);
      out_ += bar_end(x, *point.mean + point.half_width, stroke) + bar_end(x, *point.mean - point.half_width, stroke);
    }
    out_ += mark(index, x, y_of(*point.mean), point.bound.has_value()) + "</g>\n";
  }

  /// The means at the right, moved apart where they would overlap.
  void draw_legend() {
    const bool has_means =
        std::ranges::any_of(plot_.series, [](const PlotSeries& one) { return one.mean.has_value(); });
    const double apart = has_means ? 44 : 26;
    std::vector<std::size_t> order(plot_.series.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto height = [&](std::size_t i) { return y_of(plot_.series[i].mean.value_or(plot_.lowest)); };
    std::ranges::stable_sort(order, {}, height);
    double next = kTop + 14;
    std::vector<double> places;
    for (const std::size_t i : order) {
      places.push_back(std::max(next, height(i)));
      next = places.back() + apart;
    }
    double lowest = kHeight - kBottom - 22;
    for (std::size_t i = places.size(); i-- > 0; lowest = places[i] - apart) places[i] = std::min(places[i], lowest);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const PlotSeries& one = plot_.series[order[i]];
      const double y = places[i];
      out_ += mark(order[i], room_.width - room_.right + 16, y - 4, false);
      out_ += text(room_.width - room_.right + 28, y, one.name, has_means ? "font-weight=\"600\"" : "font-size=\"12\"");
      const std::string width = std::isfinite(one.half_width) ? " " + half_width_text(one.half_width, plot_.mode) : "";
      if (const std::string below = one.mean          ? fmt::format("mean {:.2f}{}", *one.mean, width)
                                    : has_scores(one) ? ""
                                                      : "no score";
          has_means && !below.empty()) {
        out_ += text(room_.width - room_.right + 28, y + 17, below, "");
      }
      out_ += "\n";
    }
  }

  const Plot& plot_;
  DrawingRoom room_;
  std::string out_;
};

}  // namespace

std::string svg_quality_bands(const DrawingRoom& room, double lowest, double highest, double top, double bottom) {
  const auto y_of = [&](double mos) {
    return bottom - (std::clamp(mos, lowest, highest) - lowest) / (highest - lowest) * (bottom - top);
  };
  std::string svg = "<g class=\"quality\">";
  double to = highest;
  for (const QualityBand& band : kQualityBands) {
    const double from = std::max(band.from, lowest);
    if (from < to) {
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>", room.left,
                         y_of(to), room.width - room.left - room.right, y_of(from) - y_of(to), band.colour);
      svg +=
          fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" font-size=\"12\" fill=\"#767b83\">{}</text>",
                      room.width - room.right - 6, y_of(to) + 14, band.word);
    }
    to = std::min(to, from);
  }
  return svg + "</g>\n";
}

std::string svg_plot(const Plot& plot) {
  return Drawing(plot).draw();
}

std::string svg_colour(std::size_t series) {
  return colour_of(series);
}

std::string svg_mark(std::size_t series) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"14\" height=\"14\" viewBox=\"0 0 14 14\">" +
         mark(series, 7, 7, false) + "</svg>";
}

}  // namespace vqas::report
