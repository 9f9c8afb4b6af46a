#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace vqas {

/// Converts a stream between 8 and 16 kHz by a linear-phase filter of 65 taps (Kaiser window, 60 dB beyond 4.5 kHz,
/// flat up to 3.5 kHz). Each direction delays by kDelay samples at 16 kHz, which is 2 ms; libsoxr would hold back 13 ms
/// or more at this ratio. Does not allocate. For one thread.
class TwiceRate {
 public:
  static constexpr std::size_t kTaps = 65;
  static constexpr std::size_t kDelay = (kTaps - 1) / 2;
  static constexpr std::size_t kMost = 160;  ///< samples at 8 kHz in one call

  /// At most kMost samples at 8 kHz into twice as many.
  void up(std::span<const float> narrow, std::span<float> wide);
  /// At most twice kMost samples at 16 kHz, an even number, into half as many.
  void down(std::span<const float> wide, std::span<float> narrow);

 private:
  // The samples at 16 kHz before the block, and the block.
  using History = std::array<float, kTaps - 1 + 2 * kMost>;
  History up_{}, down_{};
};

}  // namespace vqas
