#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "vqas/line/address.h"
#include "vqas/relay/conditions.h"
#include "vqas/relay/counters.h"
#include "vqas/relay/live_control.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Where a direction's error pattern is written.
struct PatternRecording {
  std::filesystem::path file;  ///< its name gives the format: ".bits" or ".g192"
};

/// One side of a call, and the conditions for packets from it.
struct CallSide {
  SocketAddress listen;               ///< RTP port, even; RTCP takes the next one; 0: any free pair
  std::optional<SocketAddress> peer;  ///< where this side's endpoint receives RTP; none: learnt from its first packet
  /// With `peer`: packets may come from another port of the peer's host, and are then answered there, but not from
  /// another host (symmetric RTP, RFC 4961). Otherwise packets that do not come from the peer's port are strangers.
  bool symmetric = true;
  RelayConditions conditions;
  std::optional<PatternRecording> record;
};
struct CallOptions {
  std::array<CallSide, 2> sides;  ///< by End
  std::uint64_t seed = 1;
};

/// Snapshot of a call.
struct RelayedCallState {
  struct Direction {
    SocketAddress listen;                               ///< of the side where the direction starts
    std::optional<SocketAddress> peer;                  ///< likewise
    std::uint64_t stream = 0;                           ///< stream that its errors are drawn from, with the seed
    std::shared_ptr<const RelayConditions> conditions;  ///< shared: a profile may be large
    RelayCounters counters;
  };
  std::uint64_t number = 0;
  std::uint64_t seed = 0;
  std::int64_t age_ns = 0;              ///< since it was added
  std::int64_t silent_ns = 0;           ///< since the last packet from either side
  std::array<Direction, 2> directions;  ///< by the side where they start
};

/// Forwards RTP and RTCP between the endpoints of calls, each direction changed as configured. One separate thread
/// serves all calls; it asks for real-time priority (SCHED_FIFO) and works without it if refused. Other threads may
/// call the methods; a call blocks for one exchange with the relay's thread, well under a millisecond unless the
/// machine is overloaded. Reporting its state allocates nothing in the relay's thread, whatever the profiles hold. Call
/// n draws the errors of the direction that starts at a from stream 2n, of the other from 2n + 1, so directions are
/// independent.
class RtpRelay {
 public:
  /// Fails with io.
  static Result<std::unique_ptr<RtpRelay>> start();
  ~RtpRelay();
  RtpRelay(const RtpRelay&) = delete;
  RtpRelay& operator=(const RtpRelay&) = delete;

  /// True if the system granted real-time priority.
  bool real_time() const;

  /// Takes the ports and starts relaying. Numbers count up from 0. Fails with bad_input or io.
  Result<RelayedCallState> add_call(const CallOptions& options);
  /// Ends a call and returns its last state; waiting packets are dropped. Fails with bad_input (no such call) or io
  /// (the pattern could not be written; the call is ended nevertheless).
  Result<RelayedCallState> remove_call(std::uint64_t call);

  std::vector<RelayedCallState> calls() const;  ///< snapshots, by rising number
  /// Nothing if there is no such call.
  std::optional<RelayedCallState> call(std::uint64_t number) const;
  /// All calls, by rising number.
  std::vector<std::uint64_t> numbers() const;
  /// Time since the last packet from either side; nothing if there is no such call.
  std::optional<std::int64_t> silent_ns(std::uint64_t call) const;

  /// Sets the conditions of the direction that starts at `from`, from the next packet on. Fails with bad_input.
  Status change(std::uint64_t call, End from, const RelayConditions& conditions);
  /// Inverts the next `bits` bits of payload from that side, 1..1e6. Fails with bad_input.
  Status inject(std::uint64_t call, End from, std::uint32_t bits);
  /// Sets where that side's endpoint receives RTP from now on. Fails with bad_input.
  Status set_peer(std::uint64_t call, End side, const SocketAddress& peer);

 private:
  struct Engine;
  explicit RtpRelay(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
