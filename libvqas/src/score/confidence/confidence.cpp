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

}  // namespace

Circumstances circumstances_of(const Perception& perception, const PerceptualModel& model) {
  Circumstances circumstances;
  const double seconds = static_cast<double>(perception.frames()) * model.hop / model.rate_hz;
  circumstances.noise = std::clamp(1 - perception.speech_to_pause_db() / kQuietPausesDb, 0.0, 1.0);
  circumstances.shortness = std::clamp(1 - seconds / kLongEnoughS, 0.0, 1.0);
  if (circumstances.noise > 0) circumstances.tone = std::max(0.0, 2 * perception.largest_pause_band() - 1);
  circumstances.foreign_s = perception.sound_between_s();
  return circumstances;
}

double ends_lost_s(std::span<const char> active, std::span<const char> lost, const PerceptualModel& model) {
  int in_front = 0;  // of all that was found
  int behind = 0;    // what was found last
  bool is_any_found = false;
  for (std::size_t j = 0; j < lost.size(); ++j) {
    if (active[j] == 0) continue;
    if (lost[j] == 0) {
      is_any_found = true;
      behind = 0;
    } else {
      ++(is_any_found ? behind : in_front);
    }
  }
  return is_any_found ? static_cast<double>(in_front + behind) * model.hop / model.rate_hz : 0;
}

double error_scale(const Circumstances& circumstances, double clock_drift_ppm, const PerceptualModel& model) {
  const double steps = std::sqrt(circumstances.step_distance) + std::sqrt(circumstances.long_step_distance);
  return std::exp(model.trust_scale + model.trust_shortness * circumstances.shortness +
                  model.trust_foreign * std::log1p(circumstances.foreign_s / model.ambiguous_s) +
                  model.trust_steps * steps + model.trust_drift * std::sqrt(std::abs(clock_drift_ppm) / 1000) +
                  model.trust_ends * std::min(1.0, circumstances.ends_lost_s / model.ambiguous_s) +
                  model.trust_taken * circumstances.taken + model.trust_stretch * circumstances.stretched +
                  model.trust_tone * circumstances.tone + model.trust_noise * circumstances.noise +
                  (circumstances.by_pattern ? model.trust_pattern : 0));
}

double confidence_of(double auditory_distance, double scale, const ScoreModel& model, double forgiven) {
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
  // Errors lie around what was forgiven.
  const double within = (share_within((room - forgiven) / scale) + share_within((room + forgiven) / scale)) / 2;
  return std::min(model.most_confidence, within);
}

}  // namespace vqas::scoring
