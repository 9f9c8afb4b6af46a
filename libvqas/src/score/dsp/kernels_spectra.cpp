// The inner loops over spectra.
#include <algorithm>
#include <cstring>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels.h"

namespace vqas::scoring {
namespace {

using Eight = float __attribute__((vector_size(32)));

__attribute__((always_inline)) inline void load(const float* from, Eight& eight) {
  std::memcpy(&eight, from, sizeof eight);
}

__attribute__((always_inline)) inline void store(const Eight& eight, float* to) {
  std::memcpy(to, &eight, sizeof eight);
}

__attribute__((always_inline)) inline void add_eight(const Eight& values, float* to) {
  Eight sum;
  load(to, sum);
  sum += values;
  std::memcpy(to, &sum, sizeof sum);
}

// Eight bins of both from as many complex values and those at the mirrored bins, which are in two registers each.
__attribute__((always_inline)) inline void split_eight(const Eight& low, const Eight& high, const Eight& last,
                                                       const Eight& before_last, int at, const SplitSpectrum& a,
                                                       const SplitSpectrum& b) {
  const Eight re = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
  const Eight im = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
  const Eight mirrored_re = __builtin_shufflevector(last, before_last, 6, 4, 2, 0, 14, 12, 10, 8);
  const Eight mirrored_im = __builtin_shufflevector(last, before_last, 7, 5, 3, 1, 15, 13, 11, 9);
  store(re + mirrored_re, a.re + at);
  store(im - mirrored_im, a.im + at);
  store(im + mirrored_im, b.re + at);
  store(mirrored_re - re, b.im + at);
}

}  // namespace

VQAS_DISPATCHED void split_spectrum(const Complex* both, int size, int first, int count, const SplitSpectrum& a,
                                    const SplitSpectrum& b) {
  constexpr int kWidth = 8;
  const auto* z = reinterpret_cast<const float*>(both);
  const auto split = [&](int k) __attribute__((always_inline)) {
    Eight low, high, last, before_last;
    load(z + 2 * (first + k), low);
    load(z + 2 * (first + k) + kWidth, high);
    load(z + 2 * (size - first - k) + 2 - kWidth, last);
    load(z + 2 * (size - first - k) + 2 - 2 * kWidth, before_last);
    split_eight(low, high, last, before_last, k, a, b);
  };
  int k = 0;
  for (; k + kWidth <= count; k += kWidth) split(k);
  // The last ones together with some of those before them.
  if (k < count && k > 0) {
    split(count - kWidth);
    return;
  }
  for (; k < count; ++k) {
    const Complex one = both[first + k];
    const Complex mirrored = both[size - first - k];
    a.re[k] = one.real() + mirrored.real();
    a.im[k] = one.imag() - mirrored.imag();
    b.re[k] = one.imag() + mirrored.imag();
    b.im[k] = mirrored.real() - one.real();
  }
}

VQAS_DISPATCHED void split_windowed(const Complex* both, int size, const SplitSpectrum& a, const SplitSpectrum& b) {
  constexpr int kWidth = 8;
  const auto* z = reinterpret_cast<const float*>(both);
  // The window's own spectrum has three lines.
  const auto load_windowed = [&](int at, Eight& to) __attribute__((always_inline)) {
    Eight before, after;
    load(z + at - 2, before);
    load(z + at, to);
    load(z + at + 2, after);
    to = 0.5F * to - 0.25F * (before + after);
  };
  const auto split = [&](int bin) __attribute__((always_inline)) {
    Eight low, high, last, before_last;
    load_windowed(2 * bin, low);
    load_windowed(2 * bin + kWidth, high);
    load_windowed(2 * (size - bin) + 2 - kWidth, last);
    load_windowed(2 * (size - bin) + 2 - 2 * kWidth, before_last);
    split_eight(low, high, last, before_last, bin - 1, a, b);
  };
  const int end = size / 2;
  int bin = 1;
  for (; bin + kWidth <= end; bin += kWidth) split(bin);
  // The last ones together with some of those before them.
  if (bin < end) split(end - kWidth);
}

VQAS_DISPATCHED void add_cross_spectrum(const SplitSpectrum& from, const SplitSpectrum& to, std::size_t count,
                                        const CrossWeights& weights, const CrossSums& sums) {
  // By hand: eight rows that might overlap are too many for the compiler to tell apart.
  const CrossWeights w = weights;
  const CrossSums rows = sums;
  for (std::size_t n = 0; n < count; n += 8) {
    Eight xr;
    Eight xi;
    Eight yr;
    Eight yi;
    load(from.re + n, xr);
    load(from.im + n, xi);
    load(to.re + n, yr);
    load(to.im + n, yi);
    add_eight(w.from_power * (xr * xr + xi * xi), rows.from_power + n);
    add_eight(w.to_power * (yr * yr + yi * yi), rows.to_power + n);
    add_eight(w.cross * (xr * yr + xi * yi), rows.re + n);
    add_eight(w.cross * (xr * yi - xi * yr), rows.im + n);
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

}  // namespace vqas::scoring
