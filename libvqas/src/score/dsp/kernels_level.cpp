// The inner loops that need double precision: levels and energies of whole recordings.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

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

/// Places whose values change where the first is larger: Batcher's odd-even merging (AFIPS Spring Joint Computer
/// Conference 32, 1968) sorts 16 values so.
constexpr std::size_t kSorted = 16;
constexpr std::size_t kExchanges = 63;
struct Exchange {
  std::size_t low = 0, high = 0;
};
constexpr std::array<Exchange, kExchanges> exchanges() {
  std::array<Exchange, kExchanges> all{};
  std::size_t count = 0;
  for (std::size_t p = 1; p < kSorted; p *= 2) {
    for (std::size_t k = p; k >= 1; k /= 2) {
      for (std::size_t low = 0; low + k < kSorted; ++low) {
        const bool is_low = low >= k % p && (low - k % p) % (2 * k) < k;
        if (is_low && low / (2 * p) == (low + k) / (2 * p)) all[count++] = {low, low + k};
      }
    }
  }
  return all;
}

// Not wider: where there are no such registers, the compiler would compare one value after the other.
using Quad = double __attribute__((vector_size(32)));

__attribute__((always_inline)) inline void put_in_order(Quad& low, Quad& high) {
  const Quad lower = low < high ? low : high;
  high = low < high ? high : low;
  low = lower;
}

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

VQAS_DISPATCHED ErrorEnergy error_energy(std::span<const float> values, std::span<const float> expected) {
  Doubles error[2] = {};
  Doubles all[2] = {};
  std::size_t n = 0;
  for (; n + 2 * kAtOnce <= values.size(); n += 2 * kAtOnce) {
    for (std::size_t k = 0; k < 2; ++k) {
      Floats some;
      std::memcpy(&some, values.data() + n + k * kAtOnce, sizeof some);
      const Doubles here = __builtin_convertvector(some, Doubles);
      std::memcpy(&some, expected.data() + n + k * kAtOnce, sizeof some);
      const Doubles off = here - __builtin_convertvector(some, Doubles);
      error[k] += off * off;
      all[k] += here * here;
    }
  }
  ErrorEnergy sums;
  for (; n < values.size(); ++n) {
    const double here = values[n];
    const double off = here - expected[n];
    sums.error += off * off;
    sums.all += here * here;
  }
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    sums.error += error[0][k] + error[1][k];
    sums.all += all[0][k] + all[1][k];
  }
  return sums;
}

VQAS_DISPATCHED void relative_to_energy(std::span<const float> values, std::span<const double> before,
                                        std::span<const double> behind, double floor, std::span<float> to) {
  for (std::size_t n = 0; n < to.size(); ++n)
    to[n] = values[n] / static_cast<float>(std::sqrt(behind[n] - before[n] + floor));
}

VQAS_DISPATCHED void running_medians(std::span<const double> values, std::span<double> to) {
  constexpr std::size_t kQuad = sizeof(Quad) / sizeof(double);
  constexpr auto kNetwork = exchanges();
  static_assert(kMedianOf + 1 == kSorted);
  Quad sorted[kSorted];
  const auto medians_at = [&](std::size_t n) __attribute__((always_inline)) {
    for (std::size_t k = 0; k < kMedianOf; ++k) std::memcpy(&sorted[k], values.data() + n + k, sizeof sorted[k]);
    sorted[kMedianOf] = Quad{} + std::numeric_limits<double>::infinity();
    // Written out, so that all values stay in registers.
    [&]<std::size_t... kStep>(std::index_sequence<kStep...>) __attribute__((always_inline)) {
      (put_in_order(sorted[kNetwork[kStep].low], sorted[kNetwork[kStep].high]), ...);
    }
    (std::make_index_sequence<kExchanges>());
    std::memcpy(to.data() + n, &sorted[kMedianOf / 2], sizeof sorted[0]);
  };
  std::size_t n = 0;
  for (; n + kQuad <= to.size(); n += kQuad) medians_at(n);
  if (n == to.size()) return;
  if (n > 0) return medians_at(to.size() - kQuad);  // the last ones together with some of those before them
  std::array<double, kMedianOf> window;
  for (; n < to.size(); ++n) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(n), kMedianOf, window.begin());
    std::nth_element(window.begin(), window.begin() + kMedianOf / 2, window.end());
    to[n] = window[kMedianOf / 2];
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
