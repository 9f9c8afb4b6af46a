#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "score/dsp/kernels.h"

namespace vqas::scoring {
// Apart in every file, so that each copy is compiled as its caller is.
namespace {

/// kRegisters registers of outputs that follow each other, each the sum of the taps of one lane of dot_product().
template <typename Register, std::size_t kRegisters>
struct FilteredLanes {
  Register sum[kRegisters];

  __attribute__((always_inline)) void take(const float* x, std::span<const float> taps, std::size_t lane) {
    for (auto& one : sum) one = Register{};
    for (std::size_t m = lane; m < taps.size(); m += kLanes) {
      for (std::size_t k = 0; k < kRegisters; ++k) {
        Register y;
        std::memcpy(&y, x + m + k * (sizeof(Register) / sizeof(float)), sizeof y);
        sum[k] += y * taps[m];
      }
    }
  }
  __attribute__((always_inline)) void add(const FilteredLanes& other) {
    for (std::size_t k = 0; k < kRegisters; ++k) sum[k] += other.sum[k];
  }
};

/// filter_samples(), the sums added up as dot_product() adds its lanes.
template <typename Register, std::size_t kRegisters>
__attribute__((always_inline)) inline void filter_in_lanes(const float* x, std::span<const float> taps,
                                                           std::span<float> to) {
  using Lanes = FilteredLanes<Register, kRegisters>;
  constexpr std::size_t kAtOnce = kRegisters * sizeof(Register) / sizeof(float);
  static_assert(kAtOnce <= kFilteredAtOnce && kLanes == 16);
  for (std::size_t n = 0; n < to.size(); n += kAtOnce) {
    Lanes fours[2];
    for (std::size_t odd = 0; odd < 2; ++odd) {
      for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t lane = odd + 2 * half;
        Lanes four;
        Lanes eight;
        Lanes one;
        four.take(x + n, taps, lane);
        one.take(x + n, taps, lane + 8);
        four.add(one);
        eight.take(x + n, taps, lane + 4);
        one.take(x + n, taps, lane + 12);
        eight.add(one);
        four.add(eight);
        if (half == 0) {
          fours[odd] = four;
        } else {
          fours[odd].add(four);
        }
      }
    }
    fours[0].add(fours[1]);
    std::memcpy(to.data() + n, fours[0].sum, std::min(kAtOnce, to.size() - n) * sizeof(float));
  }
}

}  // namespace
}  // namespace vqas::scoring
