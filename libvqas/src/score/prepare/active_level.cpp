#include "score/prepare/active_level.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"
#include "signal/active_level.h"

namespace vqas::scoring {
namespace {

// ITU-T P.56, method B; thresholds at powers of two, as there, but reaching as low as recordings in floating point do.
constexpr double kTimeConstantS = 0.03;  // not tuned: ITU-T P.56, method B; thresholds at powers of two, as there
constexpr int kLowest = -40;             // not tuned: exponents of these thresholds, -240 dB
constexpr int kHighest = 3;              // not tuned: +18 dB
constexpr int kThresholds = kHighest - kLowest + 1;  // not tuned

}  // namespace

std::optional<double> ActiveLevel::measure(std::span<const float> samples, int rate_hz) {
  const auto step = static_cast<std::size_t>(rate_hz / 1000);
  const std::size_t steps = samples.size() / step;
  square_.resize(steps);
  const std::size_t filled_up = (steps + kLanes - 1) / kLanes * kLanes;
  magnitude_.resize(filled_up);
  exponent_.resize(filled_up);
  sum_steps(samples, static_cast<int>(step), std::span(magnitude_).first(steps), square_);
  std::fill(magnitude_.begin() + static_cast<std::ptrdiff_t>(steps), magnitude_.end(), 0.0F);
  smooth_twice(magnitude_, std::exp(-1e-3 / kTimeConstantS), 1.0 / static_cast<double>(step), exponent_);
  const double energy = sum_of(square_);
  if (!(energy > 0)) return std::nullopt;

  // A step is active for every threshold up to the highest exponent of the envelope in the hangover behind it: the
  // highest one that was seen no longer ago.
  std::array<double, kThresholds + 1> count{};
  std::array<std::ptrdiff_t, kThresholds + 1> seen{};
  seen.fill(-kHangoverMs - 1);
  std::size_t highest = 0;
  std::ptrdiff_t counted = 0;  // steps that are in `count`; those behind them have the same highest threshold
  const auto count_to = [&](std::ptrdiff_t now) {
    count[highest] += static_cast<double>(now - counted) * static_cast<double>(step);
    counted = now;
  };
  const auto note = [&](std::int32_t exponent, std::ptrdiff_t from, std::ptrdiff_t to) {
    const auto index = static_cast<std::size_t>(std::clamp(exponent, kLowest - 1, kHighest) - kLowest + 1);
    seen[index] = to - 1;
    if (index > highest) {
      count_to(from);
      highest = index;
    }
    while (index < highest) {
      const std::ptrdiff_t forgotten = seen[highest] + kHangoverMs + 1;
      if (forgotten >= to) break;
      count_to(forgotten);
      while (seen[highest] + kHangoverMs < forgotten) --highest;
    }
  };
  // The envelope is slow: most often many steps have the same exponent.
  constexpr std::size_t kTogether = 8;  // not tuned: exponents that are raised at once; most often all are the same
  for (std::size_t n = 0; n < steps; n += kTogether) {
    const std::size_t end = std::min(steps, n + kTogether);
    std::int32_t other = 0;
    for (std::size_t k = n; k < end; ++k) other |= exponent_[k] ^ exponent_[n];
    if (other == 0) {
      note(exponent_[n], static_cast<std::ptrdiff_t>(n), static_cast<std::ptrdiff_t>(end));
      continue;
    }
    for (std::size_t k = n; k < end; ++k)
      note(exponent_[k], static_cast<std::ptrdiff_t>(k), static_cast<std::ptrdiff_t>(k + 1));
  }
  count_to(static_cast<std::ptrdiff_t>(steps));

  std::array<double, kThresholds> active{};
  double above = static_cast<double>(steps * step);
  for (std::size_t j = 0; j < active.size(); ++j) {
    above -= count[j];
    active[j] = above;
  }
  return active_level_at_margin(energy, active, kLowest);
}

}  // namespace vqas::scoring
