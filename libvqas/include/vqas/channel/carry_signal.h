#pragma once

#include <cstdint>
#include <optional>

#include "vqas/channel/error_pattern.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/packet_path.h"
#include "vqas/channel/profile.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// The longest delay of carry_signal(), in seconds.
inline constexpr double kLongestSignalDelayS = 9;

/// A recording after transmission over a line.
struct CarriedSignal {
  Signal heard;  ///< 8 kHz by the receiver's clock
  /// Length of the coded stream: eight bits for each sample sent (by the receiver's clock) and, with the band limit,
  /// eight for each of the 64 samples that its filter takes to start.
  std::uint64_t bits = 0;
  std::uint64_t bit_errors = 0;
  ErrorCounters counters;
  ErrorPattern pattern;  ///< when requested
  std::uint64_t releases = 0, slips = 0, interrupted_octets = 0;
  std::optional<PacketCounters> packets;
};

struct CarryOptions {
  bool keep_delay = false;      ///< otherwise the line's delay is removed: the result is aligned with `sent`
  bool record_pattern = false;  ///< takes 8 octets of memory for each error
};

/// Sends a whole recording through a line of this profile. Depends only on the arguments. Fails with bad_input when
/// `sent` is not at 8 kHz or is empty, and like validate(). Not for a real-time thread.
Result<CarriedSignal> carry_signal(const Signal& sent, const Profile& profile, std::uint64_t seed,
                                   std::uint64_t stream = 0, const CarryOptions& options = {});

/// Sends a whole recording through one direction of a line. `conditions.delay_s` excludes the path's own latency, which
/// is removed: 0..9. At 0 the result is aligned with `sent` and, with equal clocks, as long; a delay puts idle line in
/// front. Depends only on the arguments. Fails with bad_input when `sent` is not at 8 kHz or is empty, and like
/// validate(). Not for a real-time thread.
Result<CarriedSignal> carry_signal(const Signal& sent, LineConditions conditions, std::uint64_t seed,
                                   std::uint64_t stream = 0);

}  // namespace vqas
