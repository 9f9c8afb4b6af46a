#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "vqas/line/line.h"

namespace vqas {

/// Packets that wait to be played, in the order of their timestamps, whatever came first. For one thread.
class RtpQueue {
 public:
  struct Packet {
    std::uint32_t timestamp = 0;
    std::uint16_t sequence = 0;
    std::array<std::uint8_t, kLineBlock> octets{};
  };
  /// `most` packets are held, 1 or more.
  explicit RtpQueue(std::size_t most) : most_(most) {}
  /// False where a packet is discarded: this one, of whose timestamp one waits, or the first, for which there is no
  /// room any more. Timestamps are less than half of their range apart.
  bool put(const Packet& packet);
  /// The first one, valid until the next call; null: none waits.
  const Packet* first() const { return packets_.empty() ? nullptr : &packets_.front(); }
  void drop_first() { packets_.pop_front(); }
  std::size_t size() const { return packets_.size(); }
  void clear() { packets_.clear(); }

 private:
  std::size_t most_;
  std::deque<Packet> packets_;
};

}  // namespace vqas
