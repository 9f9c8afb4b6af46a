#include "channel/slip_buffer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

}  // namespace

SlipBuffer::SlipBuffer(const std::vector<Slip>& slips, std::uint8_t idle) : latency_(slip_reserve_octets(slips)) {
  std::uint64_t furthest = latency_ + 1;
  for (const Slip& one : slips) {
    events_.push_back({static_cast<std::uint64_t>(std::llround(one.at_s * kLineRateHz)),
                       static_cast<std::uint64_t>(std::llround(one.every_s * kLineRateHz)), one.octets});
    furthest += static_cast<std::uint64_t>(std::abs(one.octets));
  }
  if (!slips.empty()) ring_.assign(furthest, idle);
}

void SlipBuffer::slip_where_due() {
  for (Event& event : events_) {
    if (event.at != written_) continue;
    slipped_ += event.octets;
    ++count_;
    event.at = event.every > 0 ? event.at + event.every : kNever;
    event.octets = -event.octets;
  }
}

void SlipBuffer::process(std::span<std::uint8_t> octets) {
  if (ring_.empty()) return;
  for (std::uint8_t& octet : octets) {
    slip_where_due();
    ring_[written_ % ring_.size()] = octet;
    const auto behind = static_cast<std::uint64_t>(static_cast<std::int64_t>(latency_) + slipped_);
    // Before the first octet of the input the ring holds idle octets.
    octet = ring_[(written_ + ring_.size() - behind) % ring_.size()];
    ++written_;
  }
}

}  // namespace vqas
