#pragma once

#include "node/round_player.h"
#include "vqas/node/node.h"
#include "vqas/sync/transmission.h"

namespace vqas {

/// Silence before each transmission. The simulated line takes 0.1 s of silence for the end of a transmission; real
/// lines' gates and echo suppressors want a pause of this order too.
inline constexpr double kGap_s = 0.2;

/// What goes on the line for one stimulus: gap, marks and speech, and whatever the test aids make of them.
PlayItem compose_outgoing(const Signal& stimulus, const MarkData& data, const TransmissionOptions& transmission,
                          const NodeOptions& node);

}  // namespace vqas
