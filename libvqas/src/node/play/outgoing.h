#pragma once

#include <algorithm>

#include "node/play/round_player.h"
#include "vqas/node/node.h"
#include "vqas/sync/transmission.h"

namespace vqas {

/// Least silence before each transmission, in s: gates and echo suppressors of real lines need a pause of about this
/// length.
inline constexpr double kGap_s = 0.2;
/// How much longer the gap is than the guard interval, in s. The simulated line treats silence 50 ms longer than the
/// guard interval as the end of a transmission (end_silence_for_guard()), and the gap must exceed that.
inline constexpr double kGapBeyondGuard_s = 0.1;

/// The silence before each transmission.
inline double gap_for_guard(double guard_s) {
  return std::max(kGap_s, guard_s + kGapBeyondGuard_s);
}

/// The signal sent for one stimulus: gap, marks and speech, changed by the test aids.
PlayItem compose_outgoing(const Signal& stimulus, const MarkData& data, const TransmissionOptions& transmission,
                          const NodeOptions& node);

}  // namespace vqas
