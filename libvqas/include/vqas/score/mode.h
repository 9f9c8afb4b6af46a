#pragma once

#include <optional>
#include <string_view>

namespace vqas {

/// The two models of the score. Each has a scale of its own: their scores are never averaged or compared.
enum class ScoreMode {
  narrowband,  ///< telephone band at 8 kHz; MOS-LQON on the scale of ITU-T P.862.1, 1.0..4.55
  wideband,    ///< 50 to 7000 Hz at 16 kHz; MOS-LQOW on the scale of ITU-T P.862.2, 1.04..4.64
};

/// The name in results: "nb" or "wb".
std::string_view to_string(ScoreMode mode);
/// The mode with that name, or nothing.
std::optional<ScoreMode> score_mode_from_string(std::string_view name);
/// What its scores are called: "MOS-LQON" or "MOS-LQOW".
std::string_view scale_name(ScoreMode mode);
/// The mode for a pair of recordings with these rates: wideband where both have 16 kHz or more.
ScoreMode mode_for_rates(int reference_hz, int degraded_hz);

}  // namespace vqas
