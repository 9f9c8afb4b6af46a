#include <algorithm>
#include <cmath>

#include "trend/parts.h"
#include "vqas/signal/median.h"

namespace vqas::trend {
namespace {

// A start is missed when the next one comes later than this many usual times.
constexpr double kMissed = 1.75;

std::string why_in_words(const DirectionOfRun& direction) {
  if (direction.measurements == 0) return "nothing was measured";
  if (direction.not_scored_because.empty()) return direction.no_score;
  return direction.no_score + ": " + direction.not_scored_because;
}

}  // namespace

std::optional<double> cadence_of(std::span<const RunOfTrend> runs) {
  constexpr std::size_t kFewest = 4;
  constexpr double kWithin = 0.5, kMost = 0.75;
  std::vector<double> between;
  for (std::size_t i = 1; i < runs.size(); ++i) between.push_back(runs[i].started_s - runs[i - 1].started_s);
  if (between.size() < kFewest) return std::nullopt;
  const double usual = median(between);
  const auto regular =
      std::ranges::count_if(between, [&](double one) { return std::abs(one - usual) <= kWithin * usual; });
  if (usual <= 0 || static_cast<double>(regular) < kMost * static_cast<double>(between.size())) return std::nullopt;
  return usual;
}

std::vector<TrendOutage> outages_of(std::span<const RunOfTrend> runs, const DirectionTrend& trend,
                                    std::optional<double> cadence_s) {
  std::vector<TrendOutage> outages;
  bool out = false;
  for (std::size_t i = 0; i < trend.runs.size(); ++i) {
    const RunOfTrend& run = runs[trend.runs[i]];
    const DirectionOfRun& direction = *direction_of(run, trend.from);
    if (i > 0 && cadence_s) {
      const double before = runs[trend.runs[i - 1]].started_s;
      if (run.started_s - before > kMissed * *cadence_s) {
        const auto missed =
            static_cast<std::size_t>(std::max(1.0, std::round((run.started_s - before) / *cadence_s) - 1));
        // A gap within an outage belongs to it.
        if (out) {
          outages.back().missed += missed;
        } else {
          outages.push_back({before, run.started_s, 0, missed, "no run was made"});
        }
      }
    }
    if (direction.mean) {
      if (out) outages.back().until_s = run.started_s;
      out = false;
    } else {
      if (!out) outages.push_back({run.started_s, std::nullopt, 0, 0, why_in_words(direction)});
      out = true;
      ++outages.back().runs;
    }
  }
  return outages;
}

}  // namespace vqas::trend
