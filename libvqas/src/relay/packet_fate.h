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
/// on the packets alone. next() is real-time safe but for the first packet through a bottleneck, which allocates; for
/// one thread.
class PacketFates {
 public:
  PacketFates(const RelayConditions& conditions, std::uint64_t seed, std::uint64_t stream)
      : link_random_(seed, stream, kSubstream + 1), random_(seed, stream, kSubstream) {
    change(conditions);
  }

  void change(const RelayConditions& conditions);
  /// Of the next packet, which came at `now_ns` with so many octets of G.711; 0: of something else.
  Fate next(std::int64_t now_ns, std::size_t g711_octets);
  /// Packets of the bottleneck's wanted video; nothing where there is none.
  BottleneckLink::FlowCounters video() const { return link_ ? link_->video() : BottleneckLink::FlowCounters(); }
  /// When something that came at `now_ns` and knows no jitter is due.
  std::int64_t delayed(std::int64_t now_ns) const { return now_ns + delay_ns_; }

 private:
  static constexpr std::uint64_t kSubstream = 0x7061636B;  // apart from the bit errors of the same seed and stream
  bool is_lost(double drawn);
  BottleneckLink& link(std::size_t g711_octets);

  PacketConditions packets_;
  std::unique_ptr<BottleneckLink> link_;  // from the first packet on, whose length it takes for all
  Random link_random_;
  std::int64_t delay_ns_ = 0;
  Random random_;
  bool in_loss_ = false;
  std::size_t next_mark_ = 0;     // of the loss pattern
  std::int64_t last_due_ns_ = 0;  // of the packets that keep their order
};

}  // namespace vqas
