#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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

/// The local hours after which, on most days, nothing is measured for long: the circuit's own pauses, such as nights.
std::set<int> usual_pauses(std::span<const double> started_s, double cadence_s, const LocalTime& local) {
  constexpr std::size_t kLeastDays = 3;
  std::map<int, std::set<std::int64_t>> days_by_hour;
  std::set<std::int64_t> days;
  for (std::size_t i = 0; i < started_s.size(); ++i) {
    const LocalClock clock = local.at(started_s[i]);
    days.insert(clock.day);
    if (i + 1 < started_s.size() && started_s[i + 1] - started_s[i] > kMissed * cadence_s)
      days_by_hour[clock.hour].insert(clock.day);
  }
  std::set<int> pauses;
  for (const auto& [hour, seen] : days_by_hour) {
    if (seen.size() >= kLeastDays && 2 * seen.size() >= days.size()) pauses.insert(hour);
  }
  return pauses;
}

}  // namespace

std::optional<double> cadence_of(std::span<const double> started_s) {
  constexpr std::size_t kFewest = 4;
  constexpr double kWithin = 0.5, kMost = 0.75;
  std::vector<double> between;
  for (std::size_t i = 1; i < started_s.size(); ++i) between.push_back(started_s[i] - started_s[i - 1]);
  if (between.size() < kFewest) return std::nullopt;
  const double usual = median(between);
  const auto regular =
      std::ranges::count_if(between, [&](double one) { return std::abs(one - usual) <= kWithin * usual; });
  if (usual <= 0 || static_cast<double>(regular) < kMost * static_cast<double>(between.size())) return std::nullopt;
  return usual;
}

std::vector<TrendOutage> outages_of(std::span<const RunOfTrend> runs, const DirectionTrend& trend,
                                    const LocalTime& local) {
  std::vector<double> started_s;
  for (const std::size_t r : trend.runs) started_s.push_back(runs[r].started_s);
  const std::optional<double> cadence_s = cadence_of(started_s);
  const std::set<int> pauses = cadence_s ? usual_pauses(started_s, *cadence_s, local) : std::set<int>();
  std::vector<TrendOutage> outages;
  bool out = false;
  for (std::size_t i = 0; i < trend.runs.size(); ++i) {
    const RunOfTrend& run = runs[trend.runs[i]];
    const DirectionOfRun& direction = *direction_of(run, trend.from);
    if (i > 0 && cadence_s) {
      const double before = runs[trend.runs[i - 1]].started_s;
      if (run.started_s - before > kMissed * *cadence_s && !pauses.contains(local.at(before).hour)) {
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
