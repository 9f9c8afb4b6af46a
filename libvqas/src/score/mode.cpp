#include "vqas/score/mode.h"

#include <algorithm>

#include "signal/words.h"

namespace vqas {
namespace {

constexpr Words<ScoreMode, 2> kModes{{{"nb", ScoreMode::narrowband}, {"wb", ScoreMode::wideband}}};
constexpr int kWidebandFromHz = 16000;  // not tuned: the rate that P.862.2 needs

}  // namespace

std::string_view to_string(ScoreMode mode) {
  return word_of(kModes, mode);
}

std::optional<ScoreMode> score_mode_from_string(std::string_view name) {
  return value_of(kModes, name);
}

std::string_view scale_name(ScoreMode mode) {
  return mode == ScoreMode::wideband ? "MOS-LQOW" : "MOS-LQON";
}

ScoreMode mode_for_rates(int reference_hz, int degraded_hz) {
  return std::min(reference_hz, degraded_hz) >= kWidebandFromHz ? ScoreMode::wideband : ScoreMode::narrowband;
}

}  // namespace vqas
