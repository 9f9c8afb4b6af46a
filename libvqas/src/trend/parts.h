#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vqas/trend/trend.h"

namespace vqas::trend {

/// The direction `from` of a run; nullptr if it was not measured.
const DirectionOfRun* direction_of(const RunOfTrend& run, End from);

/// What returns in every period: for each value the median, over the periods, of how far its phase lies from its
/// period's median. `period` and `phase` have one entry for each value. All 0 unless every phase was seen in at least
/// `least` periods.
std::vector<double> usual_pattern(std::span<const double> values, std::span<const std::int64_t> period,
                                  std::span<const int> phase, std::size_t least);

/// Usual time from one start to the next: the median, if three of four are within a half of it; else nothing.
std::optional<double> cadence_of(std::span<const double> started_s);

/// Runs without a score and times without runs, by their beginning. A pause at the same hour of most days is no outage:
/// a circuit may be measured in working hours only.
std::vector<TrendOutage> outages_of(std::span<const RunOfTrend> runs, const DirectionTrend& trend,
                                    const LocalTime& local);

/// A run's distance from its level, MOS.
struct Residual {
  LocalClock clock;
  double difference = 0;
};
std::vector<TrendBin> by_hour(std::span<const Residual> residuals);
/// From the mean of the weekdays.
std::vector<TrendBin> by_weekday(std::span<const Residual> residuals);

/// By local day, or by week when there are more than 62 days.
std::vector<TrendCauses> causes_of(std::span<const RunOfTrend> runs, const DirectionTrend& trend,
                                   const LocalTime& local, bool by_week);

/// The scales of a direction with their levels and changes.
std::vector<TrendScale> scales_of(std::span<const RunOfTrend> runs, const DirectionTrend& trend,
                                  const TrendOptions& options);

}  // namespace vqas::trend
