#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "report/escape.h"
#include "trend/parts.h"
#include "trend/trend_chart.h"
#include "vqas/run/mos_scale.h"

namespace vqas::trend {

inline std::string title(const std::string& words) {
  return "<title>" + report::escape(words) + "</title>";
}

/// A line of text, already escaped or without special characters.
inline std::string text(double x, double y, const std::string& words, const char* anchor, const char* classes = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", x, y, anchor,
                     classes, words);
}

/// The last instant of which something is known.
inline double last_known_s(const CircuitTrend& trend) {
  const double run_s = trend.runs.back().started_s;
  return trend.missed.empty() ? run_s : std::max(run_s, trend.missed.back().due_s);
}

/// Whole half-MOS around the runs with their bars, at least one MOS.
inline std::pair<double, double> range_of(const CircuitTrend& trend, const DirectionTrend& direction) {
  const double highest = highest_mos(scale_of(trend.runs.back()));
  double low = highest, high = kLowestMos;
  for (const std::size_t r : direction.runs) {
    const DirectionOfRun& one = *direction_of(trend.runs[r], direction.from);
    if (!one.mean) continue;
    const bool bars = direction.runs.size() <= kMostRunsWithBars && std::isfinite(one.half_width);
    low = std::min(low, *one.mean - (bars ? one.half_width : 0));
    high = std::max(high, *one.mean + (bars ? one.half_width : 0));
  }
  if (low > high) return {kLowestMos, highest};
  low = std::max(kLowestMos, std::floor(2 * (low - 0.1)) / 2);
  high = std::min(highest, std::ceil(2 * (high + 0.1)) / 2);
  if (high - low < 1) low = std::max(kLowestMos, high - 1);
  return {low, high};
}

}  // namespace vqas::trend
