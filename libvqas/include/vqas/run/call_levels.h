#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vqas/run/run.h"

namespace vqas {

/// What one call of a run brought in one direction.
struct CallLevel {
  std::uint32_t call = 1;
  std::uint32_t first_sequence = 0;  ///< the least of its measurements
  std::size_t scored = 0;
  std::optional<double> mean_mos_lqo;         ///< over its scores, each alike; nothing without a score
  std::optional<double> level_difference_db;  ///< median over its scores, received against sent
  std::optional<double> level_change_db;      ///< against the latest call before it that has a level
  std::optional<double> level_drift_db;       ///< against the first call that has one; nothing of that call itself
};

/// A level that moved by more than this is told. Ours: the same as for a baseline; over the stimuli of one clean line
/// level_difference_db scatters by less than 1 dB.
inline constexpr double kSameCallLevel_db = 3;

/// The calls of a direction in their order; one alone where no call was made again. Re-entrant.
std::vector<CallLevel> call_levels(const DirectionRun& direction);

/// That a call's level is not the one of the call before it, in words: "10.0 dB lower than in the call before it";
/// or, where it is that one's, not the one of the run's first call: small steps add up. Nothing where it moved by
/// kSameCallLevel_db or less against both, or is not known. Re-entrant.
std::optional<std::string> level_change_in_words(const CallLevel& level);

/// A sentence for each call of a run whose level moved, and for each two calls whose means differ by more than
/// repeating them would (compare(), at the confidence of the run's goal) and by more than the goal's half-width, by
/// direction: the means of the run hold both.
/// Re-entrant.
std::vector<std::string> call_warnings(const RunResults& results);

}  // namespace vqas
