#include "score/prepare/active_level.h"

#include <algorithm>
#include <array>
#include <bit>
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

// floor(log2(x)) of a positive normal number; very small for 0.
int binary_exponent(double x) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52U) - 1023;
}

}  // namespace

std::optional<double> ActiveLevel::measure(std::span<const float> samples, int rate_hz) {
  const auto step = static_cast<std::size_t>(rate_hz / 1000);
  const std::size_t steps = samples.size() / step;
  magnitude_.resize(steps);
  square_.resize(steps);
  sum_steps(samples, static_cast<int>(step), magnitude_, square_);
  const double smoothing = std::exp(-1e-3 / kTimeConstantS);
  const double share = (1 - smoothing) / static_cast<double>(step);
  double first = 0;
  double envelope = 0;
  double energy = 0;
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
  for (std::size_t n = 0; n < steps; ++n) {
    energy += square_[n];
    first = smoothing * first + share * magnitude_[n];
    envelope = smoothing * envelope + (1 - smoothing) * first;
    const int exponent = std::clamp(binary_exponent(envelope), kLowest - 1, kHighest);
    const auto now = static_cast<std::ptrdiff_t>(n);
    const auto index = static_cast<std::size_t>(std::ptrdiff_t{exponent} - kLowest + 1);
    seen[index] = now;
    if (index > highest) {
      count_to(now);
      highest = index;
    } else if (index < highest && seen[highest] + kHangoverMs < now) {
      count_to(now);
      while (seen[highest] + kHangoverMs < now) --highest;
    }
  }
  count_to(static_cast<std::ptrdiff_t>(steps));
  if (!(energy > 0)) return std::nullopt;

  std::array<double, kThresholds> active{};
  double above = static_cast<double>(steps * step);
  for (std::size_t j = 0; j < active.size(); ++j) {
    above -= count[j];
    active[j] = above;
  }
  return active_level_at_margin(energy, active, kLowest);
}

}  // namespace vqas::scoring
