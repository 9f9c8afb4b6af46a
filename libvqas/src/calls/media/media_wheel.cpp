#include "calls/media/media_wheel.h"

#include <algorithm>
#include <utility>

namespace vqas {
namespace {

constexpr std::int64_t kStall_ns = 1'000'000'000;

}  // namespace

void MediaWheel::add(std::shared_ptr<MediaCall> call) {
  std::ranges::min_element(slots_, {}, &Slot::size)->push_back(std::move(call));
  ++size_;
}

void MediaWheel::turn() {
  Slot& slot = slots_[at_];
  for (const auto& call : slot) {
    if (!call->is_leaving()) call->turn(due_ns_);
  }
  size_ -= std::erase_if(slot, [](const std::shared_ptr<MediaCall>& call) {
    if (!call->is_leaving()) return false;
    call->say_goodbye();
    return true;
  });
  at_ = (at_ + 1) % kSlots;
  due_ns_ += kSlot_ns;
}

void MediaWheel::pass(std::int64_t slots) {
  at_ = (at_ + static_cast<std::size_t>(slots)) % kSlots;
  due_ns_ += slots * kSlot_ns;
}

void MediaWheel::catch_up(std::int64_t now_ns) {
  if (now_ns - due_ns_ <= kStall_ns) return;
  const std::int64_t turns = (now_ns - due_ns_) / (kSlots * kSlot_ns);
  due_ns_ += turns * kSlots * kSlot_ns;
  for (const Slot& slot : slots_) {
    for (const auto& call : slot) call->skip(turns, due_ns_);
  }
}

}  // namespace vqas
