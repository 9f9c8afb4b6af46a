#include "line/stream_clock.h"

#include <algorithm>
#include <cmath>

namespace vqas {

void StreamClock::add(std::uint64_t frame, std::int64_t now_ns) {
  if (!anchor_ns_) anchor_ns_ = now_ns - std::llround(static_cast<double>(frame) * frame_ns_);
  const std::uint64_t window = frame / window_frames_;
  if (window != window_) {
    // Windows without a callback have expired too.
    for (std::uint64_t one = window_ + 1; one <= window && one <= window_ + kWindows; ++one)
      least_[one % kWindows].reset();
    if (window > window_ + kWindows) least_.fill(std::nullopt);
    window_ = window;
  }
  const std::int64_t late = now_ns - nominal_ns(static_cast<double>(frame));
  auto& least = least_[window % kWindows];
  least = std::min(least.value_or(late), late);
}

std::int64_t StreamClock::nominal_ns(double frame) const {
  return anchor_ns_.value_or(0) + std::llround(frame * frame_ns_);
}

std::int64_t StreamClock::offset_ns() const {
  std::optional<std::int64_t> least;
  for (const auto& one : least_) {
    if (one) least = std::min(least.value_or(*one), *one);
  }
  return least.value_or(0);
}

}  // namespace vqas
