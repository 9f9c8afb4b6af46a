#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "vqas/channel/profile.h"

namespace vqas {

/// Delays a stream of octets by a number that slips change: a ring that is written at one place and read at another. No
/// allocation in process(); for one thread.
class SlipBuffer {
 public:
  SlipBuffer(const std::vector<Slip>& slips, std::uint8_t idle);

  void process(std::span<std::uint8_t> octets);

  /// Sets the code for silence; before the first octet.
  void set_idle(std::uint8_t idle) { std::fill(ring_.begin(), ring_.end(), idle); }

  std::uint64_t latency() const { return latency_; }
  std::uint64_t slips() const { return count_; }
  std::int64_t slipped() const { return slipped_; }

 private:
  struct Event {
    std::uint64_t at;  // of the next one, in octets
    std::uint64_t every;
    std::int64_t octets;
  };
  void slip_where_due();

  std::vector<Event> events_;
  std::vector<std::uint8_t> ring_;  // empty without slips
  std::uint64_t latency_;
  std::uint64_t written_ = 0;  // octets received
  std::int64_t slipped_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace vqas
