#include "vqas/node/call_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace vqas {
namespace {

struct Collected {
  std::uint32_t first_sequence = 0;
  std::vector<double> scores, levels;
};

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<CallLevel> call_levels(const DirectionRun& direction) {
  std::map<std::uint32_t, Collected> calls;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      Collected& call = calls[one.call];
      call.first_sequence = call.first_sequence == 0 ? one.sequence : std::min(call.first_sequence, one.sequence);
      if (!one.mos_lqo) continue;
      call.scores.push_back(*one.mos_lqo);
      // What was not scored came through a line that was breaking, and its level says nothing of the call's.
      if (one.level_difference_db) call.levels.push_back(*one.level_difference_db);
    }
  }
  std::vector<CallLevel> levels;
  std::optional<double> before;
  for (const auto& [number, call] : calls) {
    CallLevel level;
    level.call = number;
    level.first_sequence = call.first_sequence;
    level.scored = call.scores.size();
    level.mean_mos_lqo = mean(call.scores);
    level.level_difference_db = median(call.levels);
    if (before && level.level_difference_db) level.level_change_db = *level.level_difference_db - *before;
    if (level.level_difference_db) before = level.level_difference_db;
    levels.push_back(level);
  }
  return levels;
}

std::optional<std::string> level_change_in_words(const CallLevel& level) {
  if (!level.level_change_db || std::fabs(*level.level_change_db) <= kSameCallLevel_db) return std::nullopt;
  return fmt::format("{:.1f} dB {} than in the call before it", std::fabs(*level.level_change_db),
                     *level.level_change_db < 0 ? "lower" : "higher");
}

std::vector<std::string> call_warnings(const RunResults& results) {
  std::vector<std::string> warnings;
  for (const DirectionRun& direction : results.directions) {
    for (const CallLevel& level : call_levels(direction)) {
      const auto words = level_change_in_words(level);
      if (!words) continue;
      warnings.push_back(
          fmt::format("{} to {}: the call was made again before transmission {}, and its level is {}; the means hold "
                      "both levels",
                      direction.from, direction.to, level.first_sequence, *words));
    }
  }
  return warnings;
}

}  // namespace vqas
