#include "score/prepare/sound_account.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {

SoundAccount::SoundAccount(const PaddedSignal& degraded, const PerceptualModel& model)
    : hop_(model.hop), around_(static_cast<int>(std::lround(kAroundSoundS * model.rate_hz / model.hop))) {
  const auto hops = static_cast<std::size_t>(degraded.size() / hop_);
  level_.resize(hops);
  magnitude_sums(degraded.samples().data(), hop_, level_);
  for (float& level : level_) level = level * level / static_cast<float>(hop_ * hop_);
  claimed_.assign(hops, 0);
}

void SoundAccount::claim(std::span<const int> delay, std::span<const char> claims, std::span<const char> speech) {
  const int hops = static_cast<int>(level_.size());
  std::vector<float> of_speech;
  int claimed_from = 0;
  int claimed_to = 0;
  for (int j = 0; j < static_cast<int>(delay.size()); ++j) {
    if (claims[j] == 0) continue;
    const int at = static_cast<int>(std::floor(static_cast<double>(j * hop_ + delay[j]) / hop_));
    if (speech[j] != 0 && at >= 0 && at < hops && level_[at] > 0) of_speech.push_back(level_[at]);
    // A frame is two hops long, and its first sample lies anywhere in a hop.
    const int first = std::max(0, at - around_);
    const int end = std::min(hops, at + 3 + around_);
    // Most of it the frame before has claimed.
    const int from = first >= claimed_from && first < claimed_to ? claimed_to : first;
    for (int k = from; k < end; ++k) claimed_[k] = 1;
    claimed_from = first;
    claimed_to = end;
  }
  if (of_speech.empty()) return;
  const float mean = std::accumulate(of_speech.begin(), of_speech.end(), 0.0F) / static_cast<float>(of_speech.size());
  // What is softer holds the line's noise, too.
  const auto softest =
      of_speech.begin() + static_cast<std::ptrdiff_t>((1 - kBestTenth) * static_cast<double>(of_speech.size()));
  std::nth_element(of_speech.begin(), softest, of_speech.end());
  least_level_ = std::max(static_cast<float>(kSoundShare) * mean, static_cast<float>(kClearlyOver) * *softest);
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
