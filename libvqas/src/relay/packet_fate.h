#pragma once

#include <cstdint>
#include <memory>

#include "channel/bottleneck.h"
#include "vqas/channel/random.h"
#include "vqas/relay/conditions.h"

namespace vqas {

/// When a packet is due, in ns, and how often; no copies if it is lost.
struct Fate {
  std::int64_t due_ns = 0;
  int copies = 0;
  bool reordered = false;
  bool queue_full = false;  ///< no copies because the bottleneck had no room
};

/// Decides the fate of each packet of one direction by PacketConditions: loss, delay, order, copies. Draws the same
/// number of variates for each packet whatever the conditions, so that two runs with one seed differ only where their
/// conditions do. The bottleneck's time advances by one packet length per packet, so it too depends on the packets
/// alone. next() is real-time safe; for one thread.
class PacketFates {
 public:
  PacketFates(const RelayConditions& conditions, std::uint64_t seed, std::uint64_t stream)
      : link_random_(seed, stream, kSubstream + 1), random_(seed, stream, kSubstream) {
    change(parts_of(conditions));
  }

  /// The deciding part of the conditions. May be made in any thread, because it allocates.
  struct Parts {
    PacketConditions packets;
    std::int64_t delay_ns = 0;
    std::int64_t held_back_ns = 0;  // delay already added by the channel, for packets of G.711
    std::unique_ptr<BottleneckLink> link;
  };
  static Parts parts_of(const RelayConditions& conditions);
  /// Applies from the next packet on; returns the former parts, to be freed elsewhere. Real-time safe.
  Parts change(Parts parts);
  /// Fate of the next packet, which arrived at `now_ns` with this many octets of G.711; 0: other payload.
  Fate next(std::int64_t now_ns, std::size_t g711_octets);
  /// Packets of the bottleneck's wanted video; nothing without a bottleneck.
  BottleneckLink::FlowCounters video() const {
    return parts_.link ? parts_.link->video() : BottleneckLink::FlowCounters();
  }
  /// When a packet that arrived at `now_ns` is due, without jitter.
  std::int64_t delayed(std::int64_t now_ns) const { return now_ns + parts_.delay_ns; }

 private:
  static constexpr std::uint64_t kSubstream =
      0x7061636B;  // separates it from the bit errors of the same seed and stream
  bool is_lost(double drawn);
  BottleneckLink& link(std::size_t g711_octets);

  Parts parts_;  // its link starts with the first packet, whose length it assumes for all
  Random link_random_;
  Random random_;
  bool in_loss_ = false;
  std::size_t next_mark_ = 0;     // of the loss pattern
  std::int64_t last_due_ns_ = 0;  // of the packets that keep their order
};

}  // namespace vqas
