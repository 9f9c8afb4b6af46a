// The inner loops of the diagnosis, which goes step by step.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "score/dsp/dispatch.h"
#include "score/dsp/high_pass_in_registers.h"
#include "score/dsp/kernels.h"
#include "score/dsp/kernels_wide.h"
#include "score/dsp/transpose.h"

namespace vqas::scoring {
namespace {

__attribute__((always_inline)) inline float sum_of(const Eight& eight) {
  float lanes[8];
  std::memcpy(lanes, &eight, sizeof lanes);
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Sums across the lanes of eight registers: each of these steps halves the number of registers.
__attribute__((always_inline)) inline void across_two(const Eight& a, const Eight& b, Eight& to) {
  to = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
       __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}

__attribute__((always_inline)) inline void across_four(const Eight& a, const Eight& b, Eight& to) {
  to = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
       __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}

__attribute__((always_inline)) inline void across(const Eight& a, const Eight& b, Eight& to) {
  to = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
       __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

}  // namespace

VQAS_DISPATCHED
LargestOf step_error(const float* received, const float* expected, float gain, int length, float* error) {
  // Not wider: where there are no such registers, the compiler would compare one value after the other.
  Four errors{};
  Four sizes{};
  for (int n = 0; n < length; n += 4) {
    Four wanted;
    Four rest;
    std::memcpy(&wanted, expected + n, sizeof wanted);
    std::memcpy(&rest, received + n, sizeof rest);
    wanted *= gain;
    rest -= wanted;
    rest = rest < 0.0F ? -rest : rest;
    std::memcpy(error + n, &rest, sizeof rest);
    errors = errors < rest ? rest : errors;
    wanted = wanted < 0.0F ? -wanted : wanted;
    sizes = sizes < wanted ? wanted : sizes;
  }
  const auto largest_of = [](const Four& x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); };
  return {largest_of(errors), largest_of(sizes)};
}

VQAS_DISPATCHED
int count_above(const float* values, float limit, int length) {
  int counts[kLanes] = {};
  for (int n = 0; n < length; n += kLanes) {
    for (int k = 0; k < kLanes; ++k) counts[k] += values[n + k] > limit ? 1 : 0;
  }
  int count = 0;
  for (const int one : counts) count += one;
  return count;
}

VQAS_DISPATCHED
PeakSums peak_sums(const float* received, const float* expected, const float* gain, std::span<const int> steps,
                   int length, float peak) {
  Eight tops{};
  Eight tops_received{};
  Eight received_powers{};
  Eight middles{};
  Eight middles_received{};
  const Eight nothing{};
  for (const int step : steps) {
    for (int n = step * length; n < (step + 1) * length; n += 8) {
      Eight z;
      Eight y;
      load(expected + n, z);
      load(received + n, y);
      z *= gain[step];
      const Eight size = z < 0.0F ? -z : z;
      const Eight zz = z * z;
      const Eight zy = z * y;
      tops += size > kTopOfPeak * peak ? zz : nothing;
      tops_received += size > kTopOfPeak * peak ? zy : nothing;
      received_powers += size > kTopOfPeak * peak ? y * y : nothing;
      const auto is_middle = (size > 0.1F * peak) & (size < 0.25F * peak);
      middles += is_middle ? zz : nothing;
      middles_received += is_middle ? zy : nothing;
    }
  }
  return {sum_of(tops), sum_of(tops_received), sum_of(received_powers), sum_of(middles), sum_of(middles_received)};
}

VQAS_DISPATCHED
void step_products(const float* b, const float* y, int length, StepProducts& sums) {
  for (int k = 0; k < kLanes; ++k) {
    const float* expected = b + k * length;
    const float* received = y + k * length;
    Eight bb{};
    Eight ab{};
    Eight ac{};
    Eight ya{};
    Eight yb{};
    Eight yc{};
    Eight yy{};
    for (int n = 0; n < length; n += 8) {
      Eight before;
      Eight here;
      Eight behind;
      Eight got;
      load(expected + n - 1, before);
      load(expected + n, here);
      load(expected + n + 1, behind);
      load(received + n, got);
      bb += here * here;
      ab += before * here;
      ac += before * behind;
      ya += got * before;
      yb += got * here;
      yc += got * behind;
      yy += got * got;
    }
    const Eight nothing{};
    across_two(bb, ab, bb);
    across_two(ac, ya, ac);
    across_two(yb, yc, yb);
    across_two(yy, nothing, yy);
    across_four(bb, ac, bb);
    across_four(yb, yy, yb);
    Eight sum;
    across(bb, yb, sum);
    std::memcpy(sums.of[k], &sum, sizeof sum);
  }
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
void narrow_high_pass(std::span<const float> from, const HighPass& filter, std::size_t settles, std::span<float> to) {
  high_pass_in_registers<Four, double __attribute__((vector_size(32)))>(from, filter, settles, to);
}

void high_pass(std::span<const float> from, const HighPass& filter, std::size_t settles, std::span<float> to) {
  if (kHasWideKernels) {
    wide_high_pass(from, filter, settles, to);
  } else {
    narrow_high_pass(from, filter, settles, to);
  }
}

VQAS_DISPATCHED
void median_magnitudes(const float* x, int length, float* medians) {
  // Magnitudes are in the order of their upper 15 bits read as integers. From the highest bit on: the largest number
  // below which no more than half of the values lie is one of them.
  std::int16_t magnitude[kLongestPiece][kLanes];
  Sixteen rows[kLanes];
  for (int first = 0; first < length; first += kLanes) {
    for (int k = 0; k < kLanes; ++k) load(x + k * length + first, rows[k]);
    transpose(rows);
    for (int n = 0; n < kLanes; ++n) {
      std::uint32_t bits[kLanes];
      std::memcpy(bits, &rows[n], sizeof bits);
      for (int k = 0; k < kLanes; ++k) magnitude[first + n][k] = static_cast<std::int16_t>(bits[k] >> 16U & 0x7FFFU);
    }
  }
  const auto half = static_cast<std::int16_t>(length / 2);
  std::int16_t median[kLanes] = {};
  for (int bit = 1 << 14; bit != 0; bit >>= 1) {
    std::int16_t below[kLanes] = {};
    std::int16_t tried[kLanes];
    for (int k = 0; k < kLanes; ++k) tried[k] = static_cast<std::int16_t>(median[k] | bit);
    // A sign says what a comparison would, and needs no register of its own kind.
    for (int n = 0; n < length; ++n) {
      for (int k = 0; k < kLanes; ++k)
        below[k] = static_cast<std::int16_t>(below[k] - (static_cast<std::int16_t>(magnitude[n][k] - tried[k]) >> 15));
    }
    for (int k = 0; k < kLanes; ++k) median[k] = below[k] <= half ? tried[k] : median[k];
  }
  // The middle of the values that share these bits.
  for (int k = 0; k < kLanes; ++k) {
    const auto bits = static_cast<std::uint32_t>(median[k]) << 16U;
    medians[k] = std::bit_cast<float>(bits == 0 ? bits : bits | 0x8000U);
  }
}

VQAS_DISPATCHED
void limit_magnitudes(std::span<const float> from, float most, float* to) {
  const float* at = from.data();
  float* __restrict limited = to;
  const std::size_t count = from.size();
  for (std::size_t n = 0; n < count; ++n) {
    const float high = most < at[n] ? most : at[n];
    limited[n] = high < -most ? -most : high;
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
