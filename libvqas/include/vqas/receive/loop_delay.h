#pragma once

#include <cstddef>

#include "vqas/line/line.h"

namespace vqas {

/// The echoes of marks that a line sent to itself.
struct LoopDelay {
  std::size_t sent = 0;       ///< marks
  std::size_t heard = 0;      ///< of these, the number used for the figures
  std::size_t disturbed = 0;  ///< came back during a reported device gap, or with another level or form than the others
  double median_ms = 0;
  double spread_ms = 0;       ///< largest less smallest
  double return_loss_db = 0;  ///< median; 0: as loud as it was sent

  /// Whether the marks agree on one delay, at least three were usable, and more than half of those sent.
  bool steady() const;
};

/// The most by which the delays of single marks may differ, in ms: some samples at a device's rate.
inline constexpr double kMostLoopSpread_ms = 0.2;

/// One mark alone always agrees with itself.
inline constexpr std::size_t kLeastLoopMarks = 3;

/// Lets the line settle, sends `marks` marks over it, about two seconds apart, its output connected to its own input,
/// and returns their delay. Blocks for as long as that takes. Fails as Line::exchange() does.
Result<LoopDelay> measure_loop_delay(Line& line, std::size_t marks);

}  // namespace vqas
