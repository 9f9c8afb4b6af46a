#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vqas::report {

// What all drawings have in common, in units of the view box, which are pixels on a page of its own width: so they
// stand under each other with one left edge, and have the same room for the names of their series.
inline constexpr double kDrawingWidth = 1000, kDrawingLeft = 62, kDrawingRight = 160;
inline constexpr const char* kDrawingStyle =
    "font-family=\"system-ui,Helvetica,Arial,sans-serif\" font-size=\"13\" fill=\"#222\"";

/// The room of a drawing: on a telephone's screen letters of this size can be read where it is as wide as that.
struct DrawingRoom {
  double width = kDrawingWidth, left = kDrawingLeft, right = kDrawingRight;
};
inline constexpr DrawingRoom kNarrowRoom{400, 50, 8};

/// Rectangles and words of the scale of quality, from `lowest` to `highest` MOS, between left and right.
std::string svg_quality_bands(const DrawingRoom& room, double lowest, double highest, double top, double bottom);

/// One stimulus in one direction, as the plot sees it.
struct PlotPoint {
  std::vector<double> scores;
  std::optional<double> mean;
  double half_width = 0;        ///< not drawn when infinite
  std::optional<double> bound;  ///< drawn where the mean is conditional; the mark is hollow then
  bool never_made = false;      ///< no cross for a mean that nobody looked for
};

struct PlotSeries {
  std::string name;               ///< "a → b"
  std::vector<PlotPoint> points;  ///< one for each label
  std::optional<double> mean;     ///< of the series, a dashed line
  double half_width = 0;          ///< a band around it; not drawn when infinite
  /// A curve through the points: where along the labels (0 is the middle of the first), and how high.
  std::vector<std::pair<double, double>> curve = {};
};

/// MOS by stimulus with interval bars. Series differ in colour (Okabe and Ito's set, which colour-blind readers can
/// tell apart) and in the shape of the mark; 32 pairs of them.
struct Plot {
  std::vector<std::string> labels;
  std::vector<PlotSeries> series;
  double lowest = 1;           ///< of the scale
  double highest = 5;          ///< of the scale
  std::string axis;            ///< title of the vertical axis
  bool quality_bands = false;  ///< the words of quality_scale.h behind the points
  bool narrow = false;         ///< for a telephone's screen: no names and no single scores
};

/// An <svg> element that needs nothing else and scales with the page. All texts are escaped. Re-entrant.
std::string svg_plot(const Plot& plot);

/// The colour of the series with that index, "#0072B2".
std::string svg_colour(std::size_t series);

/// The mark of the series with that index, as in the plot, for a legend elsewhere: an <svg> of 14 by 14.
std::string svg_mark(std::size_t series);

}  // namespace vqas::report
