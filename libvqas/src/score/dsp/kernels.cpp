#include "score/dsp/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "score/dsp/dispatch.h"
#include "score/dsp/fast_power.h"
#include "score/dsp/kernels_wide.h"

namespace vqas::scoring {
namespace {

constexpr float kTinyDifference = 1e-8F;

// Halves are added to each other; written out, so that the lanes stay in registers.
static_assert(kLanes == 16);
using Eight = float __attribute__((vector_size(32)));
using Four = float __attribute__((vector_size(16)));
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

VQAS_DISPATCHED Products products(const float* a, const float* b, int length) {
  return products_of(a, b, length);
}

void products_at(const float* a, std::span<const float* const> at, int length, std::span<float> cross,
                 std::span<float> energy) {
  if (has_wide_kernels()) {
    wide_products_at(a, at, length, cross, energy);
  } else {
    narrow_products_at(a, at, length, cross, energy);
  }
}

void sliding_products(const float* a, const float* b, int length, std::span<float> out) {
  if (has_wide_kernels()) {
    wide_sliding_products(a, b, length, out);
  } else {
    narrow_sliding_products(a, b, length, out);
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

VQAS_DISPATCHED float difference_energy(const float* x, float factor, int length) {
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
  return fold(low, high);
}

VQAS_DISPATCHED void to_power(std::span<float> values, float scale, float floor, float exponent) {
  float* at = values.data();
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) at[n] = fast_power(at[n] * scale + floor, exponent);
}

VQAS_DISPATCHED void split_spectrum(const Complex* both, int size, int first, int count, const SplitSpectrum& a,
                                    const SplitSpectrum& b) {
  // Apart first: the compiler vectorises a loop over every second value, or backwards, but not both at once.
  constexpr int kPart = 128;
  const auto* z = reinterpret_cast<const float*>(both);
  for (int done = 0; done < count; done += kPart) {
    const int part = std::min(kPart, count - done);
    const float* forward = z + 2 * (first + done);
    const float* mirrored = z + 2 * (size - first - done - part + 1);
    float re[kPart];
    float im[kPart];
    float mirrored_re[kPart];
    float mirrored_im[kPart];
    for (int k = 0; k < part; ++k) {
      re[k] = forward[2 * k];
      im[k] = forward[2 * k + 1];
      mirrored_re[k] = mirrored[2 * k];
      mirrored_im[k] = mirrored[2 * k + 1];
    }
    float* __restrict a_re = a.re + done;
    float* __restrict a_im = a.im + done;
    float* __restrict b_re = b.re + done;
    float* __restrict b_im = b.im + done;
    for (int k = 0; k < part; ++k) {
      const int m = part - 1 - k;
      a_re[k] = re[k] + mirrored_re[m];
      a_im[k] = im[k] - mirrored_im[m];
      b_re[k] = im[k] + mirrored_im[m];
      b_im[k] = mirrored_re[m] - re[k];
    }
  }
}

VQAS_DISPATCHED void add_cross_spectrum(const SplitSpectrum& from, const SplitSpectrum& to, std::size_t count,
                                        const CrossSums& sums) {
  constexpr float kHalf = 0.5F;
  const float* a = from.re;
  const float* b = from.im;
  const float* c = to.re;
  const float* d = to.im;
  double* __restrict from_power = sums.from_power;
  double* __restrict to_power = sums.to_power;
  double* __restrict re = sums.re;
  double* __restrict im = sums.im;
  for (std::size_t k = 0; k < count; ++k) {
    const float xr = kHalf * a[k];
    const float xi = kHalf * b[k];
    const float yr = kHalf * c[k];
    const float yi = kHalf * d[k];
    from_power[k] += xr * xr + xi * xi;
    to_power[k] += yr * yr + yi * yi;
    re[k] += xr * yr + xi * yi;
    im[k] += xr * yi - xi * yr;
  }
}

VQAS_DISPATCHED void to_square(std::span<const float> re, std::span<const float> im, std::span<float> power) {
  const float* a = re.data();
  const float* b = im.data();
  float* __restrict to = power.data();
  const std::size_t count = power.size();
  for (std::size_t k = 0; k < count; ++k) to[k] = a[k] * a[k] + b[k] * b[k];
}

VQAS_DISPATCHED void interleave(const float* a, const float* b, int size, Complex* out) {
  auto* __restrict to = reinterpret_cast<float*>(out);
  for (int n = 0; n < size; ++n) {
    to[2 * n] = a[n];
    to[2 * n + 1] = b[n];
  }
}

VQAS_DISPATCHED void sum_bands(const std::array<const float*, 4>& power, std::span<const int> edges, float scale,
                               std::span<float> work, const CellColumns& to) {
  // Four frames share a register, so that a band's bins are still added one after the other.
  const auto first = static_cast<std::size_t>(edges.front());
  const std::size_t bins = work.size() / 4;
  float* __restrict four = work.data();
  const float* a = power[0];
  const float* b = power[1];
  const float* c = power[2];
  const float* d = power[3];
  for (std::size_t bin = 0; bin < bins; ++bin) {
    four[4 * bin] = a[bin];
    four[4 * bin + 1] = b[bin];
    four[4 * bin + 2] = c[bin];
    four[4 * bin + 3] = d[bin];
  }
  float* row = to.cells;
  for (std::size_t band = 0; band + 1 < edges.size(); ++band, row += to.stride) {
    const std::size_t last = static_cast<std::size_t>(edges[band + 1]) - first;
    Four sum = {};
    for (std::size_t bin = static_cast<std::size_t>(edges[band]) - first; bin < last; ++bin) {
      Four x;
      std::memcpy(&x, four + 4 * bin, sizeof x);
      sum += x;
    }
    sum *= scale;
    for (std::size_t k = 4; k-- > 0;) row[to.frame[k]] = sum[k];
  }
}

VQAS_DISPATCHED void take_apart(const Complex* from, float scale, std::span<float> re, std::span<float> im) {
  const auto* z = reinterpret_cast<const float*>(from);
  float* __restrict res = re.data();
  float* __restrict ims = im.data();
  const std::size_t count = re.size();
  for (std::size_t n = 0; n < count; ++n) {
    res[n] = z[2 * n] * scale;
    ims[n] = z[2 * n + 1] * scale;
  }
}

VQAS_DISPATCHED void conjugate_product(const Complex* a, const Complex* b, std::size_t size, Complex* out) {
  const auto* as = reinterpret_cast<const float*>(a);
  const auto* bs = reinterpret_cast<const float*>(b);
  auto* __restrict to = reinterpret_cast<float*>(out);
  for (std::size_t k = 0; k < size; ++k) {
    to[2 * k] = as[2 * k] * bs[2 * k] + as[2 * k + 1] * bs[2 * k + 1];
    to[2 * k + 1] = as[2 * k] * bs[2 * k + 1] - as[2 * k + 1] * bs[2 * k];
  }
}

VQAS_DISPATCHED void interleave_windowed(const float* a, const float* b, const float* window, int size, Complex* out) {
  auto* __restrict to = reinterpret_cast<float*>(out);
  for (int n = 0; n < size; ++n) {
    to[2 * n] = window[n] * a[n];
    to[2 * n + 1] = window[n] * b[n];
  }
}

VQAS_DISPATCHED void add_conjugate_product(const Complex* a, const Complex* b, int size, Complex* out) {
  const auto* as = reinterpret_cast<const float*>(a);
  const auto* bs = reinterpret_cast<const float*>(b);
  auto* __restrict to = reinterpret_cast<float*>(out);
  for (int k = 0; k < size; ++k) {
    to[2 * k] += as[2 * k] * bs[2 * k] + as[2 * k + 1] * bs[2 * k + 1];
    to[2 * k + 1] += as[2 * k] * bs[2 * k + 1] - as[2 * k + 1] * bs[2 * k];
  }
}

VQAS_DISPATCHED void correlate_two(const Complex* a, const Complex* b, int size, Complex* out) {
  const auto* as = reinterpret_cast<const float*>(a);
  const auto* bs = reinterpret_cast<const float*>(b);
  auto* __restrict to = reinterpret_cast<float*>(out);
  // Bin k and bin size-k of `a` hold X1 and X2, those of `b` Y1 and Y2. C1 = conj(X1)·Y1 and C2 = conj(X2)·Y2; the
  // result is C1 + i·C2, at the mirrored bin conj(C1) + i·conj(C2).
  for (int k = 1; k < size / 2; ++k) {
    const int m = size - k;
    const float ar = as[2 * k], ai = as[2 * k + 1], cr = as[2 * m], ci = as[2 * m + 1];
    const float br = bs[2 * k], bi = bs[2 * k + 1], dr = bs[2 * m], di = bs[2 * m + 1];
    const float x1r = ar + cr, x1i = ai - ci, x2r = ai + ci, x2i = cr - ar;
    const float y1r = br + dr, y1i = bi - di, y2r = bi + di, y2i = dr - br;
    const float c1r = x1r * y1r + x1i * y1i, c1i = x1r * y1i - x1i * y1r;
    const float c2r = x2r * y2r + x2i * y2i, c2i = x2r * y2i - x2i * y2r;
    to[2 * k] = c1r - c2i;
    to[2 * k + 1] = c1i + c2r;
    to[2 * m] = c1r + c2i;
    to[2 * m + 1] = c2r - c1i;
  }
  for (const int k : {0, size / 2}) {
    to[2 * k] = 4 * as[2 * k] * bs[2 * k];
    to[2 * k + 1] = 4 * as[2 * k + 1] * bs[2 * k + 1];
  }
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
  constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::max();
  std::int32_t first = kNowhere;
  for (std::size_t n = 0; n < count; ++n) {
    const std::int32_t here = at[n] == top ? static_cast<std::int32_t>(n) : kNowhere;
    first = here < first ? here : first;
  }
  return first == kNowhere ? 0 : static_cast<std::size_t>(first);
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
