#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "vqas/line/line.h"

namespace vqas {

/// Converts blocks of a stream between 8 and 16 kHz by a linear-phase filter of 65 taps (Kaiser window, 60 dB beyond
/// 4.5 kHz, flat up to 3.5 kHz). Each direction delays by 2 ms. libsoxr would hold back 13 ms or more at this ratio.
/// For one thread.
class TwiceRate {
 public:
  static constexpr std::size_t kTaps = 65;
  using Wide = std::array<float, 2 * kLineBlock>;  ///< 20 ms at 16 kHz

  Wide up(std::span<const float> block);
  void down(const Wide& wide, std::span<float> block);

 private:
  // The samples at 16 kHz before the block, and the block.
  using History = std::array<float, kTaps - 1 + 2 * kLineBlock>;
  History up_{}, down_{};
};

}  // namespace vqas
