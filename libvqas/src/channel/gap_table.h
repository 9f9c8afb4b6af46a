#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "vqas/channel/geometric_gaps.h"

namespace vqas {

/// The gaps of many draws of a GeometricGaps without a logarithm for each. The upper 12 bits of a draw choose one of
/// 4096 cells; where all draws of a cell give one gap, the table holds it. For the other cells the GeometricGaps is
/// used, so the gaps are identical. Building the table takes 8192 logarithms, which pays for many errors of a ratio of
/// kLowestBer or more. 4 KiB; real-time safe; for one thread.
class GapTable {
 public:
  /// At this ratio one draw in six takes a logarithm, at 0.1 one in sixty. At a third of this ratio too many do.
  static constexpr double kLowestBer = 1e-2;

  /// `gaps` must have a ratio above 0, and keep it.
  explicit GapTable(const GeometricGaps& gaps) {
    // A cell that ends nearer to a step than this is computed: the last bits of a logarithm may decide there.
    constexpr double kMargin = 1e-9;
    for (std::size_t cell = 0; cell < gaps_.size(); ++cell) {
      const std::uint64_t first = std::uint64_t{cell} << kShift;
      const double longest = gaps.unrounded_gap(first) + kMargin;
      const double shortest = gaps.unrounded_gap(first + kCellWidth - 1) - kMargin;
      const bool is_one = std::floor(longest) == std::floor(shortest) && longest < kAsk;
      gaps_[cell] = is_one ? static_cast<std::uint8_t>(longest) : kAsk;
    }
  }

  /// The same as gaps.next().
  std::uint64_t next(GeometricGaps& gaps) const {
    const std::uint64_t drawn = gaps.draw();
    const std::uint8_t gap = gaps_[drawn >> kShift];
    return gap != kAsk ? gap : gaps.gap_of(drawn);
  }

 private:
  static constexpr unsigned kShift = 52;
  static constexpr std::uint64_t kCellWidth = std::uint64_t{1} << kShift;
  static constexpr std::uint8_t kAsk = 255;

  std::array<std::uint8_t, std::size_t{1} << (64 - kShift)> gaps_{};
};

}  // namespace vqas
