// Means by time of day, by weekday, and causes by day or week.
#include <limits>
#include <map>
#include <utility>

#include "trend/parts.h"
#include "vqas/sampling/interval.h"

namespace vqas::trend {
namespace {

constexpr double kConfidence = 0.99;
constexpr std::size_t kLeastRepeats = 3;

/// Runs of one repeat (a day, a week) may be alike, so each repeat counts once.
struct Bin {
  std::size_t runs = 0;
  std::map<std::int64_t, std::pair<double, std::size_t>> repeats;  // sum and count
};

std::vector<TrendBin> bins_of(const std::map<int, Bin>& bins, int all) {
  std::vector<TrendBin> result;
  for (const auto& [name, bin] : bins) {
    std::vector<double> means;
    for (const auto& [repeat, sum] : bin.repeats) means.push_back(sum.first / static_cast<double>(sum.second));
    const Interval interval = t_interval(means, 1 - (1 - kConfidence) / all);
    const bool enough = means.size() >= kLeastRepeats;
    result.push_back({name, bin.runs, means.size(), interval.mean,
                      enough ? interval.half_width : std::numeric_limits<double>::infinity()});
  }
  return result;
}

void add(Bin& bin, std::int64_t repeat, double difference) {
  ++bin.runs;
  bin.repeats[repeat].first += difference;
  ++bin.repeats[repeat].second;
}

}  // namespace

std::vector<TrendBin> by_hour(std::span<const Residual> residuals) {
  std::map<int, Bin> bins;
  for (const Residual& one : residuals) add(bins[one.clock.hour], one.clock.day, one.difference);
  return bins_of(bins, 24);
}

std::vector<TrendBin> by_weekday(std::span<const Residual> residuals) {
  std::map<int, Bin> bins;
  for (const Residual& one : residuals) add(bins[one.clock.weekday], one.clock.day, one.difference);
  std::vector<TrendBin> result = bins_of(bins, 7);
  // A level is that of a usual hour, and a whole day with its bad hours may lie below it.
  double mean = 0;
  for (const TrendBin& one : result) mean += one.difference / static_cast<double>(result.size());
  for (TrendBin& one : result) one.difference -= mean;
  return result;
}

std::vector<TrendCauses> causes_of(std::span<const RunOfTrend> runs, const DirectionTrend& trend,
                                   const LocalTime& local, bool by_week) {
  std::vector<TrendCauses> causes;
  std::int64_t current = std::numeric_limits<std::int64_t>::min();
  std::size_t measurements = 0, scored = 0, examined = 0;
  std::array<double, kAllImpairments.size()> sum{};
  const auto close = [&] {
    if (causes.empty()) return;
    TrendCauses& one = causes.back();
    if (measurements > 0)
      one.share_unscored = static_cast<double>(measurements - scored) / static_cast<double>(measurements);
    if (examined > 0) {
      for (double& cost : sum) cost /= static_cast<double>(examined);
      one.costs = sum;
    }
    measurements = scored = examined = 0;
    sum = {};
  };
  for (const std::size_t r : trend.runs) {
    const std::int64_t day = local.at(runs[r].started_s).day;
    const std::int64_t period = by_week ? (day + 3) / 7 : day;
    if (period != current) {
      close();
      causes.push_back({.from_s = runs[r].started_s, .costs = {}});
      current = period;
    }
    const DirectionOfRun& direction = *direction_of(runs[r], trend.from);
    ++causes.back().runs;
    measurements += direction.measurements;
    scored += direction.scored;
    if (!direction.costs) continue;
    ++examined;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (*direction.costs)[i];
  }
  close();
  return causes;
}

}  // namespace vqas::trend
