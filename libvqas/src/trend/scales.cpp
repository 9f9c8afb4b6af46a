// Runs that can be compared, their levels and the changes between them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "trend/parts.h"

namespace vqas::trend {
namespace {

// Fewer days or weeks do not show what is usual.
constexpr std::size_t kLeastDays = 7, kLeastWeeks = 4;

/// The values of a scale without what returns each day or each week, so that neither looks like a change of level.
void take_off_usual(std::span<const LocalClock> clocks, std::vector<double>& values, TrendScale& scale) {
  std::vector<std::int64_t> days, weeks;
  std::vector<int> weekdays;
  for (const LocalClock& clock : clocks) {
    days.push_back(clock.day);
    weeks.push_back((clock.day + 3) / 7);  // 1970-01-01 was a Thursday
    weekdays.push_back(clock.weekday);
  }
  const auto take_off = [&](std::span<const std::int64_t> period, std::span<const int> phase, std::size_t least) {
    const std::vector<double> pattern = usual_pattern(values, period, phase, least);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= pattern[i];
    return std::ranges::any_of(pattern, [](double one) { return one != 0; });
  };
  // By the hour, or where runs are rarer by three, six or twelve hours.
  for (const int hours : {1, 3, 6, 12}) {
    std::vector<int> phase;
    for (const LocalClock& clock : clocks) phase.push_back(clock.hour / hours);
    scale.by_hour = take_off(days, phase, kLeastDays);
    if (scale.by_hour) break;
  }
  scale.by_weekday = take_off(weeks, weekdays, kLeastWeeks);
}

// Standard deviation of one score, pooled over the runs. A run's own error, from few skewed scores, is smallest where
// by chance no bad score came, so weights by it would prefer the good runs.
double pooled_deviation(std::span<const RunOfTrend> runs, std::span<const std::size_t> used, End from) {
  double sum = 0;
  std::size_t known = 0;
  for (const std::size_t r : used) {
    const DirectionOfRun& direction = *direction_of(runs[r], from);
    if (direction.standard_error <= 0) continue;
    sum += direction.standard_error * direction.standard_error * static_cast<double>(direction.scored);
    ++known;
  }
  return known == 0 ? 0 : std::sqrt(sum / static_cast<double>(known));
}

void find_levels(std::span<const RunOfTrend> runs, End from, const TrendOptions& options, TrendScale& scale) {
  std::vector<std::size_t> used;
  std::vector<LocalClock> clocks;
  std::vector<double> values;
  for (const std::size_t r : scale.runs) {
    const DirectionOfRun& direction = *direction_of(runs[r], from);
    if (direction.partial) continue;
    used.push_back(r);
    clocks.push_back(options.local.at(runs[r].started_s));
    values.push_back(*direction.mean);
  }
  take_off_usual(clocks, values, scale);
  const double deviation = pooled_deviation(runs, used, from);
  std::vector<RunLevel> levels;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto scored = static_cast<double>(direction_of(runs[used[i]], from)->scored);
    levels.push_back({values[i], scored > 0 ? deviation / std::sqrt(scored) : 0});
  }
  const ChangeSearch found = find_changes(levels, options.changes);
  scale.between_runs = found.between_runs;
  scale.inflation = found.inflation;
  scale.threshold = found.threshold;
  scale.places = found.places;
  for (const std::size_t stray : found.strays) scale.strays.push_back(used[stray]);
  for (const RunsAtLevel& level : found.levels)
    scale.levels.push_back({used[level.first], used[level.last], level.mos, level.half_width});
  for (std::size_t i = 0; i < found.changes.size(); ++i) {
    const ChangePoint& change = found.changes[i];
    scale.changes.push_back({used[change.at - 1], used[change.at], used[change.earliest - 1], used[change.latest],
                             found.levels[i].mos, found.levels[i + 1].mos, change.half_width, change.statistic,
                             change.probability});
  }
}

}  // namespace

std::vector<TrendScale> scales_of(std::span<const RunOfTrend> runs, const DirectionTrend& trend,
                                  const TrendOptions& options) {
  std::vector<TrendScale> scales;
  for (const std::size_t r : trend.runs) {
    if (!direction_of(runs[r], trend.from)->mean) continue;
    const auto same = [&](const TrendScale& one) {
      return one.score_version == runs[r].score_version && one.stimuli == runs[r].stimuli;
    };
    auto found = std::ranges::find_if(scales, same);
    if (found == scales.end()) {
      TrendScale& made = scales.emplace_back();
      made.score_version = runs[r].score_version;
      made.stimuli = runs[r].stimuli;
      found = scales.end() - 1;
    }
    found->runs.push_back(r);
  }
  for (TrendScale& scale : scales) find_levels(runs, trend.from, options, scale);
  return scales;
}

}  // namespace vqas::trend
