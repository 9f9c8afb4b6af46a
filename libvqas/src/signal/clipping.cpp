#include "vqas/signal/clipping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace vqas {
namespace {

constexpr double kFlatness = 1.0 / 16384;
constexpr int kFlatRun = 3;
constexpr double kFlatRunS = 80e-6;
constexpr double kLowestPeakForFlatTops = 0.1;

constexpr std::size_t kStretch = 256;

// A single maximum would wait for itself at every sample.
float largest_magnitude(std::span<const float> samples) {
  constexpr std::size_t kWide = 16;
  std::array<float, kWide> lane{};
  const std::size_t whole = samples.size() / kWide * kWide;
  const float* data = samples.data();
  for (std::size_t n = 0; n < whole; n += kWide) {
    for (std::size_t k = 0; k < kWide; ++k) {
      const float magnitude = std::abs(data[n + k]);
      lane[k] = magnitude > lane[k] ? magnitude : lane[k];
    }
  }
  float largest = *std::max_element(lane.begin(), lane.end());
  for (std::size_t n = whole; n < samples.size(); ++n) largest = std::max(largest, std::abs(samples[n]));
  return largest;
}

}  // namespace

bool has_flat_tops(const Signal& recording) {
  const std::span<const float> samples = recording.samples;
  const float peak = largest_magnitude(samples);
  if (peak < kLowestPeakForFlatTops) return false;
  const int longest = std::max(kFlatRun, static_cast<int>(std::ceil(kFlatRunS * recording.rate_hz)));
  const double limit = peak * (1 - kFlatness);
  int run = 0;
  float previous = 0;
  for (std::size_t first = 0; first < samples.size(); first += kStretch) {
    const auto stretch = samples.subspan(first, std::min(kStretch, samples.size() - first));
    // Nearly all of speech is far below its peak.
    if (static_cast<double>(largest_magnitude(stretch)) < limit) {
      run = 0;
      continue;
    }
    for (const float sample : stretch) {
      const bool at_top = std::abs(static_cast<double>(sample)) >= limit;
      const bool goes_on = run > 0 && std::signbit(sample) == std::signbit(previous);
      run = at_top ? (goes_on ? run + 1 : 1) : 0;
      if (run >= longest) return true;
      previous = sample;
    }
  }
  return false;
}

}  // namespace vqas
