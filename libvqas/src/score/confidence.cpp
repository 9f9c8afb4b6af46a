#include "score/confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vqas::scoring {
namespace {

constexpr double kQuietPausesDb = 30;  // below the speech: quieter pauses say no more
constexpr double kLongEnoughS = 8;     // the length of the sentence pairs that the weights were fitted to
constexpr double kBottom = 1;
constexpr double kTop = 4.55;
constexpr int kSmallStep = 3;  // samples from frame to frame: drift moves a delay by no more

}  // namespace

Circumstances circumstances_of(const Perception& perception, std::span<const int> delay, const PerceptualModel& model) {
  Circumstances circumstances;
  const double seconds = static_cast<double>(perception.frames()) * model.hop / model.rate_hz;
  const double active = static_cast<double>(perception.active_frames()) / std::max(1, perception.frames());
  int jumps = 0;
  int steps = 0;
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
    const int change = std::abs(leap);
    jumps += change > model.jump_from ? 1 : 0;
    steps += change > kSmallStep ? 1 : 0;
  }
  circumstances.noise = std::clamp(1 - perception.speech_to_pause_db() / kQuietPausesDb, 0.0, 1.0);
  circumstances.shortness = std::clamp(1 - seconds / kLongEnoughS, 0.0, 1.0);
  circumstances.sparseness = 1 - active;
  circumstances.jumps = jumps / std::max(seconds, 1.0);
  // Frames a second over active frames, as J+.
  circumstances.deleted = deleted * 60.0 / std::max(1, perception.active_frames());
  circumstances.steps = std::log10(1.0 + steps);
  return circumstances;
}

double confidence_of(double mos, const Measurements& measurements, const Circumstances& circumstances,
                     double clock_drift_ppm, const PerceptualModel& model) {
  // 0 at the ends of the scale, near 1 in its middle.
  const double steepness = std::max(0.0, (mos - kBottom) * (kTop - mos)) / ((kTop - kBottom) * (kTop - kBottom) / 4);
  const bool seams = circumstances.jumps > 0 && measurements.changed < model.trust_seams_below;
  const double drift = std::min(std::abs(clock_drift_ppm), model.trust_largest_drift_ppm) / 1000;
  const double log_odds = model.trust_constant + model.trust_shortness * circumstances.shortness +
                          model.trust_steepness * steepness + (seams ? model.trust_seams : 0) +
                          model.trust_drift * drift +
                          model.trust_deleted * steepness * std::min(circumstances.deleted, model.trust_most_deleted);
  return 1 / (1 + std::exp(-log_odds));
}

}  // namespace vqas::scoring
