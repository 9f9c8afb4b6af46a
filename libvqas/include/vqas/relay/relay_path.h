#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vqas/relay/conditions.h"
#include "vqas/relay/counters.h"

namespace vqas {

class PatternSink;

/// What the relay does with a packet.
struct PacketOrder {
  std::int64_t due_ns = 0;  ///< when each copy leaves
  int copies = 0;           ///< 0: dropped; the counters say why
  bool control = false;     ///< it was RTCP, on the port of RTP or on its own (RFC 5761)
};

/// One direction of a call, without sockets and clocks: packets and times in, changed packets and times out. What
/// happens depends on conditions, seed, stream, and the packets alone. For one thread; take() and take_rtcp() do not
/// allocate, apart from what the pattern's recorder does and from the first packet.
class RelayPath {
 public:
  /// Longest packet, in octets.
  static constexpr std::size_t kLongestPacket = 2048;

  /// `conditions` are valid (validate()); `stream` < 2^32; `pattern` may be null and outlives this.
  RelayPath(const RelayConditions& conditions, std::uint64_t seed, std::uint64_t stream,
            PatternSink* pattern = nullptr);
  ~RelayPath();
  RelayPath(RelayPath&&) noexcept;
  RelayPath& operator=(RelayPath&&) = delete;
  RelayPath(const RelayPath&) = delete;
  RelayPath& operator=(const RelayPath&) = delete;

  /// A packet that came on the port of RTP at `now_ns` of any clock that does not run backwards; any octets. Inverts
  /// bits of its payload in place.
  PacketOrder take(std::span<std::uint8_t> packet, std::int64_t now_ns);
  /// The same on the port of RTCP: delayed, never changed.
  PacketOrder take_rtcp(std::span<const std::uint8_t> packet, std::int64_t now_ns);

  /// From the next packet on; valid ones.
  void change(const RelayConditions& conditions);
  /// Inverts the very next bits of G.711 payload that the mask shows.
  void inject(std::uint32_t bits);

  const RelayConditions& conditions() const;
  const RelayCounters& counters() const;
  /// For what only whoever sends and receives can count.
  RelayCounters& counters();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
