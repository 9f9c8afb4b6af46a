#pragma once

#include <cstring>
#include <utility>

#include "score/dsp/kernels.h"

namespace vqas::scoring {
// Apart in every file, so that each copy is compiled as its caller is.
namespace {

static_assert(kLanes == 16);
using Sixteen = float __attribute__((vector_size(64)));

__attribute__((always_inline)) inline void load(const float* from, Sixteen& to) {
  std::memcpy(&to, from, sizeof to);
}

__attribute__((always_inline)) inline void store(const Sixteen& from, float* to) {
  std::memcpy(to, &from, sizeof from);
}

// One of the four rounds of J. Eklundh's transposition (IEEE Trans. Computers C-21, 1972): rows that are kApart from
// each other exchange their lanes.
template <int kApart, int... kLane>
__attribute__((always_inline)) inline void exchange_rows(Sixteen (&rows)[16], std::integer_sequence<int, kLane...>) {
  for (int n = 0; n < 16; n += 2 * kApart) {
    for (int k = n; k < n + kApart; ++k) {
      Sixteen& a = rows[k];
      Sixteen& b = rows[k + kApart];
      const Sixteen low = __builtin_shufflevector(a, b, ((kLane & kApart) != 0 ? 16 + kLane - kApart : kLane)...);
      b = __builtin_shufflevector(a, b, ((kLane & kApart) != 0 ? 16 + kLane : kLane + kApart)...);
      a = low;
    }
  }
}

__attribute__((always_inline)) inline void transpose(Sixteen (&rows)[16]) {
  constexpr auto kAll = std::make_integer_sequence<int, 16>();
  exchange_rows<8>(rows, kAll);
  exchange_rows<4>(rows, kAll);
  exchange_rows<2>(rows, kAll);
  exchange_rows<1>(rows, kAll);
}

}  // namespace
}  // namespace vqas::scoring
