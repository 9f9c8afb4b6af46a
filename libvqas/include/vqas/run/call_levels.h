#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vqas/run/run.h"

namespace vqas {

/// The results of one call of a run in one direction.
struct CallLevel {
  std::uint32_t call = 1;
  std::uint32_t first_sequence = 0;  ///< the lowest of its measurements
  std::size_t scored = 0;
  std::optional<double> mean_mos_lqo;         ///< over its scores, equally weighted; nothing without a score
  std::optional<double> level_difference_db;  ///< median over its scores, received minus sent
  std::optional<double> level_change_db;      ///< from the latest earlier call with a level
  std::optional<double> level_drift_db;       ///< from the first call with a level; nothing for that call
};

/// Larger changes of level are reported. Our choice: the same as for a baseline; over the stimuli of one clean line
/// level_difference_db scatters by less than 1 dB.
inline constexpr double kSameCallLevel_db = 3;

/// The calls of a direction in order; only one if no call was made again. Re-entrant.
std::vector<CallLevel> call_levels(const DirectionRun& direction);

/// A change of level in words: "10.0 dB lower than in the call before it", or, if that one has the same level, compared
/// with the run's first call, because small steps add up. Nothing if both changes are at most kSameCallLevel_db or
/// unknown. Re-entrant.
std::optional<std::string> level_change_in_words(const CallLevel& level);

/// Warnings by direction that the means of the run combine different calls: one for each call whose level changed, and
/// one for each two calls whose means differ significantly (compare(), at the confidence of the run's goal) and by more
/// than the goal's half-width. Re-entrant.
std::vector<std::string> call_warnings(const RunResults& results);

}  // namespace vqas
