#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace vqas {

/// Packets that wait until they are due. Memory is reused, except that of unusually long packets. For one thread.
class DelayQueue {
 public:
  /// Bound on memory in a flood: octets of all packets by cost_of(), 760,000 packets of G.711 of 20 ms.
  static constexpr std::size_t kMostOctets = std::size_t{256} << 20U;
  /// Cost of a packet of this size, in octets.
  static constexpr std::size_t cost_of(std::size_t octets) { return kBeside + std::max(octets, kKeptOctets); }

  /// What the owner needs to send a packet; not used here.
  struct Ticket {
    std::uint64_t call = 0;
    bool from_a = true;
    bool rtcp = false;     ///< through the sockets of RTCP
    bool control = false;  ///< RTCP, on whatever socket
  };
  struct Waiting {
    Ticket ticket;
    std::int64_t due_ns = 0;
    std::vector<std::uint8_t> octets;
  };

  bool has_room_for(std::size_t octets) const { return cost_ + cost_of(octets) <= kMostOctets; }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  void push(std::int64_t due_ns, const Ticket& ticket, std::span<const std::uint8_t> octets) {
    std::size_t slot = slots_.size();
    if (free_.empty()) {
      slots_.emplace_back();
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    Waiting& waiting = slots_[slot];
    waiting.ticket = ticket;
    waiting.due_ns = due_ns;
    waiting.octets.assign(octets.begin(), octets.end());
    cost_ += cost_of(octets.size());
    entries_.push_back({due_ns, pushed_++, slot});
    std::push_heap(entries_.begin(), entries_.end(), later);
  }

  /// When the first packet is due; the queue must not be empty.
  std::int64_t next_due_ns() const { return entries_.front().due_ns; }
  /// Removes the packet that is due first; among equal times, the one pushed first.
  const Waiting& front() const { return slots_[entries_.front().slot]; }
  void pop() {
    std::pop_heap(entries_.begin(), entries_.end(), later);
    std::vector<std::uint8_t>& octets = slots_[entries_.back().slot].octets;
    cost_ -= cost_of(octets.size());
    if (octets.capacity() > kKeptOctets) octets = {};
    free_.push_back(entries_.back().slot);
    entries_.pop_back();
  }

 private:
  static constexpr std::size_t kKeptOctets = 256;  // G.711 of 30 ms and its headers
  struct Entry {
    std::int64_t due_ns;
    std::uint64_t number;
    std::size_t slot;
  };
  static constexpr std::size_t kBeside = sizeof(Waiting) + sizeof(Entry) + sizeof(std::size_t);
  static bool later(const Entry& one, const Entry& other) {
    return one.due_ns != other.due_ns ? one.due_ns > other.due_ns : one.number > other.number;
  }

  std::vector<Entry> entries_;  // a heap
  std::vector<Waiting> slots_;
  std::vector<std::size_t> free_;
  std::uint64_t pushed_ = 0;
  std::size_t cost_ = 0;  // of waiting packets
};

}  // namespace vqas
