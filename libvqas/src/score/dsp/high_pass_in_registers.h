#pragma once

#include <cstddef>
#include <span>

#include "score/dsp/kernels.h"
#include "score/dsp/transpose.h"

namespace vqas::scoring {
// Apart in every file, so that each copy is compiled as its caller is.
namespace {

/// high_pass(), with as many pieces in a register as `Floats` has lanes; `Doubles` has as many.
template <typename Floats, typename Doubles>
__attribute__((always_inline)) inline void high_pass_in_registers(std::span<const float> from, const HighPass& filter,
                                                                  std::size_t settles, std::span<float> to) {
  constexpr std::size_t kPieces = kLanes;
  constexpr std::size_t kWidth = kWidthOf<Floats>;
  constexpr std::size_t kParts = kPieces / kWidth;
  const HighPass by = filter;
  const float* x = from.data();
  float* y = to.data();
  const std::size_t settled = (settles + kLanes - 1) / kLanes * kLanes;
  const std::size_t length = from.size() > settled ? (from.size() - settled) / kPieces / kLanes * kLanes : 0;
  Doubles first[kParts] = {};
  Doubles second[kParts] = {};
  Floats rows[kParts][kWidth];
  for (std::size_t n = 0; length > 0 && n < settled + length; n += kWidth) {
    for (std::size_t part = 0; part < kParts; ++part) {
      for (std::size_t k = 0; k < kWidth; ++k) load(x + (part * kWidth + k) * length + n, rows[part][k]);
      transpose(rows[part]);
    }
    // What waits for the output before is kept short, one product and two sums; meanwhile the other parts go on.
    for (std::size_t k = 0; k < kWidth; ++k) {
      for (std::size_t part = 0; part < kParts; ++part) {
        const Doubles in = by.norm * __builtin_convertvector(rows[part][k], Doubles);
        const Doubles out = in + first[part];
        first[part] = (second[part] - 2 * in) - by.a1 * out;
        second[part] = in - by.a2 * out;
        rows[part][k] = __builtin_convertvector(out, Floats);
      }
    }
    // The first piece alone needs no time to settle.
    transpose(rows[0]);
    store(rows[0][0], y + n);
    if (n < settled) continue;
    for (std::size_t part = 0; part < kParts; ++part) {
      if (part > 0) transpose(rows[part]);
      for (std::size_t k = 0; k < kWidth; ++k) store(rows[part][k], y + (part * kWidth + k) * length + n);
    }
  }
  // What is left behind the last piece, or all of a short recording.
  double last_first = first[kParts - 1][kWidth - 1];
  double last_second = second[kParts - 1][kWidth - 1];
  for (std::size_t n = length > 0 ? kPieces * length + settled : 0; n < from.size(); ++n) {
    const double in = by.norm * x[n];
    const double out = in + last_first;
    last_first = (last_second - 2 * in) - by.a1 * out;
    last_second = in - by.a2 * out;
    y[n] = static_cast<float>(out);
  }
}

}  // namespace
}  // namespace vqas::scoring
