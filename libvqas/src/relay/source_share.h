#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace vqas {

/// Places (or octets) shared among addresses: one address never holds more than four fifths, so others always find
/// room. For one thread.
class SourceShare {
 public:
  explicit SourceShare(std::size_t most) : most_(most), most_of_one_(most - most / 5) {}

  bool is_full() const { return total_ >= most_; }
  bool is_at_its_limit(std::uint32_t source) const { return held_by(source) >= most_of_one_; }
  bool has_room(std::uint32_t source, std::size_t amount = 1) const {
    return total_ + amount <= most_ && held_by(source) + amount <= most_of_one_;
  }
  void take(std::uint32_t source, std::size_t amount = 1) {
    held_[source] += amount;
    total_ += amount;
  }
  /// What was taken earlier.
  void give_back(std::uint32_t source, std::size_t amount = 1) {
    const auto held = held_.find(source);
    if (held == held_.end()) return;
    total_ -= amount;
    held->second -= amount;
    if (held->second == 0) held_.erase(held);
  }
  std::size_t total() const { return total_; }

 private:
  std::size_t held_by(std::uint32_t source) const {
    const auto held = held_.find(source);
    return held == held_.end() ? 0 : held->second;
  }

  std::size_t most_;
  std::size_t most_of_one_;
  std::size_t total_ = 0;
  std::map<std::uint32_t, std::size_t> held_;
};

}  // namespace vqas
