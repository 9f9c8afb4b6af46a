#include "score/dsp/kernels_wide.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels.h"

#ifdef VQAS_HAS_DISPATCH
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")
// Here, so that its templates are compiled for these registers.
#include "score/dsp/filter_in_lanes.h"
#include "score/dsp/high_pass_in_registers.h"
#include "score/dsp/lanes_in_registers.h"
#include "score/dsp/path_in_registers.h"

namespace vqas::scoring {
namespace {

// The lanes added up to four, in the order of the plain version.
__attribute__((always_inline)) inline void fold_to_four(const Sixteen& lanes, float* to) {
  const auto eight = __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3, 4, 5, 6, 7) +
                     __builtin_shufflevector(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15);
  const Four four =
      __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
  std::memcpy(to, &four, sizeof four);
}

/// kTogether dot products of `a` share what is read of it.
template <std::size_t kTogether>
__attribute__((always_inline)) inline void slide(const float* a, const float* b, int length, float* fours) {
  Sixteen sum[kTogether] = {};
  for (int m = 0; m < length; m += kLanes) {
    Sixteen x;
    load(a + m, x);
    for (std::size_t k = 0; k < kTogether; ++k) {
      Sixteen y;
      load(b + k + m, y);
      sum[k] += x * y;
    }
  }
  for (std::size_t k = 0; k < kTogether; ++k) fold_to_four(sum[k], fours + 4 * k);
}

inline void fold_fours(const float* fours, std::size_t count, float* __restrict to) {
  for (std::size_t n = 0; n < count; ++n) {
    to[n] = (fours[4 * n] + fours[4 * n + 2]) + (fours[4 * n + 1] + fours[4 * n + 3]);
  }
}

}  // namespace

bool has_wide_kernels() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("bmi2") != 0;
}

void wide_sliding_products(const float* a, const float* b, int length, std::span<float> out) {
  constexpr std::size_t kPart = 64;
  float fours[4 * kPart];
  for (std::size_t first = 0; first < out.size(); first += kPart) {
    const std::size_t count = std::min(kPart, out.size() - first);
    std::size_t n = 0;
    for (; n + 8 <= count; n += 8) slide<8>(a, b + first + n, length, fours + 4 * n);
    for (; n + 4 <= count; n += 4) slide<4>(a, b + first + n, length, fours + 4 * n);
    for (; n < count; ++n) slide<1>(a, b + first + n, length, fours + 4 * n);
    fold_fours(fours, count, out.data() + first);
  }
}

void wide_filter_samples(const float* x, std::span<const float> taps, std::span<float> to) {
  filter_in_lanes<Sixteen, 4>(x, taps, to);
}

void wide_products_at(const float* a, std::span<const float* const> at, int length, std::span<float> cross,
                      std::span<float> energy) {
  // A half frame stays in registers while it is multiplied with what lies at each delay.
  constexpr int kHeld = 8;
  constexpr std::size_t kPart = 32;
  float crosses[4 * kPart];
  float energies[4 * kPart];
  Sixteen held[kHeld];
  const bool is_held = length == kHeld * kLanes;
  for (int k = 0; is_held && k < kHeld; ++k) load(a + k * kLanes, held[k]);
  for (std::size_t first = 0; first < at.size(); first += kPart) {
    const std::size_t count = std::min(kPart, at.size() - first);
    for (std::size_t n = 0; n < count; ++n) {
      const float* b = at[first + n];
      Sixteen product = {};
      Sixteen square = {};
      Sixteen y;
      if (is_held) {
        for (int k = 0; k < kHeld; ++k) {
          load(b + k * kLanes, y);
          product += held[k] * y;
          square += y * y;
        }
      } else {
        for (int m = 0; m < length; m += kLanes) {
          Sixteen x;
          load(a + m, x);
          load(b + m, y);
          product += x * y;
          square += y * y;
        }
      }
      fold_to_four(product, crosses + 4 * n);
      fold_to_four(square, energies + 4 * n);
    }
    fold_fours(crosses, count, cross.data() + first);
    fold_fours(energies, count, energy.data() + first);
  }
}

void wide_high_pass(std::span<const float> from, const HighPass& filter, std::size_t settles, std::span<float> to) {
  high_pass_in_registers<Eight, double __attribute__((vector_size(64)))>(from, filter, settles, to);
}

void wide_load_lanes(const LaneFft::Frames& frames, std::span<const float> window, float* re, float* im) {
  load_lanes_in<Eight>(frames, window, re, im);
}

void wide_transform_lanes(float* re, float* im, std::size_t size, const float* twiddles) {
  transform_lanes_in<Sixteen>(re, im, size, twiddles);
}

void wide_sum_lanes(const float* re, const float* im, std::span<const int> place, const LaneSums& of,
                    const LaneResults& results) {
  sum_lanes_in<Sixteen>(re, im, place, of, results);
}

void wide_path_frame(const PathFrame& from, const PathFrame::Losses& losses, std::span<float> best, float* received,
                     float* lost) {
  path_frame_in<Sixteen>(from, losses, best, received, lost);
}

float wide_tell_against_best(std::span<float> received, std::span<float> lost) {
  return tell_against_best_in<Sixteen>(received, lost);
}

}  // namespace vqas::scoring

#pragma GCC pop_options
#else

namespace vqas::scoring {

bool has_wide_kernels() {
  return false;
}

void wide_sliding_products(const float*, const float*, int, std::span<float>) {}

void wide_filter_samples(const float*, std::span<const float>, std::span<float>) {}

void wide_products_at(const float*, std::span<const float* const>, int, std::span<float>, std::span<float>) {}

void wide_high_pass(std::span<const float>, const HighPass&, std::size_t, std::span<float>) {}

void wide_load_lanes(const LaneFft::Frames&, std::span<const float>, float*, float*) {}

void wide_transform_lanes(float*, float*, std::size_t, const float*) {}

void wide_sum_lanes(const float*, const float*, std::span<const int>, const LaneSums&, const LaneResults&) {}

void wide_path_frame(const PathFrame&, const PathFrame::Losses&, std::span<float>, float*, float*) {}

float wide_tell_against_best(std::span<float>, std::span<float>) {
  return 0;
}

}  // namespace vqas::scoring

#endif
