#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vqas/relay/conditions.h"
#include "vqas/relay/counters.h"

namespace vqas {

class PatternSink;

/// What the relay does with one packet.
struct PacketOrder {
  std::int64_t due_ns = 0;  ///< when each copy leaves
  int copies = 0;           ///< 0: dropped, as the counters explain
  bool control = false;     ///< it was RTCP, on the port of RTP (RFC 5761) or on its own
};

/// One direction of a call, without sockets and clocks: packets and times in, changed packets and times out. The result
/// depends only on conditions, seed, stream and the packets. For one thread; take() and take_rtcp() do not allocate,
/// except for the pattern's recorder and the first packet.
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

  /// A packet that arrived on the port of RTP at `now_ns` by any clock that does not run backwards; it may hold any
  /// octets. Inverts bits of its payload in place.
  PacketOrder take(std::span<std::uint8_t> packet, std::int64_t now_ns);
  /// The same for the port of RTCP: delayed, never changed.
  PacketOrder take_rtcp(std::span<const std::uint8_t> packet, std::int64_t now_ns);

  /// A prepared change with everything it allocates. May be made and freed in any thread.
  class Change {
   public:
    ~Change();
    Change(Change&&) noexcept;
    Change& operator=(Change&&) = delete;
    Change(const Change&) = delete;

   private:
    friend class RelayPath;
    struct Parts;
    explicit Change(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
  };
  /// Position of a change among the changes of its path: its errors begin there.
  struct ChangePlace {
    std::uint64_t seed = 0, stream = 0, number = 0;
  };
  ChangePlace next_change() const;
  /// `conditions` are valid. Needs no path, so the path's thread need not wait.
  static Change made(const RelayConditions& conditions, const ChangePlace& place);
  /// Applies `change` from the next packet on. `change` then holds the former state, to be freed. Returns false and
  /// does nothing if it was prepared for another place, because another change came first. Real-time safe.
  bool change(Change& change);
  /// Prepares and applies a change; allocates.
  void change(const RelayConditions& conditions);
  /// Inverts the next `bits` bits of G.711 payload among those that the mask selects and that are heard.
  void inject(std::uint32_t bits);

  const RelayConditions& conditions() const;
  std::shared_ptr<const RelayConditions> shared_conditions() const;
  const RelayCounters& counters() const;
  /// For counts made by the owner, which receives and sends the packets.
  RelayCounters& counters();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
