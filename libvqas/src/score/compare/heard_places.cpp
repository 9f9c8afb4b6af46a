#include "score/compare/heard_places.h"

#include <algorithm>

#include "score/dsp/kernels.h"

namespace vqas::scoring {

void HeardPlaces::find(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
                       const ScoreModel& model, bool inverted) {
  const int ratio = model.heard_samples();
  const int hop = model.listening.hop;
  const int frames = static_cast<int>(delay.size());
  delay_.resize(delay.size());
  // One place for each segment of one delay, so that no frame is moved against its neighbours.
  for (int first = 0; first < frames;) {
    int last = first + 1;
    while (last < frames && delay[last] == delay[first]) ++last;
    const auto agreement = [&](int place) {
      double sum = 0;
      for (int frame = first; frame < last; ++frame) {
        sum += dot_product(reference.at(frame * hop, hop), degraded.at(frame * hop + place, hop), hop);
      }
      return inverted ? -sum : sum;
    };
    const int middle = ratio * delay[first];
    int best = middle;
    double most = agreement(middle);
    for (int place = middle - ratio + 1; place < middle + ratio; ++place) {
      const double here = place == middle ? most : agreement(place);
      if (here <= most) continue;
      most = here;
      best = place;
    }
    std::fill(delay_.begin() + first, delay_.begin() + last, best);
    first = last;
  }
}

void HeardPlaces::lay_out(const PaddedSignal& degraded, int size, const ScoreModel& model, PaddedSignal& to) const {
  const int hop = model.listening.hop;
  const auto room = to.reset(static_cast<std::size_t>(size));
  for (int at = 0; at < size; at += hop) {
    const int frame = std::min(at / hop, static_cast<int>(delay_.size()) - 1);
    const int count = std::min(hop, size - at);
    std::copy_n(degraded.at(at + delay_[static_cast<std::size_t>(frame)], count), count, room.begin() + at);
  }
}

}  // namespace vqas::scoring
