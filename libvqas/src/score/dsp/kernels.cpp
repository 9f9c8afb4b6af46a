#include "score/dsp/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "score/dsp/dispatch.h"
#include "score/dsp/fast_power.h"
#include "score/dsp/filter_in_lanes.h"
#include "score/dsp/kernels_wide.h"

namespace vqas::scoring {
namespace {

constexpr float kTinyDifference = 1e-8F;

// Halves are added to each other; written out, so that the lanes stay in registers.
static_assert(kLanes == 16);
using Eight = float __attribute__((vector_size(32)));
using EightPlaces = std::int32_t __attribute__((vector_size(32)));

inline void load(const float* from, Eight& eight) {
  std::memcpy(&eight, from, sizeof eight);
}

inline float fold(const Eight& low, const Eight& high) {
  const Eight eight = low + high;
  float four[4];
  for (int k = 0; k < 4; ++k) four[k] = eight[k] + eight[k + 4];
  return (four[0] + four[2]) + (four[1] + four[3]);
}

inline float dot_product_of(const float* a, const float* b, int length) {
  Eight low = {};
  Eight high = {};
  for (int n = 0; n < length; n += kLanes) {
    Eight x;
    Eight y;
    load(a + n, x);
    load(b + n, y);
    low += x * y;
    load(a + n + 8, x);
    load(b + n + 8, y);
    high += x * y;
  }
  return fold(low, high);
}

inline Products products_of(const float* a, const float* b, int length) {
  Eight cross_low = {};
  Eight cross_high = {};
  Eight energy_low = {};
  Eight energy_high = {};
  for (int n = 0; n < length; n += kLanes) {
    Eight x;
    Eight y;
    load(a + n, x);
    load(b + n, y);
    cross_low += x * y;
    energy_low += y * y;
    load(a + n + 8, x);
    load(b + n + 8, y);
    cross_high += x * y;
    energy_high += y * y;
  }
  return {fold(cross_low, cross_high), fold(energy_low, energy_high)};
}

VQAS_DISPATCHED void narrow_products_at(const float* a, std::span<const float* const> at, int length,
                                        std::span<float> cross, std::span<float> energy) {
  for (std::size_t n = 0; n < at.size(); ++n) {
    const Products both = products_of(a, at[n], length);
    cross[n] = both.cross;
    energy[n] = both.energy;
  }
}

VQAS_DISPATCHED void narrow_filter_samples(const float* x, std::span<const float> taps, std::span<float> to) {
  filter_in_lanes<Eight, 2>(x, taps, to);
}

VQAS_DISPATCHED void narrow_sliding_products(const float* a, const float* b, int length, std::span<float> out) {
  // Four at a time share what is read of `a`.
  constexpr std::size_t kTogether = 4;
  const std::size_t whole = out.size() / kTogether * kTogether;
  for (std::size_t n = 0; n < whole; n += kTogether) {
    Eight low[kTogether] = {};
    Eight high[kTogether] = {};
    for (int m = 0; m < length; m += kLanes) {
      Eight first;
      Eight second;
      load(a + m, first);
      load(a + m + 8, second);
      for (std::size_t k = 0; k < kTogether; ++k) {
        Eight y;
        load(b + n + k + m, y);
        low[k] += first * y;
        load(b + n + k + m + 8, y);
        high[k] += second * y;
      }
    }
    for (std::size_t k = 0; k < kTogether; ++k) out[n + k] = fold(low[k], high[k]);
  }
  for (std::size_t n = whole; n < out.size(); ++n) out[n] = dot_product_of(a, b + n, length);
}

}  // namespace

VQAS_DISPATCHED float dot_product(const float* a, const float* b, int length) {
  return dot_product_of(a, b, length);
}

VQAS_DISPATCHED void energies(const float* x, int length, std::span<float> to) {
  for (float& energy : to) {
    energy = dot_product_of(x, x, length);
    x += length;
  }
}

VQAS_DISPATCHED void magnitude_sums(const float* x, int length, std::span<float> to) {
  for (float& sum : to) {
    Eight low = {};
    Eight high = {};
    for (int n = 0; n < length; n += kLanes) {
      Eight part;
      load(x + n, part);
      low += part < 0.0F ? -part : part;
      load(x + n + 8, part);
      high += part < 0.0F ? -part : part;
    }
    sum = fold(low, high);
    x += length;
  }
}

VQAS_DISPATCHED Products products(const float* a, const float* b, int length) {
  return products_of(a, b, length);
}

void products_at(const float* a, std::span<const float* const> at, int length, std::span<float> cross,
                 std::span<float> energy) {
  if (kHasWideKernels) {
    wide_products_at(a, at, length, cross, energy);
  } else {
    narrow_products_at(a, at, length, cross, energy);
  }
}

void sliding_products(const float* a, const float* b, int length, std::span<float> out) {
  if (kHasWideKernels) {
    wide_sliding_products(a, b, length, out);
  } else {
    narrow_sliding_products(a, b, length, out);
  }
}

void filter_samples(const float* x, std::span<const float> taps, std::span<float> to) {
  if (kHasWideKernels) {
    wide_filter_samples(x, taps, to);
  } else {
    narrow_filter_samples(x, taps, to);
  }
}

VQAS_DISPATCHED SampleSums sums_of(std::span<const float> samples, float limit) {
  constexpr std::size_t kWidth = 8;
  double sum[kWidth] = {};
  double square[kWidth] = {};
  unsigned outside[kWidth] = {};
  const std::size_t whole = samples.size() / kWidth * kWidth;
  const float* data = samples.data();
  for (std::size_t n = 0; n < whole; n += kWidth) {
    for (std::size_t k = 0; k < kWidth; ++k) {
      const double x = data[n + k];
      sum[k] += x;
      square[k] += x * x;
      outside[k] |= std::abs(data[n + k]) <= limit ? 0U : 1U;
    }
  }
  SampleSums result;
  for (std::size_t k = 0; k < kWidth; ++k) {
    result.sum += sum[k];
    result.square += square[k];
    result.within = result.within && outside[k] == 0;
  }
  for (std::size_t n = whole; n < samples.size(); ++n) {
    const double x = data[n];
    result.sum += x;
    result.square += x * x;
    result.within = result.within && std::abs(data[n]) <= limit;
  }
  return result;
}

VQAS_DISPATCHED void subtract_and_scale(std::span<const float> from, float offset, float gain, std::span<float> to) {
  const float* in = from.data();
  float* __restrict out = to.data();
  const std::size_t count = to.size();
  for (std::size_t n = 0; n < count; ++n) out[n] = (in[n] - offset) * gain;
}

VQAS_DISPATCHED void sum_steps(std::span<const float> samples, int step, std::span<float> magnitude,
                               std::span<float> square) {
  const float* x = samples.data();
  const std::size_t steps = magnitude.size();
  float* __restrict magnitudes = magnitude.data();
  float* __restrict squares = square.data();
  if (step == 8) {  // a millisecond of the narrowband rate: a length that the compiler knows
    constexpr std::size_t kPart = 64;
    float m[4 * kPart];
    float e[4 * kPart];
    for (std::size_t first = 0; first < steps; first += kPart) {
      const std::size_t count = std::min(kPart, steps - first);
      const float* at = x + 8 * first;
      for (std::size_t n = 0; n < count; ++n) {
        for (std::size_t k = 0; k < 4; ++k) {
          const float one = at[8 * n + k];
          const float other = at[8 * n + k + 4];
          m[4 * n + k] = std::abs(one) + std::abs(other);
          e[4 * n + k] = one * one + other * other;
        }
      }
      for (std::size_t n = 0; n < count; ++n) {
        magnitudes[first + n] = (m[4 * n] + m[4 * n + 2]) + (m[4 * n + 1] + m[4 * n + 3]);
        squares[first + n] = (e[4 * n] + e[4 * n + 2]) + (e[4 * n + 1] + e[4 * n + 3]);
      }
    }
    return;
  }
  const auto length = static_cast<std::size_t>(step);
  for (std::size_t n = 0; n < steps; ++n) {
    float m = 0;
    float s = 0;
    for (std::size_t k = n * length; k < (n + 1) * length; ++k) {
      m += std::abs(x[k]);
      s += x[k] * x[k];
    }
    magnitudes[n] = m;
    squares[n] = s;
  }
}

VQAS_DISPATCHED void decimate(const float* x, int step, std::span<float> to) {
  float* __restrict thin = to.data();
  const std::size_t count = to.size();
  if (step == 4) {  // a length that the compiler knows
    for (std::size_t n = 0; n < count; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < 8; ++k) sum += x[4 * n + k];
      thin[n] = sum;
    }
    return;
  }
  const auto length = static_cast<std::size_t>(step);
  for (std::size_t n = 0; n < count; ++n) {
    float sum = 0;
    for (std::size_t k = 0; k < 2 * length; ++k) sum += x[length * n + k];
    thin[n] = sum;
  }
}

