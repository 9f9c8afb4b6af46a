#include "score/sound_account.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqas::scoring {
namespace {

constexpr double kClaimedAroundS = 0.048;  // beside what was found: its beginning and its end
constexpr float kSoundShare = 0.03F;       // -15 dB of what was claimed: quieter is no speech that anybody misses
constexpr float kOverFloor = 4;            // 6 dB over what the line sends in pauses
constexpr float kOverNoise = 2;            // 3 dB over the noise that comes with the speech
constexpr double kFloorQuantile = 0.1;     // of the hops that hold anything: nobody talks without a breath
constexpr float kNothingShare = 1e-6F;     // -60 dB of the mean: digital silence is not what the line sends

}  // namespace

SoundAccount::SoundAccount(const PaddedSignal& degraded, const PerceptualModel& model)
    : hop_(model.hop), around_(static_cast<int>(std::lround(kClaimedAroundS * model.rate_hz / model.hop))) {
  const auto hops = static_cast<std::size_t>(degraded.size() / hop_);
  level_.reserve(hops);
  for (std::size_t k = 0; k < hops; ++k) {
    const float* samples = degraded.at(static_cast<int>(k) * hop_, hop_);
    float sum = 0;
    for (int n = 0; n < hop_; ++n) sum += std::abs(samples[n]);
    level_.push_back(sum * sum / static_cast<float>(hop_ * hop_));
  }
  claimed_.assign(hops, 0);
  std::vector<float> sorted = level_;
  const float mean = std::accumulate(level_.begin(), level_.end(), 0.0F) / static_cast<float>(std::max<std::size_t>(1, hops));
  std::erase_if(sorted, [&](float level) { return level <= kNothingShare * mean; });
  if (sorted.empty()) return;
  const auto quantile = sorted.begin() + static_cast<std::ptrdiff_t>(kFloorQuantile * static_cast<double>(sorted.size()));
  std::nth_element(sorted.begin(), quantile, sorted.end());
  floor_ = *quantile;
}

void SoundAccount::claim(std::span<const int> delay, std::span<const char> claims, double noise_share) {
  const int hops = static_cast<int>(level_.size());
  double sum = 0;
  int count = 0;
  for (int j = 0; j < static_cast<int>(delay.size()); ++j) {
    if (claims[j] == 0) continue;
    const int at = static_cast<int>(std::floor(static_cast<double>(j * hop_ + delay[j]) / hop_));
    if (at >= 0 && at < hops) {
      sum += level_[at];
      ++count;
    }
    // A frame is two hops long, and its first sample lies anywhere in a hop.
    const int last = std::min(hops - 1, at + 2 + around_);
    for (int k = std::max(0, at - around_); k <= last; ++k) claimed_[k] = 1;
  }
  const auto mean = static_cast<float>(sum / std::max(1, count));
  const float least_share = std::max(kSoundShare, kOverNoise * static_cast<float>(noise_share));
  least_level_ = std::max(least_share * mean, kOverFloor * floor_);
}

int SoundAccount::unclaimed() const {
  int sound = 0;
  for (std::size_t k = 0; k < level_.size(); ++k) sound += is_unclaimed(k) ? hop_ : 0;
  return sound;
}

std::vector<SoundAccount::Part> SoundAccount::parts(int apart, int least) const {
  std::vector<Part> found;
  bool open = false;  // nothing was claimed since the last part's end
  for (std::size_t k = 0; k < level_.size(); ++k) {
    if (claimed_[k] != 0) open = false;
    if (!is_unclaimed(k)) continue;
    const int at = static_cast<int>(k) * hop_;
    if (!open || at - found.back().to >= apart) found.push_back({at, at, 0});
    found.back().to = at + hop_;
    found.back().sound += hop_;
    open = true;
  }
  std::erase_if(found, [&](const Part& part) { return part.sound < least; });
  return found;
}

}  // namespace vqas::scoring
