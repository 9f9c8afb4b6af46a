#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vqas/channel/error_pattern.h"

namespace vqas::test {

/// Where two streams of octets differ, over the length of the shorter one.
inline ErrorPattern compare_octets(const std::vector<std::uint8_t>& sent, const std::vector<std::uint8_t>& received) {
  ErrorPattern pattern;
  const std::size_t octets = std::min(sent.size(), received.size());
  pattern.bits = 8 * std::uint64_t{octets};
  for (std::size_t i = 0; i < octets; ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (((sent[i] ^ received[i]) & (0x80U >> bit)) != 0) pattern.places.push_back(8 * std::uint64_t{i} + bit);
    }
  }
  return pattern;
}

}  // namespace vqas::test
