#include "relay/packet_fate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vqas/signal/signal.h"

namespace vqas {
namespace {

// 1 ms: a flood of tiny packets must not stop the bottleneck's clock.
constexpr std::size_t kShortestPacketOctets = 8;

std::int64_t nanoseconds(double ms) {
  return std::llround(ms * 1e6);
}

}  // namespace

PacketFates::Parts PacketFates::parts_of(const RelayConditions& conditions) {
  Parts parts{conditions.profile.packets.value_or(PacketConditions()), nanoseconds(conditions.delay_ms),
              nanoseconds(held_back_ms(conditions.profile)), nullptr};
  if (parts.packets.bottleneck) parts.link = std::make_unique<BottleneckLink>(*parts.packets.bottleneck);
  return parts;
}

PacketFates::Parts PacketFates::change(Parts parts) {
  if (parts.packets.bottleneck == parts_.packets.bottleneck) std::swap(parts.link, parts_.link);
  next_mark_ = 0;
  return std::exchange(parts_, std::move(parts));
}

bool PacketFates::is_lost(double drawn) {
  const double loss = parts_.packets.loss_ratio;
  switch (parts_.packets.loss) {
    case LossKind::none:
      return false;
    case LossKind::random:
      return drawn < loss;
    case LossKind::gilbert: {
      // With mean run r and share p of the bad state: leave it with 1 / r, enter it with p / (r (1 - p)).
      const double run = parts_.packets.mean_loss_packets;
      in_loss_ = drawn < (in_loss_ ? 1 - 1 / run : loss / (run * (1 - loss)));
      return in_loss_;
    }
    case LossKind::pattern: {
      const auto& marks = parts_.packets.loss_pattern;
      if (!marks || marks->empty()) return false;
      return (*marks)[next_mark_++ % marks->size()];
    }
  }
  return false;
}

BottleneckLink& PacketFates::link(std::size_t g711_octets) {
  BottleneckLink& link = *parts_.link;
  if (!link.has_begun()) {
    // Phones choose their packet length; the profile's length is for payload that is not G.711.
    const auto shortest = static_cast<double>(kShortestPacketOctets);
    const double octets = g711_octets > 0 ? std::max(shortest, static_cast<double>(g711_octets))
                                          : parts_.packets.packet_ms * kLineRateHz / 1000;
    link.begin(octets / kLineRateHz, link_random_);
  }
  return link;
}

Fate PacketFates::next(std::int64_t now_ns, std::size_t g711_octets) {
  const double for_loss = random_.next_unit();
  const double for_jitter = random_.next_open_unit();
  const double for_order = random_.next_unit();
  const double for_copy = random_.next_unit();
  Fate fate;
  // Every packet reaches the bottleneck, so that loss elsewhere does not change its queue.
  const auto queued = parts_.packets.bottleneck ? link(g711_octets).next_voice() : BottleneckLink::Fate();
  if (is_lost(for_loss)) return fate;
  fate.queue_full = queued.lost;
  if (queued.lost) return fate;
  // Exponential, by inversion.
  const std::int64_t held = g711_octets > 0 ? parts_.held_back_ns : 0;
  std::int64_t due =
      delayed(now_ns) - held + nanoseconds(-std::log(for_jitter) * parts_.packets.jitter_ms + 1000 * queued.delay_s);
  fate.reordered = for_order < parts_.packets.reorder_ratio;
  if (fate.reordered) {
    due += nanoseconds(parts_.packets.reorder_ms);
  } else if (parts_.packets.keeps_order) {
    due = std::max(due, last_due_ns_);
    last_due_ns_ = due;
  }
  fate.copies = for_copy < parts_.packets.duplicate_ratio ? 2 : 1;
  fate.due_ns = due;
  return fate;
}

}  // namespace vqas
