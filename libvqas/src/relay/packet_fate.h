#pragma once

#include <cstdint>
#include <memory>

#include "channel/bottleneck.h"
#include "vqas/channel/random.h"
#include "vqas/relay/conditions.h"

namespace vqas {

/// When a packet is due, in ns, and how often; no copies where it is lost.
struct Fate {
  std::int64_t due_ns = 0;
  int copies = 0;
  bool reordered = false;
  bool queue_full = false;  ///< no copies because the bottleneck had no room
};

/// Decides what becomes of each packet of one direction: loss, delay, order, copies, as PacketConditions says. Draws
/// the same number of variates for each packet whatever the conditions, so that two runs with one seed differ only
/// where their conditions do. A bottleneck's time goes on by a packet's length with each packet, so that it too depends
/// on the packets alone. next() is real-time safe; for one thread.
class PacketFates {
 public:
  PacketFates(const RelayConditions& conditions, std::uint64_t seed, std::uint64_t stream)
      : link_random_(seed, stream, kSubstream + 1), random_(seed, stream, kSubstream) {
    change(parts_of(conditions));
  }

  /// What of the conditions decides. Made in any thread, because it allocates.
  struct Parts {
    PacketConditions packets;
    std::int64_t delay_ns = 0;
    std::int64_t held_back_ns = 0;  // by the channel already, of packets of G.711
    std::unique_ptr<BottleneckLink> link;
  };
  static Parts parts_of(const RelayConditions& conditions);
  /// From the next packet on; gives what was there before, so that somebody else may free it. Real-time safe.
  Parts change(Parts parts);
  /// Of the next packet, which came at `now_ns` with so many octets of G.711; 0: of something else.
  Fate next(std::int64_t now_ns, std::size_t g711_octets);
  /// Packets of the bottleneck's wanted video; nothing where there is none.
  BottleneckLink::FlowCounters video() const {
    return parts_.link ? parts_.link->video() : BottleneckLink::FlowCounters();
  }
  /// When something that came at `now_ns` and knows no jitter is due.
  std::int64_t delayed(std::int64_t now_ns) const { return now_ns + parts_.delay_ns; }

 private:
  static constexpr std::uint64_t kSubstream = 0x7061636B;  // apart from the bit errors of the same seed and stream
  bool is_lost(double drawn);
  BottleneckLink& link(std::size_t g711_octets);

  Parts parts_;  // its link begins with the first packet, whose length it takes for all
  Random link_random_;
  Random random_;
  bool in_loss_ = false;
  std::size_t next_mark_ = 0;     // of the loss pattern
  std::int64_t last_due_ns_ = 0;  // of the packets that keep their order
};

}  // namespace vqas
