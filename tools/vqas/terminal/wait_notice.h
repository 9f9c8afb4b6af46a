#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace vqas::cli {

/// Says on stderr, from its second second on and once a second, what a command is at and for how long, while it lives;
/// takes the line away at the end. Says nothing where stderr is no terminal. For work that cannot tell how far it is.
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
