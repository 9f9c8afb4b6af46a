#include "channel/packet_arrivals.h"

#include <algorithm>
#include <cmath>

namespace vqas {
namespace {

// Separate from the streams of the legs and of a restored call.
constexpr std::uint64_t kPacketStream = std::uint64_t{1} << 57;

}  // namespace

PacketArrivals::PacketArrivals(const PacketConditions& conditions, std::uint64_t seed, std::uint64_t stream)
    : conditions_(conditions),
      loss_(seed, stream + kPacketStream, 0),
      jitter_(seed, stream + kPacketStream, 1),
      reorder_(seed, stream + kPacketStream, 2),
      duplicate_(seed, stream + kPacketStream, 3) {
  bad_ = Random(seed, stream + kPacketStream, 4).next_unit() < conditions.loss_ratio;
  if (conditions.bottleneck) {
    link_ = std::make_unique<BottleneckLink>(*conditions.bottleneck, conditions.packet_ms / 1000,
                                             Random(seed, stream + kPacketStream, 5));
  }
}

// Gilbert: a burst ends after each packet with probability 1 / mean, and starts often enough to give the wanted loss
// ratio.
bool PacketArrivals::draws_loss() {
  const double drawn = loss_.next_unit();
  switch (conditions_.loss) {
    case LossKind::none:
      return false;
    case LossKind::random:
      return drawn < conditions_.loss_ratio;
    case LossKind::pattern:
      return (*conditions_.loss_pattern)[number_ % conditions_.loss_pattern->size()];
    case LossKind::gilbert:
      break;
  }
  const double ends = 1 / conditions_.mean_loss_packets;
  const double begins = ends * conditions_.loss_ratio / (1 - conditions_.loss_ratio);
  const bool lost = bad_;
  bad_ = bad_ ? drawn >= ends : drawn < begins;
  return lost;
}

// Every packet draws from every source, so that a change of one condition does not change the others.
PacketArrivals::Arrival PacketArrivals::next(PacketCounters& counters) {
  Arrival arrival;
  arrival.lost = draws_loss();
  arrival.delay_ms = -conditions_.jitter_ms * std::log(jitter_.next_open_unit());
  if (reorder_.next_unit() < conditions_.reorder_ratio) arrival.delay_ms += conditions_.reorder_ms;
  const bool comes_twice = duplicate_.next_unit() < conditions_.duplicate_ratio;
  if (link_) {
    const auto fate = link_->next_voice();
    arrival.lost = arrival.lost || fate.lost;
    arrival.delay_ms += 1000 * fate.delay_s;
    counters.video_sent = link_->video().sent;
    counters.video_lost = link_->video().lost;
    counters.video_delay_sum_ms = 1000 * link_->video().delay_sum_s;
  }
  const double sent_ms = static_cast<double>(number_) * conditions_.packet_ms;
  ++number_;
  ++counters.sent;
  if (arrival.lost) {
    ++counters.lost;
    return arrival;
  }
  if (conditions_.keeps_order) arrival.delay_ms = std::max(arrival.delay_ms, latest_ms_ - sent_ms);
  if (sent_ms + arrival.delay_ms < latest_ms_) ++counters.overtaken;
  latest_ms_ = std::max(latest_ms_, sent_ms + arrival.delay_ms);
  if (comes_twice) ++counters.duplicates;
  counters.delay_sum_ms += arrival.delay_ms;
  counters.largest_delay_ms = std::max(counters.largest_delay_ms, arrival.delay_ms);
  return arrival;
}

}  // namespace vqas
