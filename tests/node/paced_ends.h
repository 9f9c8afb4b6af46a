#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace vqas::test {

/// Keeps both ends of a planted line together in real time: no end is more than a block ahead of the other, and both
/// run `speed` times as fast as a wall clock, or slower on a slow machine. The shared state of the line is under the
/// same mutex.
struct PacedEnds {
  using Clock = std::chrono::steady_clock;

  explicit PacedEnds(double speed)
      : block_time(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(0.02 / speed))) {}

  /// Waits until `own` was interrupted, or `ready(not_ahead)`; false if it was interrupted.
  template <typename Ready>
  bool wait(std::unique_lock<std::mutex>& lock, std::size_t own, Ready ready) {
    changed.wait(lock, [&] { return interrupted[own] || ready(taken[own] <= taken[1 - own]); });
    return !std::exchange(interrupted[own], false);
  }
  /// Counts a block of `own`, lets the other end continue, and sleeps until the block is over.
  void finish(std::unique_lock<std::mutex>& lock, std::size_t own) {
    ++taken[own];
    if (taken[own] > taken[1 - own]) next = std::max(next + block_time, Clock::now() - block_time);
    const Clock::time_point until = next;
    changed.notify_all();
    lock.unlock();
    std::this_thread::sleep_until(until);
  }
  void interrupt(std::size_t own) {
    const std::lock_guard lock(mutex);
    interrupted[own] = true;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  const Clock::duration block_time;
  Clock::time_point next = Clock::now();
  std::array<std::uint64_t, 2> taken{};  // blocks, by end
  std::array<bool, 2> interrupted{};
};

}  // namespace vqas::test
