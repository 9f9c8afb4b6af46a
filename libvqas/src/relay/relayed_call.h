#pragma once

#include <array>
#include <memory>
#include <optional>

#include "line/udp_socket.h"
#include "relay/delay_queue.h"
#include "relay/pattern_recorder.h"
#include "relay/relay_path.h"
#include "vqas/relay/rtp_relay.h"

namespace vqas {

/// A call within the relay's thread: sockets, peers, and the processing of packets between them. For one thread.
class RelayedCall {
 public:
  /// Capacity for waiting packets of both directions, by DelayQueue::cost_of(): ten seconds of 5 ms packets, each
  /// twice.
  static constexpr std::size_t kMostWaiting = std::size_t{4} << 20U;

  /// Takes the ports and makes the pattern files. Fails with bad_input or io.
  static Result<std::unique_ptr<RelayedCall>> open(std::uint64_t number, const CallOptions& options,
                                                   std::int64_t now_ns);

  const UdpSocket& socket(End side, bool rtcp) const;
  /// Queues the packets that arrived on a socket of `side`, as often and as late as its path decides.
  void take(std::span<PacketReader::Packet> packets, End side, bool rtcp, DelayQueue& queue);
  /// Sends a due packet to the other side.
  void send(const DelayQueue::Waiting& waiting, std::int64_t now_ns);
  bool has_room_for(std::size_t octets) const { return waiting_ + DelayQueue::cost_of(octets) <= kMostWaiting; }

  RelayPath& path(End from) { return leg(from).path; }
  void set_peer(End side, const SocketAddress& peer);
  /// Real-time safe.
  RelayedCallState state(std::int64_t now_ns) const;
  std::int64_t silent_ns(std::int64_t now_ns) const { return now_ns - last_ns_; }
  std::uint64_t number() const { return number_; }
  /// Closes the pattern files.
  Status finish();

 private:
  // RTP and RTCP separately: when one continues, the other need not.
  struct Source {
    std::optional<SocketAddress> address;
    std::int64_t last_ns = 0;  // arrival of its last packet
  };
  /// A side, and the direction that starts there.
  struct Leg {
    RtpSockets sockets;
    std::unique_ptr<PatternRecorder> recorder;
    RelayPath path;
    std::uint64_t stream = 0;
    std::optional<SocketAddress> announced;  // where signalling placed the peer
    Source heard;                            // where its packets come from
    Source heard_rtcp;
    bool symmetric = true;
  };
  RelayedCall(std::uint64_t number, std::uint64_t seed, std::array<Leg, 2> legs, std::int64_t now_ns)
      : number_(number), seed_(seed), legs_(std::move(legs)), began_ns_(now_ns), last_ns_(now_ns) {}
  static Result<Leg> open_leg(const CallSide& side, std::uint64_t seed, std::uint64_t stream);

  Leg& leg(End side) { return legs_[static_cast<std::size_t>(side)]; }
  const Leg& leg(End side) const { return legs_[static_cast<std::size_t>(side)]; }
  static bool knows(Leg& leg, const PacketReader::Packet& packet, bool rtcp);
  static std::optional<SocketAddress> destination(const Leg& leg, bool rtcp);

  std::uint64_t number_;
  std::uint64_t seed_;
  std::array<Leg, 2> legs_;
  std::int64_t began_ns_;
  std::int64_t last_ns_;
  std::size_t waiting_ = 0;  // cost of this call's packets in the queue
};

}  // namespace vqas
