#pragma once

#include <cstring>

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

// The four rounds of J. Eklundh's transposition (IEEE Trans. Computers C-21, 1972).
__attribute__((always_inline)) inline void exchange_eights(Sixteen& a, Sixteen& b) {
  const Sixteen low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  b = __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  a = low;
}
__attribute__((always_inline)) inline void exchange_fours(Sixteen& a, Sixteen& b) {
  const Sixteen low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
  b = __builtin_shufflevector(a, b, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
  a = low;
}
__attribute__((always_inline)) inline void exchange_twos(Sixteen& a, Sixteen& b) {
  const Sixteen low = __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
  b = __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  a = low;
}
__attribute__((always_inline)) inline void exchange_ones(Sixteen& a, Sixteen& b) {
  const Sixteen low = __builtin_shufflevector(a, b, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30);
  b = __builtin_shufflevector(a, b, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
  a = low;
}

template <int kApart, void (*exchange)(Sixteen&, Sixteen&)>
__attribute__((always_inline)) inline void exchange_rows(Sixteen (&rows)[16]) {
  for (int n = 0; n < 16; n += 2 * kApart) {
    for (int k = n; k < n + kApart; ++k) exchange(rows[k], rows[k + kApart]);
  }
}

__attribute__((always_inline)) inline void transpose(Sixteen (&rows)[16]) {
  exchange_rows<8, exchange_eights>(rows);
  exchange_rows<4, exchange_fours>(rows);
  exchange_rows<2, exchange_twos>(rows);
  exchange_rows<1, exchange_ones>(rows);
}

}  // namespace
}  // namespace vqas::scoring
