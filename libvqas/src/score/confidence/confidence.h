#pragma once

#include <span>

#include "score/compare/perception.h"
#include "score/model/model.h"

namespace vqas::scoring {

/// What else is known of a pair beside its distance.
struct Circumstances {
  double shortness = 0;  ///< 0 from 8 s of reference on, up to 1
  double noise = 0;  ///< 0 where the degraded recording's pauses lie 30 dB below its speech, 1 where they are as loud
  double sparseness = 0;  ///< share of the reference's frames without speech
  double jumps = 0;       ///< changes of delay by more than model.jump_from, one a second
  double deleted = 0;     ///< speech that the delay leaps over, hundreds of milliseconds a second of speech
  double lost_s = 0;      ///< speech that was found nowhere, beside
  double sound_s = 0;     ///< sound that is no part of what was found
  /// Speech that was found nowhere, as far as there is sound beside every place that speech was laid on, seconds.
  double unplaced_s = 0;
  double step_cost_mos = 0;       ///< what the score owes to steps of the delay: to all that is heard beside them
  double long_step_cost_mos = 0;  ///< to those that are longer than any that the model was fitted to
  double tone = 0;          ///< 0 where what is heard in the pauses has many bands, 1 where nearly all lies in one
  double foreign_s = 0;     ///< loud sound between two pieces of speech that follow one another in the reference
  bool by_pattern = false;  ///< the speech was recognised by its pattern; the waveform says nothing
};

/// After Perception::transform() with the same delays.
Circumstances circumstances_of(const Perception& perception, const PaddedSignal& degraded, std::span<const int> delay,
                               const PerceptualModel& model);

/// Estimated probability, 0..1, that a score lies within 0.5 of the label. Twelve things lower it: a short recording, a
/// score in the steep middle of the scale, what the score owes to steps of the delay (so it falls with their rate and
/// size) and to long ones, a delay that jumps where little else is heard, speech that the delay leaps over (the label
/// takes deleted speech now for nothing, now for a loss), a clock drift (the label does not correct it), noise in the
/// pauses, a tone there, loud sound between pieces of speech, a reference that is mostly pauses, speech that was
/// recognised by its pattern alone. A logistic fitted to what was found, on strange lines too
/// (libvqas/doc/record/calibration.md).
double confidence_of(double mos, const Measurements& measurements, const Circumstances& circumstances,
                     double clock_drift_ppm, const ScoreModel& model);

}  // namespace vqas::scoring
