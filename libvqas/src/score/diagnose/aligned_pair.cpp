#include "score/diagnose/aligned_pair.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

constexpr int kAnchorFrames = 19;  // 0.3 s

}  // namespace

double AlignedPair::correlation(int first, int last, int delay, const PaddedSignal& degraded) const {
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (int frame = first; frame < last; ++frame) {
    const float* x = reference_.data() + static_cast<std::ptrdiff_t>(frame) * model_.hop;
    const float* y = degraded.at(frame * model_.hop + delay, model_.hop);
    const Products both = products(x, y, model_.hop);
    xx += dot_product(x, x, model_.hop);
    xy += both.cross;
    yy += both.energy;
  }
  return xy / std::sqrt(xx * yy + kTiny);
}

void AlignedPair::find_runs(std::span<const int> delay, const PaddedSignal& degraded) {
  runs_.clear();
  const int frames = static_cast<int>(delay.size());
  for (int first = 0; first < frames;) {
    int last = first + 1;
    while (last < frames && std::abs(delay[last] - delay[last - 1]) <= kSameDelay) ++last;
    const int middle = delay[(first + last) / 2];
    runs_.push_back({first, last, middle, correlation(first, last, middle, degraded)});
    first = last;
  }
}

bool AlignedPair::is_anchored() const {
  return std::any_of(runs_.begin(), runs_.end(), is_anchor);
}

bool AlignedPair::is_anchored_beyond(int delay, int reach) const {
  return std::any_of(runs_.begin(), runs_.end(),
                     [&](const Run& run) { return is_anchor(run) && std::abs(run.delay - delay) > reach; });
}

bool AlignedPair::is_anchor(const Run& run) {
  return run.last - run.first >= kAnchorFrames && run.correlation >= kCorrelated;
}

// Where the delay changes: a little beside the path's place too, as a frame that holds both delays fits either.
int AlignedPair::border_between(const Run& before, const Run& after, const PaddedSignal& degraded) const {
  const int first = std::max(before.first, before.last - kBorderFrames);
  const int last = std::min(after.last, after.first + kBorderFrames);
  const auto product = [&](int frame, int delay) {
    const float* x = reference_.data() + static_cast<std::ptrdiff_t>(frame) * model_.hop;
    const float* y = degraded.at(frame * model_.hop + delay, model_.hop);
    double error = 0;
    for (int n = 0; n < model_.hop; ++n) error += static_cast<double>(x[n] - y[n]) * (x[n] - y[n]);
    return -error;
  };
  double sum = 0;
  double best = 0;
  int border = first;
  for (int frame = first; frame < last; ++frame) {
    sum += product(frame, before.delay) - product(frame, after.delay);
    if (sum <= best) continue;
    best = sum;
    border = frame + 1;
  }
  return border;
}

void AlignedPair::fill(const PaddedSignal& degraded) {
  int border = 0;
  for (std::size_t n = 0; n < runs_.size(); ++n) {
    const Run& run = runs_[n];
    if (n > 0) {
      // The border may lie in front of a short run, of which nothing is left then.
      const int here = std::max(border, border_between(runs_[n - 1], run, degraded));
      std::fill(delay_.begin() + border, delay_.begin() + here, runs_[n - 1].delay);
      border = here;
    }
    std::fill(delay_.begin() + border, delay_.begin() + run.last, run.delay);
  }
  changes_.clear();
  const int end = runs_.empty() ? 0 : runs_.back().last;
  for (int frame = 1; frame < end; ++frame) {
    const int change = delay_[frame] - delay_[frame - 1];
    if (std::abs(change) > kSameDelay) changes_.push_back({frame, change});
  }
}

// Beside a pause that was taken out, the rest of it keeps the delays of the track: neither side hears the other's
// speech.
void AlignedPair::keep_pauses(std::span<const int> delay, std::span<const char> deleted) {
  const int frames = static_cast<int>(deleted.size());
  for (int first = 0; first < frames; ++first) {
    if (deleted[first] == 0) continue;
    int last = first;
    while (last < frames && deleted[last] != 0) ++last;
    const int before = delay[first];
    const int after = delay[last - 1];
    for (int k = first; k-- > 0 && delay[k] == before && std::abs(delay_[k] - before) > kSameDelay;) delay_[k] = before;
    for (int k = last; k < frames && delay[k] == after && std::abs(delay_[k] - after) > kSameDelay; ++k) {
      delay_[k] = after;
    }
    first = last;
  }
}

void AlignedPair::assign(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                         std::span<const char> deleted) {
  reference_ = reference;
  delay_.assign(delay.begin(), delay.end());
  find_runs(delay, degraded);
  fill(degraded);
  keep_pauses(delay, deleted);
  degraded_.resize(reference.size());
  const int size = static_cast<int>(reference.size());
  for (int at = 0; at < size; at += model_.hop) {
    const int frame = std::min(at / model_.hop, static_cast<int>(delay_.size()) - 1);
    const int count = std::min(model_.hop, size - at);
    if (!deleted.empty() && deleted[frame] != 0) {
      std::fill_n(degraded_.begin() + at, count, 0.0F);
      continue;
    }
    const float* y = degraded.at(at + delay_[frame], count);
    std::copy_n(y, count, degraded_.begin() + at);
  }
}

void mark_peaks(std::span<const float> received, std::span<const int> delay, int hop, std::span<char> is_peak) {
  const float highest = largest_magnitude(received);
  const auto size = static_cast<std::ptrdiff_t>(received.size());
  for (std::size_t n = 0; n < is_peak.size(); ++n) {
    const std::size_t frame = std::min(n / static_cast<std::size_t>(hop), delay.size() - 1);
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(n) + delay[frame];
    is_peak[n] = at >= 0 && at < size && std::abs(received[static_cast<std::size_t>(at)]) >= kPeakShare * highest;
  }
}

}  // namespace vqas::scoring
