#pragma once

#include <cstdint>
#include <memory>

#include "channel/bottleneck.h"
#include "vqas/channel/packet_conditions.h"
#include "vqas/channel/packet_path.h"
#include "vqas/channel/random.h"

namespace vqas {

/// Arrival time of each packet of a voice flow, if it arrives. No allocation after construction; for one thread.
class PacketArrivals {
 public:
  struct Arrival {
    bool lost = false;
    double delay_ms = 0;  ///< after the fastest
  };
  PacketArrivals(const PacketConditions& conditions, std::uint64_t seed, std::uint64_t stream);
  /// Arrival of the next packet; counts everything except the effects of the jitter buffer.
  Arrival next(PacketCounters& counters);

 private:
  bool draws_loss();

  PacketConditions conditions_;
  Random loss_, jitter_, reorder_, duplicate_;
  bool bad_ = false;  // Gilbert's state
  std::uint64_t number_ = 0;
  double latest_ms_ = 0;  // arrival of the latest so far, since the start
  std::unique_ptr<BottleneckLink> link_;
};

}  // namespace vqas
