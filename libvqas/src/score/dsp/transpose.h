#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "score/dsp/kernels.h"

namespace vqas::scoring {
// Apart in every file, so that each copy is compiled as its caller is.
namespace {

// Of a width that the processor has: of wider ones the compiler compares and moves one value after the other.
static_assert(kLanes == 16);
using Four = float __attribute__((vector_size(16)));
using Eight = float __attribute__((vector_size(32)));
using Sixteen = float __attribute__((vector_size(64)));

template <typename Register>
constexpr int kWidthOf = sizeof(Register) / sizeof(float);

template <typename Register>
__attribute__((always_inline)) inline void load(const float* from, Register& to) {
  std::memcpy(&to, from, sizeof to);
}

template <typename Register>
__attribute__((always_inline)) inline void store(const Register& from, float* to) {
  std::memcpy(to, &from, sizeof from);
}

// One of the rounds of J. Eklundh's transposition (IEEE Trans. Computers C-21, 1972): rows that are kApart from each
// other exchange their lanes.
template <int kApart, typename Register, int... kLane>
__attribute__((always_inline)) inline void exchange_rows(Register* rows, std::integer_sequence<int, kLane...>) {
  constexpr int kWidth = kWidthOf<Register>;
  for (int n = 0; n < kWidth; n += 2 * kApart) {
    for (int k = n; k < n + kApart; ++k) {
      Register& a = rows[k];
      Register& b = rows[k + kApart];
      const Register low = __builtin_shufflevector(a, b, ((kLane & kApart) != 0 ? kWidth + kLane - kApart : kLane)...);
      b = __builtin_shufflevector(a, b, ((kLane & kApart) != 0 ? kWidth + kLane : kLane + kApart)...);
      a = low;
    }
  }
}

/// As many rows as a register has lanes.
template <typename Register, int kApart = kWidthOf<Register> / 2>
__attribute__((always_inline)) inline void transpose(Register* rows) {
  exchange_rows<kApart>(rows, std::make_integer_sequence<int, kWidthOf<Register>>());
  if constexpr (kApart > 1) transpose<Register, kApart / 2>(rows);
}

}  // namespace
}  // namespace vqas::scoring
