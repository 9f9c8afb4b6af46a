#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "vqas/line/line.h"

namespace vqas {

/// 20 ms of 16-bit samples at 8 kHz, as codecs take and give them; and the most, at 16 kHz.
using Pcm16Block = std::array<std::int16_t, kLineBlock>;
using WidePcm16Block = std::array<std::int16_t, kWideBlock>;

/// Rounded to the nearest, clipped; NaN becomes the lowest value. Re-entrant.
inline std::int16_t as_pcm16(float sample) {
  const float scaled = sample * 32768.0F;
  if (!(scaled > -32768.0F)) return -32768;
  return static_cast<std::int16_t>(std::lround(std::min(scaled, 32767.0F)));
}

/// As many samples as there are.
inline void to_pcm16(std::span<const float> samples, std::span<std::int16_t> linear) {
  std::ranges::transform(samples, linear.begin(), [](float sample) { return as_pcm16(sample); });
}

inline Pcm16Block as_pcm16(std::span<const float> block) {
  Pcm16Block linear{};
  to_pcm16(block.first(kLineBlock), linear);
  return linear;
}

inline void from_pcm16(std::span<const std::int16_t> linear, std::span<float> block) {
  std::ranges::transform(linear, block.begin(), [](std::int16_t sample) { return static_cast<float>(sample) / 32768; });
}

}  // namespace vqas
