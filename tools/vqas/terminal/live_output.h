#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace vqas::cli {

/// Text for whoever follows a run that must not wait for them: a thread of its own writes, so that a reader that stands
/// still, or a terminal that is held, holds up nobody else. Its methods do not block; for one thread.
class LiveOutput {
 public:
  explicit LiveOutput(int descriptor);
  /// Waits for the reader up to 2 s, then gives the rest up.
  ~LiveOutput();
  LiveOutput(const LiveOutput&) = delete;
  LiveOutput& operator=(const LiveOutput&) = delete;

  /// Text that comes again, such as counters: left out where older text still waits. True if it was taken.
  bool offer(std::string text);
  /// Text that is told once; kept until it can be written, but no more than 1000 of them.
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
  bool broken_ = false;  // nobody reads any more
  std::thread thread_;
};

}  // namespace vqas::cli
