#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "score/envelope.h"
#include "score/model.h"
#include "score/refusal.h"
#include "vqas/score/score.h"
#include "vqas/signal/signal.h"

namespace vqas::scoring {

/// A pair at the model's rate, ready to be aligned.
struct PreparedPair {
  Signal reference;
  Signal degraded;
  /// Position of degraded's first sample in the recording it was cut from, after its clock was corrected, in samples.
  int origin = 0;
  /// Delays that the alignment may use, relative to the cut recording.
  DelayRange range;
  /// Of the recording's clock, already taken out, ppm.
  double corrected_drift_ppm = 0;
};

/// Checks both recordings, converts their rate, corrects a known clock drift and cuts out the place where the speech
/// must be.
std::variant<PreparedPair, Refusal> prepare(const Signal& reference, const Signal& degraded,
                                            const std::optional<KnownPlacement>& placement,
                                            const PerceptualModel& model);

/// The rms that recordings are brought to, about that of speech at -26 dBov.
inline constexpr double kPreparedRms = 0.05;

/// Mean removed in double precision and brought to kPreparedRms (silence stays silence); `gain` is what it was
/// multiplied with.
struct Centred {
  std::vector<float> samples;
  double gain = 1;
};
void centre(const Signal& signal, Centred& result);

}  // namespace vqas::scoring
