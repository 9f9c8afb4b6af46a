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

/// Decides what becomes of each packet of one direction: loss, delay, order, copies, as PacketConditions says. Draws
/// the same number of variates for each packet whatever the conditions, so that two runs with one seed differ only
/// where their conditions do. next() is real-time safe; for one thread.
class PacketFates {
 public:
  PacketFates(const RelayConditions& conditions, std::uint64_t seed, std::uint64_t stream)
      : random_(seed, stream, kSubstream) {
    change(conditions);
  }

  void change(const RelayConditions& conditions);
  /// Of the next packet, which came at `now_ns`.
  Fate next(std::int64_t now_ns);
  /// When something that came at `now_ns` and knows no jitter is due.
  std::int64_t delayed(std::int64_t now_ns) const { return now_ns + delay_ns_; }

 private:
  static constexpr std::uint64_t kSubstream = 0x7061636B;  // apart from the bit errors of the same seed and stream
  bool is_lost(double drawn);

  PacketConditions packets_;
  std::int64_t delay_ns_ = 0;
  Random random_;
  bool in_loss_ = false;
  std::size_t next_mark_ = 0;     // of the loss pattern
  std::int64_t last_due_ns_ = 0;  // of the packets that keep their order
};

}  // namespace vqas
