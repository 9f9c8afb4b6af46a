// The inner loops of the diagnosis, which goes step by step.
#include <algorithm>
#include <cmath>

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
  sums = {};
  for (int n = 0; n < length; ++n) {
    for (int k = 0; k < kLanes; ++k) {
      const float before = expected[n][k];
      const float here = expected[n + 1][k];
      const float behind = expected[n + 2][k];
      const float got = received[n][k];
      sums.of[StepProducts::aa][k] += before * before;
      sums.of[StepProducts::ab][k] += before * here;
      sums.of[StepProducts::ac][k] += before * behind;
      sums.of[StepProducts::bb][k] += here * here;
      sums.of[StepProducts::bc][k] += here * behind;
      sums.of[StepProducts::cc][k] += behind * behind;
      sums.of[StepProducts::ya][k] += got * before;
      sums.of[StepProducts::yb][k] += got * here;
      sums.of[StepProducts::yc][k] += got * behind;
      sums.of[StepProducts::yy][k] += got * got;
      sums.of[StepProducts::y][k] += got;
    }
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
