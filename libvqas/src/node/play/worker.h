#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace vqas {

/// Runs tasks on one thread, in order. Callable from any thread.
class Worker {
 public:
  Worker();
  /// Drops tasks that have not begun and waits for the running one.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(std::function<void()> task);
  /// Waits until all tasks posted before are done. Not from the worker's own thread.
  void drain();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace vqas
