#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace vqas::cli {

/// Output of a run that must not wait for its reader: a thread of its own writes, so a reader that stalls or a terminal
/// that is stopped does not delay the run. Its methods do not block; for one thread.
class LiveOutput {
 public:
  explicit LiveOutput(int descriptor);
  /// Waits for the reader up to 2 s, then discards the rest.
  ~LiveOutput();
  LiveOutput(const LiveOutput&) = delete;
  LiveOutput& operator=(const LiveOutput&) = delete;

  /// Repeated text, such as counters: dropped while older text still waits. True if it was queued.
  bool offer(std::string text);
  /// Text that is printed once; queued until it can be written, at most 1000 texts.
  void tell(std::string text);

 private:
  static constexpr std::size_t kMostWaiting = 1000;
  void run();
  bool write(const std::string& text);

  int descriptor_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::string> waiting_;  // the first is being written
  bool ending_ = false;
  bool broken_ = false;  // the reader is gone
  std::thread thread_;
};

}  // namespace vqas::cli
