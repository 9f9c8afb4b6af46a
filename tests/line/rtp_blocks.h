#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "vqas/channel/g711.h"
#include "vqas/line/line.h"

namespace vqas::test {

using Block = std::array<float, kLineBlock>;

inline Block tone(int block) {
  Block samples;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(static_cast<std::size_t>(block) * kLineBlock + i) / 8000;
    samples[i] = static_cast<float>(0.3 * std::sin(2 * std::numbers::pi * 440 * t));
  }
  return samples;
}

inline Block through_codec(const Block& block) {
  std::array<std::uint8_t, kLineBlock> octets;
  Block decoded;
  g711_encode(block, octets, G711Law::mu);
  g711_decode(octets, decoded, G711Law::mu);
  return decoded;
}

inline double difference(const Block& a, const Block& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(static_cast<double>(a[i]) - b[i]));
  return most;
}

}  // namespace vqas::test