VQAS_DISPATCHED void difference_energies(const float* x, float factor, int length, std::span<float> to) {
  for (float& energy : to) {
    Eight low = {};
    Eight high = {};
    for (int n = 0; n < length; n += kLanes) {
      Eight now;
      Eight before;
      load(x + n, now);
      load(x + n - 1, before);
      Eight difference = now - factor * before;
      low += difference * difference;
      load(x + n + 8, now);
      load(x + n + 7, before);
      difference = now - factor * before;
      high += difference * difference;
    }
    energy = fold(low, high);
    x += length;
  }
}

VQAS_DISPATCHED void to_power(std::span<float> values, float scale, float floor, float exponent) {
  float* at = values.data();
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) at[n] = fast_power(at[n] * scale + floor, exponent);
}

VQAS_DISPATCHED void error_ratios(const ErrorRatio& of, std::span<float> to) {
  const float* above = of.above.data();
  const float* below = of.below.data();
  const float* beside = of.beside.data();
  const float* leak = of.leak.data();
  float* __restrict out = to.data();
  const ErrorRatio by = of;
  const std::size_t count = to.size();
  for (std::size_t n = 0; n < count; ++n) {
    const float around = beside[n] < by.floor ? by.floor : beside[n];
    out[n] = above[n] / (below[n] * by.share + around + leak[n] + by.least) + by.offset;
  }
}

