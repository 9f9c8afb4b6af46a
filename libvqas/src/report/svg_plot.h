#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vqas/run/mos_scale.h"

namespace vqas::report {

// Layout shared by all drawings, in units of the view box (pixels at full width), so that the drawings of a page line
// up.
inline constexpr double kDrawingWidth = 1000, kDrawingLeft = 62, kDrawingRight = 160;
inline constexpr const char* kDrawingStyle =
    "font-family=\"system-ui,Helvetica,Arial,sans-serif\" font-size=\"13\" fill=\"#222\"";

/// Layout of one drawing. With kNarrowRoom the text stays legible on a telephone's screen.
struct DrawingRoom {
  double width = kDrawingWidth, left = kDrawingLeft, right = kDrawingRight;
};
inline constexpr DrawingRoom kNarrowRoom{400, 50, 8};

/// Width, within the frame at the right, of the names of svg_quality_bands(): no data is drawn there.
inline constexpr double kQualityWords = 64;

/// Rectangles and names of the quality scale, from `lowest` to `highest` MOS, between left and right.
std::string svg_quality_bands(const DrawingRoom& room, double lowest, double highest, double top, double bottom);

/// One stimulus in one direction.
struct PlotPoint {
  std::vector<double> scores;
  std::optional<double> mean;
  double half_width = 0;        ///< not drawn when infinite
  std::optional<double> bound;  ///< drawn where the mean is conditional; the mark is hollow then
  bool never_made = false;      ///< nothing was measured: no cross is drawn
};

struct PlotSeries {
  std::string name;               ///< "a → b"
  std::vector<PlotPoint> points;  ///< one for each label
  std::optional<double> mean;     ///< of the series, drawn as a dashed line
  double half_width = 0;          ///< drawn as a band around the mean; not drawn when infinite
  /// A curve through the points: position along the labels (0 is the middle of the first), and height.
  std::vector<std::pair<double, double>> curve = {};
};

/// MOS by stimulus with interval bars. Series differ in colour (Okabe and Ito's set, distinguishable by colour-blind
/// readers) and in the shape of the mark; there are 32 combinations.
struct Plot {
  std::vector<std::string> labels;
  std::vector<PlotSeries> series;
  ScoreMode mode = ScoreMode::narrowband;  ///< the scale of the scores
  double lowest = 1;                       ///< of the scale
  double highest = 5;                      ///< of the scale
  std::string axis;                        ///< title of the vertical axis
  bool quality_bands = false;              ///< shows the names of quality_scale.h behind the points
  bool narrow = false;                     ///< for a telephone's screen: no names and no single scores
};

/// A self-contained <svg> element that scales with the page. All texts are escaped. Re-entrant.
std::string svg_plot(const Plot& plot);

/// The colour of the series with that index, "#0072B2".
std::string svg_colour(std::size_t series);

/// The mark of the series with that index, as in the plot, for a legend elsewhere: an <svg> of 14 by 14.
std::string svg_mark(std::size_t series);

}  // namespace vqas::report
