// The inner loops of the diagnosis, which goes step by step.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels.h"

namespace vqas::scoring {

VQAS_DISPATCHED
LargestOf step_error(const float* received, const float* expected, float gain, int length, float* error) {
  float errors[kLanes] = {};
  float sizes[kLanes] = {};
  for (int n = 0; n < length; n += kLanes) {
    for (int k = 0; k < kLanes; ++k) {
      const float wanted = gain * expected[n + k];
      const float size = std::abs(wanted);
      const float rest = std::abs(received[n + k] - wanted);
      error[n + k] = rest;
      errors[k] = errors[k] < rest ? rest : errors[k];
      sizes[k] = sizes[k] < size ? size : sizes[k];
    }
  }
  return {*std::max_element(errors, errors + kLanes), *std::max_element(sizes, sizes + kLanes)};
}

VQAS_DISPATCHED
void step_products(const float* b, const float* y, int length, StepProducts& sums) {
  // Samples by steps, so that a row holds one sample of every step.
  float expected[kLongestStep + 2][kLanes];
  float received[kLongestStep][kLanes];
  for (int k = 0; k < kLanes; ++k) {
    for (int n = 0; n < length + 2; ++n) expected[n][k] = b[k * length + n - 1];
    for (int n = 0; n < length; ++n) received[n][k] = y[k * length + n];
  }
  // Apart from `sums`, so that they stay in registers.
  StepProducts products{};
  for (int n = 0; n < length; ++n) {
    for (int k = 0; k < kLanes; ++k) {
      const float before = expected[n][k];
      const float here = expected[n + 1][k];
      const float behind = expected[n + 2][k];
      const float got = received[n][k];
      products.of[StepProducts::aa][k] += before * before;
      products.of[StepProducts::ab][k] += before * here;
      products.of[StepProducts::ac][k] += before * behind;
      products.of[StepProducts::bb][k] += here * here;
      products.of[StepProducts::bc][k] += here * behind;
      products.of[StepProducts::cc][k] += behind * behind;
      products.of[StepProducts::ya][k] += got * before;
      products.of[StepProducts::yb][k] += got * here;
      products.of[StepProducts::yc][k] += got * behind;
      products.of[StepProducts::yy][k] += got * got;
    }
  }
  sums = products;
}

VQAS_DISPATCHED
void step_sums(const float* x, int length, double* sums) {
  double of[kLanes] = {};
  for (int n = 0; n < length; ++n) {
    for (int k = 0; k < kLanes; ++k) of[k] += x[k * length + n];
  }
  std::copy(of, of + kLanes, sums);
}

VQAS_DISPATCHED
void step_squares(const float* x, int length, float* sums) {
  float of[kLanes] = {};
  for (int n = 0; n < length; ++n) {
    for (int k = 0; k < kLanes; ++k) of[k] += x[k * length + n] * x[k * length + n];
  }
  std::copy(of, of + kLanes, sums);
}

VQAS_DISPATCHED
void median_magnitudes(const float* x, int length, float* medians) {
  // Magnitudes are in the order of their bits read as integers. From the highest bit on: the largest number below which
  // no more than half of the values lie is one of them.
  constexpr std::int32_t kHighestBit = std::int32_t{1} << 30;
  std::int32_t magnitude[kLongestPiece][kLanes];
  for (int k = 0; k < kLanes; ++k) {
    for (int n = 0; n < length; ++n) {
      magnitude[n][k] = std::bit_cast<std::int32_t>(x[k * length + n]) & 0x7FFFFFFF;
    }
  }
  std::int32_t median[kLanes] = {};
  for (std::int32_t bit = kHighestBit; bit != 0; bit >>= 1) {
    std::int32_t below[kLanes] = {};
    std::int32_t tried[kLanes];
    for (int k = 0; k < kLanes; ++k) tried[k] = median[k] | bit;
    for (int n = 0; n < length; ++n) {
      for (int k = 0; k < kLanes; ++k) below[k] += magnitude[n][k] < tried[k] ? 1 : 0;
    }
    for (int k = 0; k < kLanes; ++k) median[k] = below[k] <= length / 2 ? tried[k] : median[k];
  }
  for (int k = 0; k < kLanes; ++k) medians[k] = std::bit_cast<float>(median[k]);
}

VQAS_DISPATCHED
void limit_magnitudes(float most, std::span<float> values) {
  float* at = values.data();
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) {
    const float high = most < at[n] ? most : at[n];
    at[n] = high < -most ? -most : high;
  }
}

VQAS_DISPATCHED
void group_powers(std::span<const float> re, std::span<const float> im, std::span<float> to) {
  const float* a = re.data();
  const float* b = im.data();
  float* __restrict sums = to.data();
  const std::size_t whole = to.size() / kLanes * kLanes;
  float power[kLanes * kGroup];
  for (std::size_t first = 0; first < whole; first += kLanes) {
    for (std::size_t n = 0; n < kLanes * kGroup; ++n) {
      power[n] = a[kGroup * first + n] * a[kGroup * first + n] + b[kGroup * first + n] * b[kGroup * first + n];
    }
    for (std::size_t k = 0; k < kLanes; ++k) {
      float sum = 0;
      for (std::size_t n = 0; n < kGroup; ++n) sum += power[kGroup * k + n];
      sums[first + k] = sum;
    }
  }
  for (std::size_t k = whole; k < to.size(); ++k) {
    float sum = 0;
    for (std::size_t n = kGroup * k; n < kGroup * (k + 1); ++n) sum += a[n] * a[n] + b[n] * b[n];
    sums[k] = sum;
  }
}

VQAS_DISPATCHED
void approach(const float* expected, float gain, float share, int length, float* to) {
  for (int n = 0; n < length; ++n) {
    const float wanted = gain * expected[n];
    to[n] = wanted + share * (to[n] - wanted);
  }
}

}  // namespace vqas::scoring
