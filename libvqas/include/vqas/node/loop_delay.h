#pragma once

#include <cstddef>

#include "vqas/line/line.h"

namespace vqas {

/// What came back of marks that a line sent to itself.
struct LoopDelay {
  std::size_t sent = 0, heard = 0;  ///< marks
  double median_ms = 0;
  double spread_ms = 0;       ///< largest less smallest
  double return_loss_db = 0;  ///< median; 0: it comes back as loud as it was sent
};

/// Sends `marks` marks, two and a half seconds apart, over a line whose output leads to its own input, and tells how
/// long they take. Blocks as long as that takes. Fails as Line::exchange() does.
Result<LoopDelay> measure_loop_delay(Line& line, std::size_t marks);

}  // namespace vqas
