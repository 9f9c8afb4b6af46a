#include "score/prepare/rounded_copy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

constexpr double kSteps = 32768;                      // not tuned: of 16 bits in full scale
constexpr double kLeastPower = 1 / kPauseShare / 12;  // not tuned: step²/12 is a pause beside it
// not tuned: by what the fitted constant and single precision may be wrong, in steps.
constexpr double kTolerance = 0.05;
// A first look at so many samples turns away nearly every line for next to nothing.
constexpr std::size_t kLookedAt = 1024;  // not tuned: samples of a first look that turns away nearly every line

/// copy = gain·original + constant, by least squares over every `stride`-th sample; in steps. Near enough for the
/// constant.
struct Line {
  double gain = 0;
  double constant = 0;
  double power = 0;  ///< of what it explains, squared steps
};

Line fit(std::span<const float> copy, std::span<const float> original, std::size_t stride) {
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  double count = 0;
  for (std::size_t n = 0; n < copy.size(); n += stride) {
    const double from = original[n] * kSteps;
    const double to = copy[n] * kSteps;
    x += from;
    y += to;
    xx += from * from;
    xy += from * to;
    ++count;
  }
  const double spread = xx - x * x / count;
  if (!(spread > 0)) return {};
  const double gain = (xy - x * y / count) / spread;
  return {gain, (y - gain * x) / count, gain * gain * spread / count};
}

// How far what was rounded may lie from the step it is on, in steps.
struct Bounds {
  double below = 0, above = 0;
};

enum class Method { to_nearest, towards_zero };

Bounds bounds_of(double step, Method method) {
  if (method == Method::to_nearest) return {0.5 + kTolerance, 0.5 + kTolerance};
  return {step > 0 ? kTolerance : 1 + kTolerance, step < 0 ? kTolerance : 1 + kTolerance};
}

// Whether there is a gain that puts every `stride`-th sample of the original on its step of the copy. Least squares do
// not find it exactly, for the rounding of small numbers comes with the signal.
bool fits(std::span<const float> copy, std::span<const float> original, std::size_t stride, double constant,
          Method method) {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < copy.size() && least <= most; n += stride) {
    const double steps = copy[n] * kSteps;
    if (steps != std::nearbyint(steps)) return false;
    const double from = original[n] * kSteps;
    const Bounds bounds = bounds_of(steps, method);
    const double lowest = steps - constant - bounds.below;
    const double highest = steps - constant + bounds.above;
    if (from == 0) {
      if (lowest > 0 || highest < 0) return false;
      continue;
    }
    const double one = lowest / from;
    const double other = highest / from;
    least = std::max(least, std::min(one, other));
    most = std::min(most, std::max(one, other));
  }
  return least <= most;
}

}  // namespace

bool is_rounded_copy(std::span<const float> copy, std::span<const float> original) {
  if (copy.empty() || original.size() != copy.size()) return false;
  const std::size_t few = std::max<std::size_t>(1, copy.size() / kLookedAt);
  const Line line = fit(copy, original, few);
  if (line.power < kLeastPower) return false;
  const auto is_copy = [&](double constant, Method method) {
    return fits(copy, original, few, constant, method) && fits(copy, original, 1, constant, method);
  };
  // The constant may be anywhere between two steps where the original is silent.
  const auto reach = std::lround(0.5 / kTolerance) + 1;
  for (auto n = -reach; n <= reach; ++n) {
    if (is_copy(line.constant + kTolerance * static_cast<double>(n), Method::to_nearest)) return true;
  }
  return is_copy(0, Method::towards_zero);
}

}  // namespace vqas::scoring
