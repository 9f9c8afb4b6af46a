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
  // Each step waits for the one before it. Four at a time wait once: what they add is summed beside.
  constexpr std::size_t kAhead = 4;
  std::array<double, kAhead> decay{};
  for (std::size_t k = 0; k < kAhead; ++k) decay[k] = std::pow(smoothing, static_cast<double>(k + 1));
  std::array<double, kAhead> envelopes{};
  const auto smooth = [&](std::size_t from) {
    double added = 0;
    double added_twice = 0;
    const double before = first;
    const double envelope_before = envelope;
    for (std::size_t k = 0; k < kAhead; ++k) {
      added = smoothing * added + (from + k < steps ? share * magnitude_[from + k] : 0.0);
      first = decay[k] * before + added;
      added_twice = smoothing * added_twice + (1 - smoothing) * added;
      // Of what was there before: (1 - s)·(k + 1)·s^(k+1) of the first, s^(k+1) of the second.
      envelopes[k] = decay[k] * (envelope_before + (1 - smoothing) * static_cast<double>(k + 1) * before) + added_twice;
    }
    envelope = envelopes[kAhead - 1];
  };
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
  const auto note = [&](std::size_t index, std::ptrdiff_t now) {
    seen[index] = now;
    if (index > highest) {
      count_to(now);
      highest = index;
    } else if (index < highest && seen[highest] + kHangoverMs < now) {
      count_to(now);
      while (seen[highest] + kHangoverMs < now) --highest;
    }
  };
  for (std::size_t n = 0; n < steps; n += kAhead) {
    smooth(n);
    const std::size_t count_here = std::min(kAhead, steps - n);
    std::array<std::size_t, kAhead> index{};
    bool is_highest = true;
    for (std::size_t k = 0; k < kAhead; ++k) {
      const int exponent = std::clamp(binary_exponent(envelopes[k]), kLowest - 1, kHighest);
      index[k] = static_cast<std::size_t>(exponent - kLowest + 1);
      is_highest = is_highest && index[k] == highest;
    }
    for (std::size_t k = 0; k < count_here; ++k) energy += square_[n + k];
    const auto now = static_cast<std::ptrdiff_t>(n);
    if (is_highest) {
      seen[highest] = now + static_cast<std::ptrdiff_t>(count_here) - 1;
    } else {
      for (std::size_t k = 0; k < count_here; ++k) note(index[k], now + static_cast<std::ptrdiff_t>(k));
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