VQAS_DISPATCHED void shared_logarithms(std::span<const float> correlation, float most, std::span<float> to) {
  constexpr float kMinusLog2 = -0.693147181F;
  const float* r = correlation.data();
  float* __restrict out = to.data();
  const std::size_t count = to.size();
  for (std::size_t n = 0; n < count; ++n) {
    const float positive = r[n] > 0.0F ? r[n] : 0.0F;
    const float square = positive * positive;
    out[n] = kMinusLog2 * fast_log2(1.0F - (square < most ? square : most));
  }
}

VQAS_DISPATCHED void logarithms_above_one(std::span<const float> values, float factor, std::span<float> to) {
  constexpr float kLog2 = 0.693147181F;
  const float* x = values.data();
  float* __restrict out = to.data();
  const std::size_t count = to.size();
  for (std::size_t n = 0; n < count; ++n) out[n] = kLog2 * fast_log2(1.0F + factor * (x[n] * x[n]));
}

VQAS_DISPATCHED void to_log2(std::span<float> values) {
  float* at = values.data();
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) at[n] = fast_log2(at[n]);
}

VQAS_DISPATCHED void to_exp2(std::span<float> values) {
  float* at = values.data();
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) at[n] = fast_exp2(at[n]);
}

VQAS_DISPATCHED void normalise_correlation(std::span<const float> half, std::span<const float> seen, std::size_t row,
                                           std::span<const float> energy, float floor, std::span<float> out) {
  const float* h = half.data();
  const float* next_h = h + row;
  const float* s = seen.data();
  const float* next_s = s + row;
  const float* e = energy.data();
  float* __restrict to = out.data();
  const std::size_t count = out.size();
  for (std::size_t n = 0; n < count; ++n) to[n] = (h[n] + next_h[n]) / std::sqrt(e[n] * (s[n] + next_s[n]) + floor);
}

VQAS_DISPATCHED void add_to(std::span<const float> values, std::span<float> sum) {
  const float* from = values.data();
  float* __restrict to = sum.data();
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) to[n] += from[n];
}

VQAS_DISPATCHED void add_shifted(std::span<const float> rows, std::span<const int> shift, std::span<float> sum) {
  const std::size_t width = sum.size();
  for (std::size_t n = 0; n < shift.size(); ++n) {
    const auto away = static_cast<std::size_t>(std::abs(shift[n]));
    if (away >= width) continue;
    const float* from = rows.data() + n * width + (shift[n] < 0 ? away : 0);
    float* __restrict to = sum.data() + (shift[n] > 0 ? away : 0);
    const std::size_t count = width - away;
    for (std::size_t k = 0; k < count; ++k) to[k] += from[k];
  }
}

