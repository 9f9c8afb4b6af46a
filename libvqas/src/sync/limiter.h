#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace vqas::sync {

/// Clips each block of 16 ms at a multiple of the median magnitude around it. Bit errors in G.711 make single samples
/// up to a hundred times too large, which would dominate a matched filter. Values that are not finite become 0. Blocks
/// lie on a fixed grid from the start of the stream. For one thread; allocates only in `out`.
class Limiter {
 public:
  static constexpr std::size_t kBlock = 128;
  /// The most samples held back.
  static constexpr std::size_t kDelay = 2 * kBlock;

  /// Takes samples and appends the finished ones to `out`.
  void push(std::span<const float> samples, std::vector<float>& out);

 private:
  void finish_block(std::vector<float>& out);

  std::array<float, kBlock> current_{}, previous_{};
  std::size_t filled_ = 0;
  bool has_previous_ = false;
  float before_ = 0, previous_median_ = 0;
};

}  // namespace vqas::sync
