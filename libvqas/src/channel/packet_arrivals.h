#pragma once

#include <cstdint>
#include <memory>

#include "channel/bottleneck.h"
#include "vqas/channel/packet_conditions.h"
#include "vqas/channel/packet_path.h"
#include "vqas/channel/random.h"

namespace vqas {

/// When each packet of a voice flow comes, if it does. No allocation after construction; for one thread.
class PacketArrivals {
 public:
  struct Arrival {
    bool lost = false;
    double delay_ms = 0;  ///< after the fastest
  };
  PacketArrivals(const PacketConditions& conditions, std::uint64_t seed, std::uint64_t stream);
  /// Of the next packet; counts it, all but what a jitter buffer makes of it.
  Arrival next(PacketCounters& counters);

 private:
  bool draws_loss();

  PacketConditions conditions_;
  Random loss_, jitter_, reorder_, duplicate_;
  bool bad_ = false;  // Gilbert's state
  std::uint64_t number_ = 0;
  double latest_ms_ = 0;  // arrival of the latest so far, since the beginning
  std::unique_ptr<BottleneckLink> link_;
};

}  // namespace vqas
