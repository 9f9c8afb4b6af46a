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
  std::filesystem::path file;  ///< its name tells the format: ".bits" or ".g192"
};

/// One side of a call, and what is done to that which comes from it.
struct CallSide {
  SocketAddress listen;               ///< port of RTP, even; RTCP takes the next; 0: any free pair
  std::optional<SocketAddress> peer;  ///< where this side's endpoint takes RTP; none: learnt from its first packet
  /// With `peer`: packets may come from another port than the peer's, and are answered there, but from no other host
  /// (symmetric RTP, RFC 4961). Without it they come from the peer's port or count as strangers.
  bool symmetric = true;
  RelayConditions conditions;
  std::optional<PatternRecording> record;
};
struct CallOptions {
  std::array<CallSide, 2> sides;  ///< by End
  std::uint64_t seed = 1;
};

/// A call at one moment.
struct RelayedCallState {
  struct Direction {
    SocketAddress listen;                               ///< of the side where it begins
    std::optional<SocketAddress> peer;                  ///< likewise
    std::uint64_t stream = 0;                           ///< that its errors are drawn from, beside the seed
    std::shared_ptr<const RelayConditions> conditions;  ///< shared: a profile may be large
    RelayCounters counters;
  };
  std::uint64_t number = 0;
  std::uint64_t seed = 0;
  std::int64_t age_ns = 0;              ///< since it was added
  std::int64_t silent_ns = 0;           ///< since the last packet of either side
  std::array<Direction, 2> directions;  ///< by the side where they begin
};

/// Stands between the endpoints of calls and passes RTP and RTCP on, each direction changed as asked. One thread of its
/// own serves all calls; it asks for real-time priority (SCHED_FIFO) and goes on without where the system refuses. Its
/// methods may be called from any other thread and block it for the time of one exchange, well under a millisecond
/// unless the machine is overloaded. To tell its state the thread takes no memory, whatever the profiles hold. Call n
/// draws the errors of the direction that begins at a from stream 2n, the other one from 2n + 1: each direction on its
/// own.
class RtpRelay {
 public:
  /// Fails with io.
  static Result<std::unique_ptr<RtpRelay>> start();
  ~RtpRelay();
  RtpRelay(const RtpRelay&) = delete;
  RtpRelay& operator=(const RtpRelay&) = delete;

  /// True if the system granted real-time priority.
  bool real_time() const;

  /// Takes the ports and relays from now on. Numbers count up from 0. Fails with bad_input or io.
  Result<RelayedCallState> add_call(const CallOptions& options);
  /// Ends a call and gives its last state; packets that wait are dropped. Fails with bad_input (no such call) or io
  /// (the pattern could not be written; the call is ended all the same).
  Result<RelayedCallState> remove_call(std::uint64_t call);

  std::vector<RelayedCallState> calls() const;
  /// Nothing where there is no such call.
  std::optional<RelayedCallState> call(std::uint64_t number) const;
  /// Of all calls, rising.
  std::vector<std::uint64_t> numbers() const;
  /// How long no packet has come from either side; nothing where there is no such call.
  std::optional<std::int64_t> silent_ns(std::uint64_t call) const;

  /// Of the direction that begins at `from`, from the next packet on. Fails with bad_input.
  Status change(std::uint64_t call, End from, const RelayConditions& conditions);
  /// Inverts the next `bits` bits of payload from there, 1..1e6. Fails with bad_input.
  Status inject(std::uint64_t call, End from, std::uint32_t bits);
  /// Where that side's endpoint takes RTP from now on. Fails with bad_input.
  Status set_peer(std::uint64_t call, End side, const SocketAddress& peer);

 private:
  struct Engine;
  explicit RtpRelay(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
