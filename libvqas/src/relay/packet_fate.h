#pragma once

#include <cstdint>

#include "vqas/channel/random.h"
#include "vqas/relay/conditions.h"

namespace vqas {

/// When a packet is due, in ns, and how often; no copies where it is lost.
struct Fate {
  std::int64_t due_ns = 0;
  int copies = 0;
  bool reordered = false;
};

/// Decides what becomes of each packet of one direction: loss, delay, order, copies. Draws the same number of variates
/// for each packet whatever the conditions, so that two runs with one seed differ only where their conditions do.
/// Loss in runs: E. N. Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal 39, 1960, with
/// packets for bits. A small value; real-time safe; for one thread.
class PacketFates {
 public:
  PacketFates(const PacketConditions& conditions, std::uint64_t seed, std::uint64_t stream)
      : conditions_(conditions), random_(seed, stream, kSubstream) {}

  void change(const PacketConditions& conditions) { conditions_ = conditions; }
  /// Of the next packet, which came at `now_ns`.
  Fate next(std::int64_t now_ns);
  /// When something that came at `now_ns` and knows no jitter is due.
  std::int64_t delayed(std::int64_t now_ns) const;

 private:
  static constexpr std::uint64_t kSubstream = 0x7061636B;  // apart from the bit errors of the same seed and stream
  bool is_lost(double drawn);

  PacketConditions conditions_;
  Random random_;
  bool in_loss_ = false;
  std::int64_t last_due_ns_ = 0;  // of the packets that keep their order
};

}  // namespace vqas
