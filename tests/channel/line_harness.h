#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vqas/channel/line_direction.h"
#include "vqas/signal/signal.h"

namespace vqas::test {

/// Only codec and bit errors, at the shortest delay.
inline LineConditions plain_line() {
  LineConditions conditions;
  conditions.band_limit = false;
  conditions.circuit_noise_dbm0p = -HUGE_VAL;
  conditions.gain_ripple_db = 0;
  conditions.fresh_phase = false;
  conditions.delay_s = shortest_delay_s(conditions);
  return conditions;
}

inline std::size_t delay_in_samples(const LineConditions& conditions) {
  return static_cast<std::size_t>(std::llround(conditions.delay_s * kLineRateHz));
}

/// The whole output when `sent` is pushed block by block, pulling everything available after each.
inline std::vector<float> carry(LineDirection& line, std::span<const float> sent, std::size_t block = 160) {
  std::vector<float> heard;
  while (!sent.empty()) {
    const auto piece = sent.first(std::min(block, sent.size()));
    sent = sent.subspan(piece.size());
    line.push(piece);
    const std::size_t start = heard.size();
    heard.resize(start + line.available());
    line.pull(std::span(heard).subspan(start));
  }
  return heard;
}

inline std::vector<float> carry(const LineConditions& conditions, std::span<const float> sent, std::uint64_t seed = 1) {
  LineDirection line(conditions, seed, 0);
  return carry(line, sent);
}

}  // namespace vqas::test
