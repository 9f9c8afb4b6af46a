#include "relay/packet_fate.h"

#include <algorithm>
#include <cmath>

namespace vqas {
namespace {

std::int64_t nanoseconds(double ms) {
  return std::llround(ms * 1e6);
}

}  // namespace

void PacketFates::change(const RelayConditions& conditions) {
  packets_ = conditions.profile.packets.value_or(PacketConditions());
  delay_ns_ = nanoseconds(conditions.delay_ms);
  next_mark_ = 0;
}

bool PacketFates::is_lost(double drawn) {
  const double loss = packets_.loss_ratio;
  switch (packets_.loss) {
    case LossKind::none:
      return false;
    case LossKind::random:
      return drawn < loss;
    case LossKind::gilbert: {
      // From the mean run r and the share p of the bad state: out of it with 1 / r, into it with p / (r (1 - p)).
      const double run = packets_.mean_loss_packets;
      in_loss_ = drawn < (in_loss_ ? 1 - 1 / run : loss / (run * (1 - loss)));
      return in_loss_;
    }
    case LossKind::pattern: {
      const auto& marks = packets_.loss_pattern;
      if (!marks || marks->empty()) return false;
      return (*marks)[next_mark_++ % marks->size()];
    }
  }
  return false;
}

Fate PacketFates::next(std::int64_t now_ns) {
  const double for_loss = random_.next_unit();
  const double for_jitter = random_.next_open_unit();
  const double for_order = random_.next_unit();
  const double for_copy = random_.next_unit();
  Fate fate;
  if (is_lost(for_loss)) return fate;
  // Exponential by inversion.
  std::int64_t due = delayed(now_ns) + nanoseconds(-std::log(for_jitter) * packets_.jitter_ms);
  fate.reordered = for_order < packets_.reorder_ratio;
  if (fate.reordered) {
    due += nanoseconds(packets_.reorder_ms);
  } else if (packets_.keeps_order) {
    due = std::max(due, last_due_ns_);
    last_due_ns_ = due;
  }
  fate.copies = for_copy < packets_.duplicate_ratio ? 2 : 1;
  fate.due_ns = due;
  return fate;
}

}  // namespace vqas
