#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vqas::report {

struct ChartPoint {
  double x = 0;
  double y = 0;
  double half_width = 0;   ///< of a bar; no bar when 0 or not finite
  bool marked = false;     ///< ringed
  std::string title;       ///< shown on hovering
  std::string label = {};  ///< drawn beside it
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;
  bool joined = false;  ///< by a line
};

struct ChartTick {
  double x = 0;
  std::string label;
};

/// MOS against something: time, order, bit errors. Colours and marks are those of svg_plot().
struct Chart {
  std::string title, x_axis, y_axis;
  std::vector<ChartSeries> series;
  std::vector<ChartTick> ticks;  ///< empty: whole numbers, spaced to fit
  double lowest = 1, highest = 5;
  bool quality_bands = false;  ///< as in Plot
  bool narrow = false;         ///< as in Plot
};

/// A self-contained <svg> element; all texts are escaped. Points without a finite position are left out.
std::string svg_chart(const Chart& chart);

}  // namespace vqas::report
