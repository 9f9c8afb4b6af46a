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

  /// A change made ready: everything that it allocates. Made in any thread; freeing it is for any thread too.
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
  /// Where a change stands among those of its path: its errors begin there.
  struct ChangePlace {
    std::uint64_t seed = 0, stream = 0, number = 0;
  };
  ChangePlace next_change() const;
  /// Of valid conditions. Needs no path, so that the path's thread need not wait for it.
  static Change made(const RelayConditions& conditions, const ChangePlace& place);
  /// From the next packet on. Afterwards `change` holds what was there before, to be freed. False where it was made for
  /// another place, because another change came between; nothing is done then. Real-time safe.
  bool change(Change& change);
  /// All of it at once; allocates.
  void change(const RelayConditions& conditions);
  /// Inverts the very next bits of G.711 payload that the mask shows and that are heard.
  void inject(std::uint32_t bits);

  const RelayConditions& conditions() const;
  std::shared_ptr<const RelayConditions> shared_conditions() const;
  const RelayCounters& counters() const;
  /// For what only whoever sends and receives can count.
  RelayCounters& counters();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
