#include "receive/echo_listener.h"

#include <algorithm>
#include <cmath>

#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr std::size_t kKept = 3 * kLineRateHz;
// As in make_leading_mark().
constexpr double kMarkRms = 0.1;
constexpr double kLongestEcho_s = 2;

}  // namespace

void EchoListener::left(double position) {
  left_ = position;
  echo_.reset();
}

void EchoListener::hear(std::span<const float> block) {
  last_.insert(last_.end(), block.begin(), block.end());
  heard_ += block.size();
  if (last_.size() > 2 * kKept) last_.erase(last_.begin(), last_.end() - static_cast<std::ptrdiff_t>(kKept));
  for (const FoundMark& mark : detector_.push(block)) {
    if (mark.kind != MarkKind::leading || !left_ || echo_) continue;
    const double delay = mark.position - *left_;
    const double begin = mark.position - static_cast<double>(heard_ - last_.size());
    if (delay < 0 || delay > kLongestEcho_s * kLineRateHz || begin < 0) continue;
    const auto first = static_cast<std::size_t>(begin);
    const std::size_t end = std::min(first + leading_mark_length(), last_.size());
    double power = 0;
    for (std::size_t n = first; n < end; ++n) power += static_cast<double>(last_[n]) * last_[n];
    // The rest is noise and the partner's speech; the normalised peak gives the mark's share.
    const double rms = mark.confidence * std::sqrt(power / static_cast<double>(std::max<std::size_t>(end - first, 1)));
    if (rms <= 0) continue;
    echo_ = Echo{delay * 1e3 / kLineRateHz, 20 * std::log10(kMarkRms / rms), mark.confidence};
  }
}

}  // namespace vqas
