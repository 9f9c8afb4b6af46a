// The inner loops of the phase equaliser, which goes through kBlocks blocks at once.
#include <algorithm>
#include <cmath>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels.h"

namespace vqas::scoring {

VQAS_DISPATCHED
void cross_spectrum(const SplitSpectrum& from, const SplitSpectrum& to, std::size_t count, float* re, float* im) {
  const float* a = from.re;
  const float* b = from.im;
  const float* c = to.re;
  const float* d = to.im;
  for (std::size_t n = 0; n < count; ++n) {
    re[kBlocks * n] = a[n] * c[n] + b[n] * d[n];
    im[kBlocks * n] = a[n] * d[n] - b[n] * c[n];
  }
}

VQAS_DISPATCHED
void add_scaled(std::span<const float> values, double factor, std::span<double> sums) {
  const float* from = values.data();
  double* __restrict to = sums.data();
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) to[n] += factor * from[n];
}

VQAS_DISPATCHED
void turn_blocks(const float* re, const float* im, std::size_t bins, const Phasors& begin, const Phasors& step,
                 float* __restrict to_re, float* __restrict to_im) {
  Phasors now = begin;
  const Phasors by = step;
  for (std::size_t n = 0; n < bins; ++n) {
    for (std::size_t k = 0; k < kBlocks; ++k) {
      const auto c = static_cast<float>(now.re[k]);
      const auto s = static_cast<float>(now.im[k]);
      const float x = re[kBlocks * n + k];
      const float y = im[kBlocks * n + k];
      to_re[kBlocks * n + k] = x * c - y * s;
      to_im[kBlocks * n + k] = x * s + y * c;
      const double real = now.re[k] * by.re[k] - now.im[k] * by.im[k];
      now.im[k] = now.re[k] * by.im[k] + now.im[k] * by.re[k];
      now.re[k] = real;
    }
  }
}

VQAS_DISPATCHED
void pool_blocks(const float* re, const float* im, const float* share, std::span<double> pooled_re,
                 std::span<double> pooled_im) {
  double* __restrict sum_re = pooled_re.data();
  double* __restrict sum_im = pooled_im.data();
  const std::size_t bins = pooled_re.size();
  for (std::size_t n = 0; n < bins; ++n) {
    float a[kBlocks];
    float b[kBlocks];
    for (std::size_t k = 0; k < kBlocks; ++k) {
      a[k] = share[k] * re[kBlocks * n + k];
      b[k] = share[k] * im[kBlocks * n + k];
    }
    double x = sum_re[n];
    double y = sum_im[n];
    for (std::size_t k = 0; k < kBlocks; ++k) {
      x += a[k];
      y += b[k];
    }
    sum_re[n] = x;
    sum_im[n] = y;
  }
}

VQAS_DISPATCHED
void slopes_of(const float* re, const float* im, const float* share, const PooledPhase& pooled, PhaseSlopes& slopes) {
  PhaseSlopes sums = slopes;
  const std::size_t bins = pooled.omega.size();
  for (std::size_t n = 0; n < bins; ++n) {
    const float omega = pooled.omega[n];
    const float c = pooled.re[n];
    const float s = pooled.im[n];
    const float own = pooled.own[n];
    for (std::size_t k = 0; k < kBlocks; ++k) {
      const float x = re[kBlocks * n + k];
      const float y = im[kBlocks * n + k];
      const float size = x * x + y * y;
      const float along = x * c - y * s;
      const float across = x * s + y * c;
      // Without the block's own part in the phase, which would say that it lies where it was expected.
      const float rest = along - share[k] * own * size;
      sums.slope[k] -= omega * across;
      sums.curvature[k] += omega * omega * rest;
      sums.most[k] += omega * omega * std::abs(rest);
    }
  }
  slopes = sums;
}

}  // namespace vqas::scoring
