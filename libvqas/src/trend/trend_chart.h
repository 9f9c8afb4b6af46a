#pragma once

#include <string>

#include "vqas/trend/trend.h"

namespace vqas::trend {

// With more runs than these, single runs have neither bars nor words.
inline constexpr std::size_t kMostRunsWithBars = 500;

// Drawings as <svg> elements for the pages' style sheet. All texts are escaped.

/// Every run of a direction over time with levels, changes, outages and changes of scale. `narrow`: for a telephone.
std::string svg_over_time(const CircuitTrend& trend, const DirectionTrend& direction, bool narrow);

/// Differences from the level by time of day or weekday, with their intervals.
std::string svg_bins(const std::vector<TrendBin>& bins, bool weekdays);

/// Costs of each impairment over time, darker where they are higher.
std::string svg_causes(const CircuitTrend& trend, const DirectionTrend& direction, bool narrow);

/// The last means of a direction, small.
std::string svg_spark(const CircuitTrend& trend, const DirectionTrend& direction);

}  // namespace vqas::trend
