#include "channel/band_filter.h"

#include <algorithm>
#include <cassert>

#include "channel/kaiser.h"

namespace vqas {
namespace {

constexpr double kRateHz = 8000;
constexpr double kLowerHz = 208.5;  // middle of 117..300
constexpr double kAttenuationDb = 50;

// Sample t of the ideal low-pass of unit gain.
double low_pass(double cutoff_hz, double t) {
  const double width = 2 * cutoff_hz / kRateHz;
  return width * sinc(width * t);
}

}  // namespace

BandFilter::BandFilter(double upper_hz) {
  for (std::size_t i = 0; i <= kLatency; ++i) {
    const double t = static_cast<double>(i) - static_cast<double>(kLatency);
    const double ideal = low_pass(upper_hz, t) - low_pass(kLowerHz, t);
    weights_[i] = static_cast<float>(ideal * kaiser_window(t / (kLatency + 1), kAttenuationDb));
  }
}

void BandFilter::process(std::span<float> block) {
  assert(block.size() <= kMaxBlock);
  const std::size_t count = block.size();
  std::copy(block.begin(), block.end(), samples_.begin() + kHistory);
  // All outputs advance together, one weight at a time: vector registers hold neighbouring outputs, and each output is
  // summed in the same order whatever the block.
  for (std::size_t n = 0; n < count; ++n) block[n] = weights_[kLatency] * samples_[kLatency + n];
  for (std::size_t i = 0; i < kLatency; ++i) {
    const float weight = weights_[i];
    const float* const early = &samples_[i];
    const float* const late = &samples_[kHistory - i];
    for (std::size_t n = 0; n < count; ++n) block[n] += weight * (early[n] + late[n]);
  }
  std::copy(samples_.begin() + static_cast<std::ptrdiff_t>(count),
            samples_.begin() + static_cast<std::ptrdiff_t>(count + kHistory), samples_.begin());
}

}  // namespace vqas
