#include "score/confidence/confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "score/model/shared_numbers.h"
#include "score/prepare/preparation.h"

namespace vqas::scoring {
namespace {

constexpr double kQuietPausesDb = 30;  // below the speech: quieter pauses say no more
constexpr double kLongEnoughS = 8;     // the length of the sentence pairs that the weights were fitted to
// A tone in the pauses: shares of one band between these, where the pauses are not quiet. Noise, babble and echoes of
// the calibration stay below the first in 95 of 100 pairs.
constexpr double kToneFrom = 0.4;
constexpr double kToneTo = 0.8;
constexpr double kToneNoise = 0.02;
constexpr double kLeastForeignS = 0.2;   // a shorter step is one of a network
constexpr double kForeignOverPause = 4;  // by hand: 6 dB over what the line sends in pauses
// Of `samples`: a share of the recording's mean, or so many times what the line sends in pauses, whichever is larger.
double energy_over_pauses(const Perception& perception, int samples, double share, double times_pause) {
  const double mean = kPreparedRms * kPreparedRms * samples;
  const double pause = mean * std::pow(10, -perception.speech_to_pause_db() / 10);
  return std::max(share * mean, times_pause * pause);
}

// Sound behind the place where the one piece ends and in front of the one where the next begins, louder than a share of
// the recording's mean and than what the line sends in pauses.
double foreign_sound_s(const Perception& perception, const PaddedSignal& degraded, std::span<const int> delay,
                       const PerceptualModel& model) {
  const auto least_step = static_cast<int>(kLeastForeignS * model.rate_hz);
  double least_energy = -1;
  int hops = 0;
  for (std::size_t j = 1; j < delay.size(); ++j) {
    if (delay[j] - delay[j - 1] < least_step) continue;
    if (least_energy < 0) {
      least_energy = energy_over_pauses(perception, model.hop, kSoundShare, kForeignOverPause);
    }
    // The last frame of the one piece is two hops long.
    const int from = (static_cast<int>(j) + 1) * model.hop + delay[j - 1];
    const int to = static_cast<int>(j) * model.hop + delay[j];
    for (int at = from; at + model.hop <= to; at += model.hop) hops += degraded.energy(at, model.hop) > least_energy;
  }
  return static_cast<double>(hops) * model.hop / model.rate_hz;
}

}  // namespace

Circumstances circumstances_of(const Perception& perception, const PaddedSignal& degraded, std::span<const int> delay,
                               const PerceptualModel& model) {
  Circumstances circumstances;
  const double seconds = static_cast<double>(perception.frames()) * model.hop / model.rate_hz;
  const double active = static_cast<double>(perception.active_frames()) / std::max(1, perception.frames());
  int jumps = 0;
  const auto talking_around = [&](int frame) {
    const int first = std::max(0, frame - model.jump_neighbours);
    const int last = std::min(perception.frames(), frame + model.jump_neighbours);
    int talking = 0;
    for (int k = first; k < last; ++k) talking += perception.active()[k];
    return talking / (2.0 * model.jump_neighbours);
  };
  double deleted = 0;
  for (std::size_t j = 1; j < delay.size(); ++j) {
    const int leap = delay[j - 1] - delay[j];
    if (leap > model.jump_from) {
      deleted += talking_around(static_cast<int>(j)) * std::min(leap, model.jump_largest) / model.jump_largest;
    }
    jumps += std::abs(leap) > model.jump_from ? 1 : 0;
  }
  circumstances.noise = std::clamp(1 - perception.speech_to_pause_db() / kQuietPausesDb, 0.0, 1.0);
  circumstances.shortness = std::clamp(1 - seconds / kLongEnoughS, 0.0, 1.0);
  circumstances.sparseness = 1 - active;
  circumstances.jumps = jumps / std::max(seconds, 1.0);
  // Frames a second over active frames, as J+.
  circumstances.deleted = deleted * 60.0 / std::max(1, perception.active_frames());
  if (circumstances.noise > kToneNoise) {
    circumstances.tone = std::clamp((perception.largest_pause_band() - kToneFrom) / (kToneTo - kToneFrom), 0.0, 1.0);
  }
  circumstances.foreign_s = foreign_sound_s(perception, degraded, delay, model);
  return circumstances;
}

double confidence_of(double mos, const Measurements& measurements, const Circumstances& circumstances,
                     double clock_drift_ppm, const ScoreModel& score_model) {
  const PerceptualModel& model = score_model.listening;
  // 0 at the ends of the scale, near 1 in its middle.
  const auto [bottom, top] = score_model.scale;
  const double steepness = std::max(0.0, (mos - bottom) * (top - mos)) / ((top - bottom) * (top - bottom) / 4);
  const bool seams = circumstances.jumps > 0 && measurements.changed < model.trust_seams_below;
  const double drift = std::sqrt(std::min(std::abs(clock_drift_ppm), model.trust_largest_drift_ppm) / 1000);
  const double sparseness = std::clamp(
      (circumstances.sparseness - model.trust_sparse_from) / (model.trust_sparse_to - model.trust_sparse_from), 0.0,
      1.0);
  const bool foreign = circumstances.foreign_s > model.ambiguous_s;
  const double log_odds =
      model.trust_constant + model.trust_shortness * circumstances.shortness +
      (foreign ? model.trust_foreign
               : model.trust_steps * std::log1p(circumstances.step_cost_mos / model.trust_step_mos) +
                     model.trust_long_steps * std::log1p(circumstances.long_step_cost_mos / model.trust_step_mos)) +
      (seams ? model.trust_seams : 0) + model.trust_drift * drift + model.trust_tone * circumstances.tone +
      (circumstances.by_pattern ? model.trust_pattern : 0) +
      steepness * (model.trust_steepness + model.trust_noise * circumstances.noise +
                   model.trust_deleted * std::min(circumstances.deleted, model.trust_most_deleted) +
                   model.trust_sparseness * sparseness);
  return std::min(score_model.most_confidence, 1 / (1 + std::exp(-log_odds)));
}

}  // namespace vqas::scoring
