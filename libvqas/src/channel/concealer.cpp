#include "channel/concealer.h"

#include <algorithm>
#include <cmath>

namespace vqas {
namespace {

// ITU-T G.711 Appendix I: pitch of 66 to 200 Hz, correlated over 20 ms; full level for 10 ms, then down by a fifth
// every 10 ms, to silence after 60 ms. In samples at 8 kHz.
constexpr std::size_t kShortestPitch = 40;
constexpr std::size_t kLongestPitch = 120;
constexpr std::size_t kCompared = 160;
constexpr double kHold = 80;
constexpr double kFade = 400;
// The first samples after a gap are cross-faded with the concealment over 4 ms.
constexpr std::size_t kMix = 32;

}  // namespace

std::size_t Concealer::find_pitch() const {
  const std::size_t compared = kCompared * scale_;
  const float* const newest = history_.data() + kHistory - compared;
  std::size_t best = kShortestPitch * scale_;
  double best_match = -1;
  for (std::size_t lag = best; lag <= kLongestPitch * scale_; ++lag) {
    double product = 0;
    double energy = 1e-9;
    for (std::size_t i = 0; i < compared; ++i) {
      const double earlier = (newest - lag)[i];
      product += newest[i] * earlier;
      energy += earlier * earlier;
    }
    const double match = product / std::sqrt(energy);
    if (match > best_match) {
      best_match = match;
      best = lag;
    }
  }
  return best;
}

// Sample `position` after the gap's start: the last pitch period, repeated with decreasing level.
float Concealer::made_up(std::size_t position) const {
  const auto scale = static_cast<double>(scale_);
  const double past = std::max(0.0, static_cast<double>(position) - kHold * scale);
  const double level = std::max(0.0, 1 - past / (kFade * scale));
  return static_cast<float>(level) * history_[kHistory - period_ + position % period_];
}

void Concealer::conceal(std::span<float> packet) {
  if (method_ == Concealment::silence) {
    std::fill(packet.begin(), packet.end(), 0.0F);
    return;
  }
  if (gap_ == 0) period_ = method_ == Concealment::pitch ? find_pitch() : packet_;
  for (float& sample : packet) sample = made_up(gap_++);
}

void Concealer::hear(std::span<float> packet) {
  packet_ = packet.size();
  if (gap_ > 0) {
    const std::size_t mixed = std::min(kMix * scale_, packet.size());
    for (std::size_t i = 0; i < mixed; ++i) {
      const float share = static_cast<float>(i + 1) / static_cast<float>(mixed + 1);
      packet[i] = share * packet[i] + (1 - share) * made_up(gap_ + i);
    }
    gap_ = 0;
  }
  remember(packet);
}

void Concealer::remember(std::span<const float> packet) {
  const std::size_t count = std::min(packet.size(), kHistory);
  std::copy(history_.begin() + static_cast<std::ptrdiff_t>(count), history_.end(), history_.begin());
  std::copy(packet.end() - static_cast<std::ptrdiff_t>(count), packet.end(),
            history_.end() - static_cast<std::ptrdiff_t>(count));
}

}  // namespace vqas
