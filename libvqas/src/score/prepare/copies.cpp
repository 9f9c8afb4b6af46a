#include "score/prepare/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "score/model/shared_numbers.h"
#include "score/reason.h"

namespace vqas::scoring {
namespace {

constexpr int kMostCopies = 4;  // not tuned: bounds the searches of one recording

/// The part of the recording between two instants, as far as it reaches.
std::span<const float> part_of(SignalView degraded, double from_s, double to_s) {
  const auto size = static_cast<double>(degraded.size());
  const auto sample_at = [&](double seconds) {
    return static_cast<std::size_t>(std::clamp(std::round(seconds * degraded.rate_hz), 0.0, size));
  };
  const std::size_t from = sample_at(from_s);
  return degraded.samples.subspan(from, std::max(from, sample_at(to_s)) - from);
}

/// The recording with nothing left but these sounds.
Signal only(SignalView degraded, const std::vector<UnusedSound>& sounds) {
  Signal rest{std::vector<float>(degraded.size(), 0.0F), degraded.rate_hz};
  for (const UnusedSound& sound : sounds) {
    const auto part = part_of(degraded, sound.start_s - kAroundSoundS, sound.start_s + sound.length_s + kAroundSoundS);
    std::copy(part.begin(), part.end(), rest.samples.begin() + (part.data() - degraded.samples.data()));
  }
  return rest;
}

struct Span {
  double first_s = 0, last_s = 0;
  bool overlaps(const UnusedSound& sound) const {
    return sound.start_s < last_s && sound.start_s + sound.length_s > first_s;
  }
};

/// Where the reference was found, in the degraded recording.
Span span_of(const Score& score, double reference_s, double recording_s) {
  if (score.delay_track.empty()) return {};
  const double first_s = 1e-3 * score.delay_track.front().delay_ms;
  return {std::max(0.0, first_s), std::min(recording_s, reference_s + 1e-3 * score.delay_track.back().delay_ms)};
}

/// All of the recording at a place, with what is too soft to be a sound.
SignalView at(const Span& place, SignalView degraded) {
  return {part_of(degraded, place.first_s, place.last_s), degraded.rate_hz};
}

/// Takes the sounds in which the reference was found out of those that are searched.
void note_copy(const Score& copy, const Span& place, std::vector<UnusedSound>& searched, Score& score) {
  for (UnusedSound& sound : score.unused_sound) {
    if (!sound.mos_lqo && place.overlaps(sound)) sound.mos_lqo = copy.mos_lqo;
  }
  std::erase_if(searched, [&](const UnusedSound& sound) { return place.overlaps(sound); });
}

}  // namespace

void find_copies(SignalView degraded, double reference_s, const PerceptualModel& model,
                 const std::function<Score(SignalView)>& again, Score& score) {
  if (!score.mos_lqo || !score.delay_ms) return;
  std::vector<UnusedSound> searched = score.unused_sound;
  std::string places;
  for (int n = 0; n < kMostCopies && !searched.empty(); ++n) {
    Score copy = again(only(degraded, searched));
    if (!copy.mos_lqo || copy.delay_track.empty()) break;
    const Span place = span_of(copy, reference_s, degraded.seconds());
    if (place.last_s <= place.first_s) break;
    const Score whole = again(at(place, degraded));
    if (whole.mos_lqo) copy.mos_lqo = whole.mos_lqo;
    const std::size_t before = searched.size();
    note_copy(copy, place, searched, score);
    if (searched.size() == before) break;
    places += fmt::format("{}{:.1f} to {:.1f} s (score {:.2f})", places.empty() ? "" : ", ", place.first_s,
                          place.last_s, *copy.mos_lqo);
    if (std::abs(*copy.mos_lqo - *score.mos_lqo) > kCloseMos) {
      score.confidence = std::min(score.confidence.value_or(0), model.trust_either);
    }
  }
  if (places.empty()) return;
  const Span scored = span_of(score, reference_s, degraded.seconds());
  add_reason(score, fmt::format("the degraded recording holds speech of the reference more than once: {:.1f} to {:.1f} "
                                "s was scored, and it is "
                                "there again at {}; listen to the recording, and cut it to the one that is meant",
                                scored.first_s, scored.last_s, places));
}

}  // namespace vqas::scoring
