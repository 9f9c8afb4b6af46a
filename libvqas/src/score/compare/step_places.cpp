#include "score/compare/step_places.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "score/model/shared_numbers.h"

namespace vqas::scoring {

void StepPlaces::find(std::span<const int> delay, std::span<const char> active, const NotReceived& not_received) {
  find_sizes(delay, active, not_received.lost);
  find_both_sides(delay);
  find_beside(delay, not_received.skipped);
  find_between(delay);
}

// Where speech is missing the delay wanders, and its steps are none of the line.
void StepPlaces::find_sizes(std::span<const int> delay, std::span<const char> active, std::span<const char> lost) {
  const auto frames = static_cast<int>(delay.size());
  size_.assign(delay.size(), 0);
  bool found_before = false;
  for (int first = 0; first < frames;) {
    int last = first;
    bool found = false;
    for (; last < frames && delay[last] == delay[first]; ++last) {
      found = found || (active[last] != 0 && (lost.empty() || lost[last] == 0));
    }
    if (first > 0 && found_before && found) size_[first] = std::abs(delay[first] - delay[first - 1]);
    found_before = found;
    first = last;
  }
}

void StepPlaces::find_both_sides(std::span<const int> delay) {
  const auto frames = static_cast<int>(delay.size());
  const int reach = model_.jump_reach;
  nearest_.assign(delay.size(), reach + 1);
  nearest_step_.assign(delay.size(), 0);
  other_delay_.assign(delay.begin(), delay.end());
  for (int j = 1; j < frames; ++j) {
    if (std::abs(delay[j] - delay[j - 1]) <= model_.jump_from) continue;
    for (int k = std::max(0, j - reach); k < std::min(frames, j + reach); ++k) {
      const int distance = k < j ? j - k : k - j + 1;
      if (distance >= nearest_[k]) continue;
      nearest_[k] = distance;
      nearest_step_[k] = j;
      other_delay_[k] = k < j ? delay[j] : delay[j - 1];
    }
  }
  both_sides_.clear();
  for (int j = 0; j < frames; ++j) {
    if (nearest_[j] <= reach) both_sides_.push_back(j);
  }
}

// What a step left out is heard as the step, and so are the frames that reach into it. What lies further than a word
// from either end is missed as any speech that is lost.
void StepPlaces::find_beside(std::span<const int> delay, std::span<const char> skipped) {
  beside_ = both_sides_;
  const int reach = model_.jump_reach;
  const auto frames = static_cast<int>(skipped.size());
  const int word = static_cast<int>(kToldS * model_.rate_hz / model_.hop);
  for (int first = 0; first < frames; ++first) {
    if (skipped[first] == 0) continue;
    int last = first;
    while (last < frames && skipped[last] != 0) ++last;
    // The delay changes once, inside or behind what was left out.
    int step = std::min(last, frames - 1);
    while (step > first && delay[step] == delay[step - 1]) --step;
    for (int k = std::max(0, first - reach); k < std::min(frames, last + reach); ++k) {
      if (nearest_[k] <= reach || (k - first >= word && last - k > word)) continue;
      nearest_[k] = reach;
      nearest_step_[k] = step;
      beside_.push_back(k);
    }
    first = last;
  }
}

void StepPlaces::find_between(std::span<const int> delay) {
  between_.clear();
  for (int j = 1; j < static_cast<int>(delay.size()); ++j) {
    // Its ends are heard by the frames of either side, at the other side's delay.
    const int ends = model_.jump_reach * model_.hop;
    const int from = (j - 1) * model_.hop + model_.frame + delay[j - 1] + ends;
    const int samples = j * model_.hop + delay[j] - ends - from;
    if (samples >= model_.frame) between_.push_back({from, (samples - model_.frame) / model_.hop + 1});
  }
}

double StepPlaces::inserted(std::span<const int> delay, std::span<const char> active, int longest) const {
  const auto frames = static_cast<int>(delay.size());
  const int around = model_.jump_reach;
  double inserted = 0;
  for (int j = 1; j < frames; ++j) {
    const int change = delay[j] - delay[j - 1];
    if (change <= model_.jump_from || size_[j] > longest) continue;
    int talking = 0;
    for (int k = std::max(0, j - around); k < std::min(frames, j + around); ++k) talking += active[k];
    inserted += talking / (2.0 * around) * std::min(change, model_.jump_largest) / model_.jump_largest;
  }
  // Frames come 62.5 a second, and the largest jump stands for a hundred milliseconds: the weight was fitted to 60.
  return inserted * 60.0 / std::max(1, std::accumulate(active.begin(), active.end(), 0));
}

// A step within speech is heard in the frames beside it. Where these are silent on both sides a pause lasts longer, or
// shorter; a step shorter than a packet is one that the label follows. What comes back is followed, too.
double StepPlaces::moved_by_pauses(std::span<const int> delay, std::span<const char> active,
                                   std::span<const char> lost) const {
  std::ptrdiff_t before = -1;  // the frame of speech found last
  int quiet = 0;               // frames of a pause behind it
  int moved = 0;
  int least = 0;
  int largest = 0;
  for (std::ptrdiff_t j = 0; j < std::ssize(delay); ++j) {
    quiet += active[j] == 0 ? 1 : 0;
    if (active[j] == 0 || (!lost.empty() && lost[j] != 0)) continue;
    const int step = before < 0 ? 0 : delay[j] - delay[before];
    const bool is_pause = quiet >= model_.jump_reach && std::abs(step) > packet_;
    if (is_pause || std::abs(step) > model_.long_step) moved += step;
    least = std::min(least, moved);
    largest = std::max(largest, moved);
    before = j;
    quiet = 0;
  }
  return static_cast<double>(largest - least) / model_.rate_hz;
}

// A play-out buffer takes out or repeats periods of the voice, which are shorter than the packet of most codecs. What
// moves in a pause stretches no speech, and the label follows a delay of each utterance.
double StepPlaces::stretched(std::span<const int> delay, std::span<const char> active,
                             std::span<const char> lost) const {
  const auto pause = static_cast<std::ptrdiff_t>(kHangoverMs * model_.rate_hz / 1000 / model_.hop);
  const auto second = static_cast<std::ptrdiff_t>(model_.rate_hz / model_.hop);
  std::vector<int> moved;  // of each frame of speech that was found: the sum of all small steps so far
  std::ptrdiff_t before = 0;
  int most = 0;
  for (std::ptrdiff_t j = 0; j < std::ssize(delay); ++j) {
    if (active[j] == 0 || (!lost.empty() && lost[j] != 0)) continue;
    const int step = moved.empty() ? 0 : delay[j] - delay[before];
    const bool counts = std::abs(step) < packet_ && j - before - 1 < pause;
    moved.push_back((moved.empty() ? 0 : moved.back()) + (counts ? step : 0));
    before = j;
    // Elsewhere it is as far as before at most.
    if (!counts || step == 0) continue;
    const auto [least, largest] =
        std::minmax_element(moved.end() - std::min(std::ssize(moved), second + 1), moved.end());
    most = std::max(most, *largest - *least);
  }
  return static_cast<double>(most) / model_.rate_hz;
}

}  // namespace vqas::scoring
