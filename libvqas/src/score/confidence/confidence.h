#pragma once

#include <span>

#include "score/compare/perception.h"
#include "score/model/model.h"

namespace vqas::scoring {

/// What else is known of a pair beside its distance.
struct Circumstances {
  double shortness = 0;  ///< 0 from 8 s of reference on, up to 1
  double noise = 0;    ///< 0 where the degraded recording's pauses lie 30 dB below its speech, 1 where they are as loud
  double lost_s = 0;   ///< speech that was not found, seconds
  double sound_s = 0;  ///< sound that belongs to no speech that was found, seconds
  /// Of the speech that was not found, as many seconds as there are of sound where no speech was laid.
  double unplaced_s = 0;
  double elsewhere_s = 0;         ///< seconds of the lost speech that arrived in another order
  double step_distance = 0;       ///< AD of what is heard beside steps of the delay, at the weight of all else
  double long_step_distance = 0;  ///< what of AD is owed to steps that are longer than any the model was fitted to
  double tone = 0;               ///< 0 where no band in the pauses outweighs all others, 1 where nearly all lies in one
  double foreign_s = 0;          ///< loud sound between two pieces of speech that follow one another in the reference
  double stretched = 0;          ///< seconds by which the delay creeps over the second of speech where it does most
  double moved_by_pauses_s = 0;  ///< how far longer and shorter pauses move speech, less the loud sound put in
  double taken = 0;              ///< what D1 has over D2, without Ds: speech was taken away more than sound was added
  double ends_lost_s = 0;        ///< speech that was not found in front of all that was, and behind it
  double forgiven = 0;           ///< distance that rounding alone has made, which the score forgives
  bool by_pattern = false;       ///< the speech was recognised by its pattern; the waveform says nothing
};

/// After Perception::transform().
Circumstances circumstances_of(const Perception& perception, const PerceptualModel& model);

/// Speech of the reference in front of all that was found, and behind it, seconds; 0 where nothing was found. One value
/// a frame each, or no `lost` where all was found.
double ends_lost_s(std::span<const char> active, std::span<const char> lost, const PerceptualModel& model);

/// Scale of the error of AD, whose errors follow Student's t. Ten circumstances make it larger: a short recording,
/// what is heard beside steps of the delay (so it grows with their rate and size) and what long ones cost beside, a
/// clock drift and speech that was stretched by small steps (the label corrects neither), noise or a tone in the
/// pauses, speech that was recognised by its pattern alone, loud sound between pieces of speech, speech that is missing
/// at either end, and speech that was taken away more than sound was added. Fitted to what was found, on strange lines
/// too (libvqas/doc/record/confidence-error.md).
double error_scale(const Circumstances& circumstances, double clock_drift_ppm, const PerceptualModel& model);

/// Estimated probability, 0..1, that a score lies within 0.5 of the label: that the error of `auditory_distance`,
/// Student's t times `scale`, is no larger to either side than what moves MOS by 0.5 to the closer one. 0 for a
/// distance that is no finite number. `forgiven` is a distance that the label hears and `auditory_distance` lacks.
double confidence_of(double auditory_distance, double scale, const ScoreModel& model, double forgiven = 0);

}  // namespace vqas::scoring
