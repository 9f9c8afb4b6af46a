#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "vqas/campaign/hook_watch.h"

namespace vqas::campaign {

/// Wait before a document is sent again: doubled with each attempt, up to an hour.
inline constexpr double kFirstBackoff_s = 60, kLongestBackoff_s = 3600;
/// Of 1 to 2 kB each. If a program fails for weeks, the oldest documents are dropped.
inline constexpr std::size_t kMostQueued = 500;

struct QueuedHook {
  HookMessage message;
  std::size_t attempts = 0;
  double not_before_s = 0;  ///< since 1970
  bool tried_here = false;  ///< by this process
};

/// Documents that wait for their program, in their order. One that waits for its next attempt does not hold up the
/// later ones. Knows no clock.
class HookQueue {
 public:
  explicit HookQueue(std::vector<QueuedHook> queued = {}) : queued_(std::move(queued)) {}

  /// Returns the documents that were dropped for it.
  std::vector<HookMessage> add(HookMessage message);
  /// The first one that is due at `now_s`; with `untried_too`, also one that this process has not tried.
  const QueuedHook* due(double now_s, bool untried_too) const;
  /// When the next one is due; nothing if none waits. A clock that was put back makes no wait longer than the longest.
  std::optional<double> next_s(double now_s) const;
  void delivered(const std::string& id);
  /// Waits for its next attempt; false if it was the last of `most`, and the document is dropped.
  bool failed(const std::string& id, double now_s, std::size_t most);
  const std::vector<QueuedHook>& all() const { return queued_; }

 private:
  std::vector<QueuedHook> queued_;
};

}  // namespace vqas::campaign
