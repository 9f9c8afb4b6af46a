#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/error_process.h"
#include "vqas/channel/varying_errors.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Bit errors of the payload. At most one of the processes beside `ber` is there; with one, `ber` is 0.
struct PayloadErrors {
  double ber = 0;  ///< random errors: 0 or 1e-12..0.5
  std::optional<GilbertElliott> gilbert_elliott;
  std::vector<ErrorStretch> stretches;  ///< of payload bits, one after the other: bursts, ramps
  bool loop = true;                     ///< of the stretches
  BitMask mask = kAllBits;              ///< which bits of each octet; not 0
};

/// What happens to whole packets.
struct PacketConditions {
  double loss = 0;         ///< share of packets that are lost, 0..1
  double loss_run = 0;     ///< mean number of packets lost in a row, 1..1000, by Gilbert's model; 0: independent
  double delay_ms = 0;     ///< of every packet, 0..10000
  double jitter_ms = 0;    ///< further delay, uniform over 0..jitter_ms, 0..1000; the order is kept
  double reorder = 0;      ///< share of packets that are held back while others pass, 0..1
  double reorder_ms = 50;  ///< for so long, 0..1000
  double duplicate = 0;    ///< share of packets that arrive twice, 0..1
};

/// Everything the relay does to one direction of a call.
struct RelayConditions {
  PayloadErrors errors;
  PacketConditions packets;
};

/// Fails with bad_input and the name of the member that is out of its range.
Status validate(const RelayConditions& conditions);

/// The process that `errors` tells of. Same seed and stream, same errors.
std::unique_ptr<ErrorProcess> make_error_process(const PayloadErrors& errors, std::uint64_t seed, std::uint64_t stream);

}  // namespace vqas
