#include "score/confidence/confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "score/model/shared_numbers.h"
#include "score/prepare/preparation.h"

namespace vqas::scoring {
namespace {

const double kQuietPausesDb = -10 * std::log10(kFaintShare);  // below the speech: quieter pauses say no more
constexpr double kLongEnoughS = 8;  // the length of the sentence pairs that the weights were fitted to

// Probability that a variable of Student's t with three degrees of freedom lies within ±`t`. They fit better than two,
// and than a logistic distribution (libvqas/doc/record/confidence-error.md).
double share_within(double t) {
  const double x = t / std::sqrt(3);
  return (std::atan(x) + x / (1 + x * x)) * 2 / std::numbers::pi;
}

// Least energy of `samples` that hold a sound: louder than a share of the recording's mean, and than what the line
// sends in pauses.
double least_energy_of_sound(const Perception& perception, int samples) {
  const double mean = kPreparedRms * kPreparedRms * samples;
  const double pause = mean * std::pow(10, -perception.speech_to_pause_db() / 10);
  return std::max(kSoundShare * mean, kClearlyOver * pause);
}

// Sound behind the place where the one piece ends and in front of the one where the next begins.
double foreign_sound_s(const Perception& perception, const PaddedSignal& degraded, std::span<const int> delay,
                       const PerceptualModel& model) {
  // A shorter step is one of a network.
  const int least_step = kHangoverMs * model.rate_hz / 1000;
  double least_energy = -1;
  int hops = 0;
  for (std::size_t j = 1; j < delay.size(); ++j) {
    if (delay[j] - delay[j - 1] < least_step) continue;
    if (least_energy < 0) least_energy = least_energy_of_sound(perception, model.hop);
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
  circumstances.noise = std::clamp(1 - perception.speech_to_pause_db() / kQuietPausesDb, 0.0, 1.0);
  circumstances.shortness = std::clamp(1 - seconds / kLongEnoughS, 0.0, 1.0);
  if (circumstances.noise > 0) circumstances.tone = std::max(0.0, 2 * perception.largest_pause_band() - 1);
  circumstances.foreign_s = foreign_sound_s(perception, degraded, delay, model);
  return circumstances;
}

double error_scale(const Circumstances& circumstances, double clock_drift_ppm, const PerceptualModel& model) {
  const bool foreign = circumstances.foreign_s > model.ambiguous_s;
  const double steps = std::sqrt(circumstances.step_distance) + std::sqrt(circumstances.long_step_distance);
  return std::exp(model.trust_scale + model.trust_shortness * circumstances.shortness +
                  (foreign ? model.trust_foreign : model.trust_steps * steps) +
                  model.trust_drift * std::sqrt(std::abs(clock_drift_ppm) / 1000) +
                  model.trust_tone * circumstances.tone + model.trust_noise * circumstances.noise +
                  (circumstances.by_pattern ? model.trust_pattern : 0));
}

double confidence_of(double auditory_distance, double scale, const ScoreModel& model) {
  if (!std::isfinite(auditory_distance)) return 0;
  const MosScale& mos_scale = model.scale;
  const double mos = mos_scale.mos_of(auditory_distance);
  const auto room_to = [&](double other) {
    const bool is_on_scale = mos_scale.bottom < other && other < mos_scale.top;
    return is_on_scale ? std::abs(mos_scale.distance_of(other) - auditory_distance)
                       : std::numeric_limits<double>::infinity();
  };
  // The smaller room stands for both sides. Where MOS ends, no error to that side can be seen; those that the score
  // forgives and the label does not lie all on the other.
  const double room = std::min(room_to(mos + kCloseMos), room_to(mos - kCloseMos));
  return std::min(model.most_confidence, share_within(room / scale));
}

}  // namespace vqas::scoring
