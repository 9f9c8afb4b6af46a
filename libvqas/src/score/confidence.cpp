#include "score/confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vqas::scoring {
namespace {

constexpr double kQuietPausesDb = 30;  // below the speech: quieter pauses say no more
constexpr double kLongEnoughS = 8;     // the length of the sentence pairs that the weights were fitted to
constexpr int kSmallStep = 3;          // samples from frame to frame: drift moves a delay by no more

}  // namespace

Circumstances circumstances_of(const Perception& perception, std::span<const int> delay, double waveform_match,
                               const PerceptualModel& model) {
  Circumstances circumstances;
  const double seconds = static_cast<double>(perception.frames()) * model.hop / model.rate_hz;
  const double active = static_cast<double>(perception.active_frames()) / std::max(1, perception.frames());
  int jumps = 0;
  int steps = 0;
  for (std::size_t j = 1; j < delay.size(); ++j) {
    const int change = std::abs(delay[j] - delay[j - 1]);
    jumps += change > model.jump_from ? 1 : 0;
    steps += change > kSmallStep ? 1 : 0;
  }
  circumstances.mismatch = 1 - waveform_match;
  circumstances.noise = std::clamp(1 - perception.speech_to_pause_db() / kQuietPausesDb, 0.0, 1.0);
  circumstances.shortness = std::clamp(1 - seconds / kLongEnoughS, 0.0, 1.0);
  circumstances.sparseness = 1 - active;
  circumstances.jumps = jumps / std::max(seconds, 1.0);
  circumstances.steps = std::log10(1.0 + steps);
  return circumstances;
}

}  // namespace vqas::scoring
