#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace vqas::cli {

/// While it lives, shows on stderr what a command is doing and for how long: from the second second on, once a second.
/// Erases the line at the end. Silent when stderr is not a terminal. For work without a known progress.
class WaitNotice {
 public:
  explicit WaitNotice(std::string what);
  ~WaitNotice();
  WaitNotice(const WaitNotice&) = delete;
  WaitNotice& operator=(const WaitNotice&) = delete;

 private:
  void show(const std::string& what);

  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace vqas::cli
