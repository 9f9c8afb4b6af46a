#pragma once

#include <algorithm>

#include "node/play/round_player.h"
#include "vqas/node/node.h"
#include "vqas/sync/transmission.h"

namespace vqas {

/// Least silence before each transmission, in s: real lines' gates and echo suppressors want a pause of this order.
inline constexpr double kGap_s = 0.2;
/// By how much the gap is longer than a guard, in s: the simulated line takes what is 50 ms longer than the guard for
/// the end of a transmission (end_silence_for_guard()), and the gap has to be longer than that.
inline constexpr double kGapBeyondGuard_s = 0.1;

/// The silence before each transmission.
inline double gap_for_guard(double guard_s) {
  return std::max(kGap_s, guard_s + kGapBeyondGuard_s);
}

/// What goes on the line for one stimulus: gap, marks and speech, and whatever the test aids make of them.
PlayItem compose_outgoing(const Signal& stimulus, const MarkData& data, const TransmissionOptions& transmission,
                          const NodeOptions& node);

}  // namespace vqas
