#include "campaign/hooks/hook_queue.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqas::campaign {
namespace {

bool is_due(const QueuedHook& one, double now_s) {
  return one.not_before_s <= now_s || one.not_before_s > now_s + kLongestBackoff_s;
}

}  // namespace

std::vector<HookMessage> HookQueue::add(HookMessage message) {
  std::vector<HookMessage> dropped;
  queued_.push_back({std::move(message), 0, 0, false});
  while (queued_.size() > kMostQueued) {
    dropped.push_back(std::move(queued_.front().message));
    queued_.erase(queued_.begin());
  }
  return dropped;
}

const QueuedHook* HookQueue::due(double now_s, bool untried_too) const {
  const auto found = std::ranges::find_if(
      queued_, [&](const QueuedHook& one) { return is_due(one, now_s) || (untried_too && !one.tried_here); });
  return found == queued_.end() ? nullptr : &*found;
}

std::optional<double> HookQueue::next_s(double now_s) const {
  std::optional<double> next;
  for (const QueuedHook& one : queued_) {
    const double at = is_due(one, now_s) ? now_s : one.not_before_s;
    next = next ? std::min(*next, at) : at;
  }
  return next;
}

void HookQueue::delivered(const std::string& id) {
  std::erase_if(queued_, [&](const QueuedHook& one) { return one.message.id == id; });
}

bool HookQueue::failed(const std::string& id, double now_s, std::size_t most) {
  const auto found = std::ranges::find(queued_, id, [](const QueuedHook& one) { return one.message.id; });
  if (found == queued_.end()) return true;
  found->tried_here = true;
  if (++found->attempts >= most) {
    queued_.erase(found);
    return false;
  }
  const double doubled = kFirstBackoff_s * std::exp2(static_cast<double>(found->attempts - 1));
  found->not_before_s = now_s + std::min(kLongestBackoff_s, doubled);
  return true;
}

}  // namespace vqas::campaign