VQAS_DISPATCHED float largest_shifted_sum(std::span<const float> rows, std::span<const int> shift) {
  Eight total[8] = {};
  const float* row = rows.data() + kSummedAtOnce;
  for (std::size_t n = 0; n < shift.size(); ++n, row += 3 * kSummedAtOnce) {
    const float* from = row - shift[n];
    for (std::size_t k = 0; k < 8; ++k) {
      Eight x;
      load(from + 8 * k, x);
      total[k] += x;
    }
  }
  for (std::size_t k = 1; k < 8; ++k) total[0] = total[k] > total[0] ? total[k] : total[0];
  float largest = total[0][0];
  for (std::size_t k = 1; k < 8; ++k) largest = total[0][k] > largest ? total[0][k] : largest;
  return largest;
}

VQAS_DISPATCHED void steps_from(std::span<const double> values, double middle, double step, double most,
                                std::span<int> steps) {
  for (std::size_t n = 0; n < values.size(); ++n) {
    double off = (values[n] - middle) / step;
    off = off < -most ? -most : off;
    off = off > most ? most : off;
    steps[n] = static_cast<int>(off + (off < 0 ? -0.5 : 0.5));
  }
}

VQAS_DISPATCHED float largest_magnitude(std::span<const float> values) {
  constexpr std::size_t kWidth = 32;
  Eight largest[4] = {};
  std::size_t n = 0;
  for (; n + kWidth <= values.size(); n += kWidth) {
    for (std::size_t k = 0; k < 4; ++k) {
      Eight x;
      load(values.data() + n + 8 * k, x);
      x = x > -x ? x : -x;
      largest[k] = x > largest[k] ? x : largest[k];
    }
  }
  for (std::size_t k = 1; k < 4; ++k) largest[0] = largest[k] > largest[0] ? largest[k] : largest[0];
  float top = 0;
  for (std::size_t k = 0; k < 8; ++k) top = largest[0][k] > top ? largest[0][k] : top;
  for (; n < values.size(); ++n) top = std::max(top, std::abs(values[n]));
  return top;
}

VQAS_DISPATCHED ValueRange flatten(std::span<const float> lags, float factor, std::span<float> flat) {
  const std::size_t count = lags.size();
  const float own = 1 + factor * factor;
  flat.front() = 0;
  flat.back() = 0;
  for (std::size_t n = 1; n + 1 < count; ++n) flat[n] = own * lags[n] - factor * (lags[n - 1] + lags[n + 1]);
  const float largest = std::max(1e-20F, largest_magnitude(flat));
  // The order does not matter to either end: eight at a time.
  Eight low = {};
  Eight high = {};
  std::size_t n = 0;
  for (; n + 8 <= count; n += 8) {
    Eight x;
    load(flat.data() + n, x);
    x /= largest;
    low = x < low ? x : low;
    high = x > high ? x : high;
    std::memcpy(flat.data() + n, &x, sizeof x);
  }
  ValueRange range;
  range.largest = largest;
  for (std::size_t k = 0; k < 8; ++k) {
    range.lowest = std::min(range.lowest, low[k]);
    range.highest = std::max(range.highest, high[k]);
  }
  for (; n < count; ++n) {
    flat[n] /= largest;
    range.lowest = std::min(range.lowest, flat[n]);
    range.highest = std::max(range.highest, flat[n]);
  }
  return range;
}

VQAS_DISPATCHED std::size_t largest_of(std::span<const float> values) {
  // First how large, then where: neither waits for the other, and there is no branch that nobody could foresee.
  constexpr std::size_t kWidth = 32;
  const std::size_t count = values.size();
  const std::size_t whole = count / kWidth * kWidth;
  const float* at = values.data();
  Eight largest[4];
  for (auto& lanes : largest) lanes = Eight{} + at[0];
  for (std::size_t n = 0; n < whole; n += kWidth) {
    for (std::size_t k = 0; k < 4; ++k) {
      Eight x;
      load(at + n + 8 * k, x);
      largest[k] = x > largest[k] ? x : largest[k];
    }
  }
  for (std::size_t k = 1; k < 4; ++k) largest[0] = largest[k] > largest[0] ? largest[k] : largest[0];
  float top = largest[0][0];
  for (std::size_t k = 1; k < 8; ++k) top = largest[0][k] > top ? largest[0][k] : top;
  for (std::size_t n = whole; n < count; ++n) top = at[n] > top ? at[n] : top;
  // By parts: the rest need not be looked at.
  constexpr std::size_t kPart = 64;
  for (std::size_t from = 0; from < count; from += kPart) {
    const std::size_t end = std::min(count, from + kPart);
    int found = 0;
    for (std::size_t n = from; n < end; ++n) found |= at[n] == top ? 1 : 0;
    if (found != 0) return static_cast<std::size_t>(std::find(at + from, at + end, top) - at);
  }
  return 0;
}

