#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "vqas/line/line.h"
#include "vqas/node/line_only.h"

namespace vqas {

/// Ends a listening by wall-clock time. A listener counts in line time, which stands still without another end; a wait
/// for the next block can then only be ended from another thread. Interrupts the line when it ends.
class LineWatch {
 public:
  /// `over` (may be empty) and `cancelled` are checked ten times a second in a separate thread.
  LineWatch(Line& line, const std::atomic<bool>& cancelled, std::function<bool()> over);
  ~LineWatch();
  LineWatch(const LineWatch&) = delete;
  LineWatch& operator=(const LineWatch&) = delete;

  /// The listener waits for the line, which may stand still for `patience_s` before it counts as silent.
  void begin_wait(double patience_s);
  /// A block arrived. Time used for scoring is not the line's.
  void end_wait();
  /// Set when it has ended, for any of these reasons.
  const std::atomic<bool>& stopped() const { return stopped_; }
  /// The reason; nothing before the end.
  std::optional<ListenEnd> end() const;

 private:
  using Clock = std::chrono::steady_clock;
  void run();
  std::optional<ListenEnd> look() const;

  Line& line_;
  const std::atomic<bool>& cancelled_;
  const std::function<bool()> over_;
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  // Guarded by mutex_.
  Clock::time_point waits_since_;
  double patience_s_ = std::numeric_limits<double>::infinity();
  std::optional<ListenEnd> end_;
  bool leaving_ = false;

  std::thread thread_;
};

}  // namespace vqas
