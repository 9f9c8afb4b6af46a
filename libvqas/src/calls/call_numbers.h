#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "line/sip/sip_calls.h"

namespace vqas {

/// Numbers of calls for their traces: the last messages of a call come after its end. A call that is not over keeps its
/// number, and of those that are over the last 2000 do. For one thread.
class CallNumbers {
 public:
  void give(SipCalls::Id id, std::uint32_t number) { numbers_[id] = number; }
  void over(SipCalls::Id id) {
    over_.push_back(id);
    if (over_.size() <= kLate) return;
    numbers_.erase(over_.front());
    over_.pop_front();
  }
  std::optional<std::uint32_t> of(SipCalls::Id id) const {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  static constexpr std::size_t kLate = 2000;

  std::map<SipCalls::Id, std::uint32_t> numbers_;
  std::deque<SipCalls::Id> over_;
};

}  // namespace vqas
