#include "vqas/signal/clipping.h"

#include <algorithm>
#include <cmath>

namespace vqas {
namespace {

constexpr double kFlatness = 1.0 / 16384;
constexpr int kFlatRun = 3;
constexpr double kFlatRunS = 80e-6;
constexpr double kLowestPeakForFlatTops = 0.1;

}  // namespace

bool has_flat_tops(const Signal& recording) {
  float peak = 0;
  for (const float sample : recording.samples) peak = std::max(peak, std::abs(sample));
  if (peak < kLowestPeakForFlatTops) return false;
  const int longest = std::max(kFlatRun, static_cast<int>(std::ceil(kFlatRunS * recording.rate_hz)));
  const double limit = peak * (1 - kFlatness);
  int run = 0;
  float previous = 0;
  for (const float sample : recording.samples) {
    const bool at_top = std::abs(static_cast<double>(sample)) >= limit;
    const bool goes_on = run > 0 && std::signbit(sample) == std::signbit(previous);
    run = at_top ? (goes_on ? run + 1 : 1) : 0;
    if (run >= longest) return true;
    previous = sample;
  }
  return false;
}

}  // namespace vqas
