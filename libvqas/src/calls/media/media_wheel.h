#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "calls/media/media_call.h"

namespace vqas {

/// Spreads the turns of any number of calls over the 20 ms of a packet: a slot for each millisecond. Each call keeps
/// its slot, so its packets leave evenly. For one thread.
class MediaWheel {
 public:
  static constexpr std::int64_t kSlots = 20, kSlot_ns = 1'000'000;
  /// The first turn is due at `begins_ns`.
  explicit MediaWheel(std::int64_t begins_ns) : due_ns_(begins_ns) {}

  /// Puts the call into the slot with the fewest.
  void add(std::shared_ptr<MediaCall> call);
  /// Takes the turns of one slot, lets go of calls that leave, and sets the next one.
  void turn();
  /// When the next slot is due.
  std::int64_t due_ns() const { return due_ns_; }
  /// If the wheel is behind `now_ns` by more than a second, it leaves the turns of that time out.
  void catch_up(std::int64_t now_ns);
  bool is_empty() const { return size_ == 0; }
  /// Passes over these slots, while the wheel is empty.
  void pass(std::int64_t slots);

 private:
  using Slot = std::vector<std::shared_ptr<MediaCall>>;
  std::array<Slot, kSlots> slots_;
  std::size_t at_ = 0, size_ = 0;
  std::int64_t due_ns_;
};

}  // namespace vqas
