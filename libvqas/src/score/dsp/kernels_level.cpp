// The inner loop of the active speech level.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels.h"

namespace vqas::scoring {
namespace {

using Doubles = double __attribute__((vector_size(64)));
using Words = std::int64_t __attribute__((vector_size(64)));
using Halves = std::int32_t __attribute__((vector_size(32)));
using Floats = float __attribute__((vector_size(32)));
constexpr std::size_t kAtOnce = sizeof(Doubles) / sizeof(double);
static_assert(kLanes % kAtOnce == 0);

}  // namespace

// Each value waits for the one before it. Eight at a time wait once: what each input adds to all that follow is summed
// beside.
VQAS_DISPATCHED void smooth_twice(std::span<const float> values, double smoothing, double scale,
                                  std::span<std::int32_t> exponents) {
  Doubles of_first, of_second, input[kAtOnce];
  double input_to_first[kAtOnce];
  double power = 1;  // smoothing^n
  const double passed = 1 - smoothing;
  for (std::size_t n = 0; n < kAtOnce; ++n) {
    // What n steps leave of an input: (1-s)·s^n in the first, (n+1)·(1-s)²·s^n in the second.
    const double share = passed * power * scale;
    input_to_first[kAtOnce - 1 - n] = share;
    for (std::size_t k = n; k < kAtOnce; ++k) input[k - n][k] = share * passed * static_cast<double>(n + 1);
    for (std::size_t k = 0; k < n; ++k) input[kAtOnce - n + k][k] = 0;
    power *= smoothing;
    of_second[n] = power;
    of_first[n] = passed * power * static_cast<double>(n + 1);
  }
  double first = 0;
  double second = 0;
  for (std::size_t n = 0; n < values.size(); n += kAtOnce) {
    Floats some;
    std::memcpy(&some, values.data() + n, sizeof some);
    const Doubles in = __builtin_convertvector(some, Doubles);
    Doubles added = input[0] * in[0];
    double added_first = input_to_first[0] * in[0];
    for (std::size_t k = 1; k < kAtOnce; ++k) {
      added += input[k] * in[k];
      added_first += input_to_first[k] * in[k];
    }
    const Doubles now = of_second * second + (of_first * first + added);
    first = of_second[kAtOnce - 1] * first + added_first;
    second = now[kAtOnce - 1];
    Words bits;
    std::memcpy(&bits, &now, sizeof bits);
    const Halves here = __builtin_convertvector((bits >> 52) - 1023, Halves);
    std::memcpy(exponents.data() + n, &here, sizeof here);
  }
}

VQAS_DISPATCHED double sum_of(std::span<const float> values) {
  Doubles sum[2] = {};
  std::size_t n = 0;
  for (; n + 2 * kAtOnce <= values.size(); n += 2 * kAtOnce) {
    for (std::size_t k = 0; k < 2; ++k) {
      Floats some;
      std::memcpy(&some, values.data() + n + k * kAtOnce, sizeof some);
      sum[k] += __builtin_convertvector(some, Doubles);
    }
  }
  double total = 0;
  for (; n < values.size(); ++n) total += values[n];
  for (std::size_t k = 0; k < kAtOnce; ++k) total += sum[0][k] + sum[1][k];
  return total;
}

}  // namespace vqas::scoring
