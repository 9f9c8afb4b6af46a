#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace vqas {

/// Packets waiting to be played, in the order of their timestamps, whatever the order of arrival. For one thread.
class RtpQueue {
 public:
  struct Packet {
    std::uint32_t timestamp = 0;
    std::uint16_t sequence = 0;
    std::vector<std::uint8_t> octets = {};
  };
  /// Holds at most `most` packets, 1 or more.
  explicit RtpQueue(std::size_t most) : most_(most) {}
  /// False when a packet is discarded: this one, if its timestamp is already in the queue, or the first one, if there
  /// is no room left. Timestamps must be less than half of their range apart.
  bool put(Packet packet);
  /// The first one, valid until the next call; null: the queue is empty.
  const Packet* first() const { return packets_.empty() ? nullptr : &packets_.front(); }
  /// Removes the first one, which must exist.
  Packet take_first() {
    Packet packet = std::move(packets_.front());
    packets_.pop_front();
    return packet;
  }
  std::size_t size() const { return packets_.size(); }
  void clear() { packets_.clear(); }

 private:
  std::size_t most_;
  std::deque<Packet> packets_;
};

}  // namespace vqas
