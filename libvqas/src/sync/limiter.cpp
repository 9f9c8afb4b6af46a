#include "sync/limiter.h"

#include <algorithm>
#include <cmath>

#include "vqas/signal/median.h"

namespace vqas::sync {
namespace {

// A chirp peaks at 1.4 times its median magnitude, the four-phase data below 3.5 times: marks are not clipped.
constexpr float kHeadroom = 3.5F;

float median_magnitude(const std::array<float, Limiter::kBlock>& block) {
  std::array<float, Limiter::kBlock> magnitudes{};
  std::transform(block.begin(), block.end(), magnitudes.begin(), [](float value) { return std::abs(value); });
  return upper_median(magnitudes);
}

}  // namespace

void Limiter::push(std::span<const float> samples, std::vector<float>& out) {
  for (const float sample : samples) {
    current_[filled_++] = std::isfinite(sample) ? sample : 0.0F;
    if (filled_ == kBlock) finish_block(out);
  }
}

void Limiter::finish_block(std::vector<float>& out) {
  const float median = median_magnitude(current_);
  if (has_previous_) {
    const float limit = kHeadroom * std::max({before_, previous_median_, median});
    for (const float sample : previous_) out.push_back(std::clamp(sample, -limit, limit));
  }
  before_ = previous_median_;
  previous_median_ = median;
  previous_ = current_;
  has_previous_ = true;
  filled_ = 0;
}

}  // namespace vqas::sync