VQAS_DISPATCHED void multiply(std::span<const float> factors, std::span<float> values) {
  const float* from = factors.data();
  float* __restrict to = values.data();
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) to[n] *= from[n];
}

VQAS_DISPATCHED void step_along(const float* total, const float* gain, int states, const PathStep& step,
                                float* __restrict next, int* __restrict came_from) {
  const PathStep is = step;
  for (int state = 0; state < states; ++state) {
    const float stay = total[state];
    const float first = is.from_anywhere > stay ? is.from_anywhere : stay;
    const int first_from = is.from_anywhere > stay ? is.best : state;
    const float left = total[state - 1] - is.near_change;
    const float second = left > first ? left : first;
    const int second_from = left > first ? state - 1 : first_from;
    const float right = total[state + 1] - is.near_change;
    const float value = right > second ? right : second;
    came_from[state] = right > second ? state + 1 : second_from;
    next[state] = value + gain[state] * is.weight;
  }
}

VQAS_DISPATCHED void scale_and_add(std::span<float> cells, float gain, std::span<float> sum) {
  float* __restrict cell = cells.data();
  float* __restrict to = sum.data();
  const std::size_t count = cells.size();
  for (std::size_t n = 0; n < count; ++n) {
    cell[n] *= gain;
    to[n] += cell[n];
  }
}

VQAS_DISPATCHED void limited_ratio(std::span<const float> p, std::span<const float> q, float floor, float lowest,
                                   float highest, std::span<float> gain) {
  const float* ps = p.data();
  const float* qs = q.data();
  float* __restrict to = gain.data();
  const std::size_t count = gain.size();
  for (std::size_t n = 0; n < count; ++n) {
    const float ratio = (ps[n] + floor) / (qs[n] + floor);
    to[n] = std::min(std::max(ratio, lowest), highest);
  }
}

VQAS_DISPATCHED void add_loudness_difference(std::span<const float> p, std::span<const float> q,
                                             std::span<const float> gain, const LoudnessLaw& law,
                                             std::span<float> changed, std::span<float> raised) {
  const float* ps = p.data();
  const float* qs = q.data();
  const float* gains = gain.data();
  float* __restrict changed_sum = changed.data();
  float* __restrict raised_sum = raised.data();
  const std::size_t frames = changed.size();
  const LoudnessLaw is = law;
  constexpr std::size_t kPart = 64;
  for (std::size_t first = 0; first < frames; first += kPart) {
    const std::size_t count = std::min(kPart, frames - first);
    float differences[kPart];
    float counted[kPart];
    float any = 0;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t j = first + n;
      const float level = qs[j] * gains[j];
      const float difference =
          std::abs(fast_power(level + is.floor, is.exponent) - fast_power(ps[j] + is.floor, is.exponent));
      changed_sum[j] += is.weight * difference * difference;
      differences[n] = difference;
      counted[n] = level + is.ratio_floor > is.ratio * (ps[j] + is.ratio_floor) ? is.weight : 0.0F;
    }
    for (std::size_t n = 0; n < count; ++n) any = std::max(any, counted[n]);
    // Most of the time nothing is raised.
    if (any == 0) continue;
    // The tiny addend keeps the logarithm finite; a raised cell's difference is larger by orders of magnitude.
    for (std::size_t n = 0; n < count; ++n) {
      raised_sum[first + n] += counted[n] * fast_power(differences[n] + kTinyDifference, is.raised_norm);
    }
  }
}

VQAS_DISPATCHED void to_loudness(std::span<const float> power, float floor, float exponent, std::span<float> loudness) {
  const float* from = power.data();
  float* to = loudness.data();
  const std::size_t count = loudness.size();
  for (std::size_t n = 0; n < count; ++n) to[n] = fast_power(from[n] + floor, exponent);
}

}  // namespace vqas::scoring
