#pragma once

#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "score/dsp/kernels.h"
#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"
#include "score/refusal.h"
#include "vqas/score/score.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal_view.h"

namespace vqas::scoring {

/// Samples at the rate of alignment: those of the caller, who keeps them, or converted ones of its own. Where the model
/// listens at another rate, the same recording at that rate too.
struct Recording {
  Recording() = default;
  Recording(Recording&&) = default;
  Recording& operator=(Recording&&) = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() = default;

  Signal owned, owned_heard;
  std::span<const float> samples;
  std::span<const float> heard;    ///< empty where the model listens at the rate of alignment
  std::optional<SampleSums> sums;  ///< of the samples, where they are known already

  void own(Signal signal) {
    owned = std::move(signal);
    samples = owned.samples;
    sums.reset();
  }
  void own_heard(Signal signal) {
    owned_heard = std::move(signal);
    heard = owned_heard.samples;
  }
};

/// A pair at the rate of alignment, ready to be aligned. Lives no longer than the recordings it was made from.
struct PreparedPair {
  Recording reference;
  Recording degraded;
  /// Position of degraded's first sample in the recording it was cut from, after its clock was corrected, in samples.
  int origin = 0;
  /// Delays that the alignment may use, relative to the cut recording.
  DelayRange range;
  /// Of the recording's clock, already taken out, ppm.
  double corrected_drift_ppm = 0;
};

/// Checks both recordings, converts their rate, corrects a known clock drift and cuts out the place where the speech
/// must be. A reference that was prepared before (`reference_is_known`) is not looked through again.
std::variant<PreparedPair, Refusal> prepare(SignalView reference, SignalView degraded,
                                            const std::optional<KnownPlacement>& placement, const ScoreModel& model,
                                            bool reference_is_known);

/// The recording with a clock drift taken out, as correct_clock() of vqas/signal/resample.h.
Result<Recording> correct_clock(const Recording& received, double drift_ppm, const ScoreModel& model);

/// not tuned: the rms that recordings are brought to, another gives the same scores; about that of speech at -26 dBov.
inline constexpr double kPreparedRms = 0.05;

/// A recording with its mean removed (in double precision) and brought to kPreparedRms; silence stays silence.
struct DcFree {
  PaddedSignal signal;
  double gain = 1;  ///< what it was multiplied with
  bool silent = false;
  PaddedSignal heard;  ///< the same at the rate of listening; empty where that is the rate of alignment
  double heard_gain = 1;
};
void remove_dc(const Recording& recording, DcFree& result);

}  // namespace vqas::scoring
