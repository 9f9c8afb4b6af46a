#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace vqas::sync {

/// Clips each block of 16 ms at a multiple of the median magnitude around it: bit errors in G.711 make single samples
/// up to a hundred times too large, and a matched filter would hear nothing else. Values that are not finite become 0.
/// Blocks lie on a fixed grid from the start of the stream. For one thread; allocates only in `out`.
class Limiter {
 public:
  static constexpr std::size_t kBlock = 128;
  /// Samples that it holds back, at most.
  static constexpr std::size_t kDelay = 2 * kBlock;

  /// Takes samples and appends to `out` those that are done.
  void push(std::span<const float> samples, std::vector<float>& out);

 private:
  void finish_block(std::vector<float>& out);

  std::array<float, kBlock> current_{}, previous_{};
  std::size_t filled_ = 0;
  bool has_previous_ = false;
  float before_ = 0, previous_median_ = 0;
};

}  // namespace vqas::sync
