#include "vqas/run/call_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "vqas/sampling/compare.h"
#include "vqas/signal/median.h"

namespace vqas {
namespace {

struct Collected {
  std::uint32_t first_sequence = 0;
  std::vector<double> scores, levels;
};

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The scores of each call by stimulus, as channels for compare(); calls without a score are left out.
std::vector<ComparedChannel> calls_to_compare(const DirectionRun& direction, double confidence) {
  std::map<std::uint32_t, ComparedChannel> calls;
  for (const StimulusRun& stimulus : direction.stimuli) {
    std::map<std::uint32_t, std::vector<double>> scores;
    for (const Measurement& one : stimulus.measurements) {
      if (one.mos_lqo) scores[one.call].push_back(*one.mos_lqo);
    }
    for (const auto& [call, values] : scores) {
      calls[call].name = std::to_string(call);
      calls[call].stimuli.push_back({stimulus.stimulus, t_interval(values, confidence)});
    }
  }
  std::vector<ComparedChannel> found;
  found.reserve(calls.size());
  for (auto& [ignored, call] : calls) found.push_back(std::move(call));
  return found;
}

// A digital line gives nearly the same score each time, so even irrelevant differences of calls are significant. A
// difference below the goal's half-width is not reported.
void warn_of_means(const DirectionRun& direction, const PrecisionGoal& goal, std::vector<std::string>& warnings) {
  const double confidence = goal.confidence;
  const auto calls = calls_to_compare(direction, confidence);
  if (calls.size() < 2) return;
  const auto compared = compare(calls, confidence);
  if (!compared) return;
  for (const Comparison& one : *compared) {
    if (!one.differ() || std::fabs(one.difference) <= goal.half_width) continue;
    warnings.push_back(fmt::format(
        "{}: call {} scores {:.2f} ±{:.2f} MOS {} than call {} on the stimuli of both; the means of the run are "
        "over both calls",
        direction_words(direction.from), one.second, std::fabs(one.difference), one.half_width,
        one.difference < 0 ? "less" : "more", one.first));
  }
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
      // Unscored measurements came through a failing line; their level does not describe the call.
      if (one.level_difference_db) call.levels.push_back(*one.level_difference_db);
    }
  }
  std::vector<CallLevel> levels;
  std::optional<double> first, before;
  for (const auto& [number, call] : calls) {
    CallLevel level;
    level.call = number;
    level.first_sequence = call.first_sequence;
    level.scored = call.scores.size();
    level.mean_mos_lqo = mean(call.scores);
    if (!call.levels.empty()) level.level_difference_db = median(call.levels);
    if (before && level.level_difference_db) level.level_change_db = *level.level_difference_db - *before;
    if (first && level.level_difference_db) level.level_drift_db = *level.level_difference_db - *first;
    if (level.level_difference_db) {
      before = level.level_difference_db;
      if (!first) first = before;
    }
    levels.push_back(level);
  }
  return levels;
}

std::optional<std::string> level_change_in_words(const CallLevel& level) {
  const auto moved = [](const std::optional<double>& by_db, const char* call) -> std::optional<std::string> {
    if (!by_db || std::fabs(*by_db) <= kSameCallLevel_db) return std::nullopt;
    return fmt::format("{:.1f} dB {} than in {}", std::fabs(*by_db), *by_db < 0 ? "lower" : "higher", call);
  };
  const auto since_before = moved(level.level_change_db, "the call before it");
  return since_before ? since_before : moved(level.level_drift_db, "the run's first call");
}

std::vector<std::string> call_warnings(const RunResults& results) {
  std::vector<std::string> warnings;
  for (const DirectionRun& direction : results.directions) {
    for (const CallLevel& level : call_levels(direction)) {
      const auto words = level_change_in_words(level);
      if (!words) continue;
      warnings.push_back(fmt::format(
          "{}: the call was made again before transmission {}, and its level is {}; the means of the run include "
          "both levels",
          direction_words(direction.from), level.first_sequence, *words));
    }
    warn_of_means(direction, results.sampling.goal, warnings);
  }
  return warnings;
}

}  // namespace vqas
