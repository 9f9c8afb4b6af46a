#include "terminal/wait_notice.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <utility>

#include "terminal/plain_streams.h"

namespace vqas::cli {

WaitNotice::WaitNotice(std::string what) {
  if (::isatty(STDERR_FILENO) != 1) return;
  thread_ = std::thread([this, what = std::move(what)] { show(what); });
}

WaitNotice::~WaitNotice() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  thread_.join();
}

void WaitNotice::show(const std::string& what) {
  std::unique_lock lock(mutex_);
  bool shown = false;
  for (int seconds = 1; !end_.wait_for(lock, std::chrono::seconds(1), [this] { return ended_; }); ++seconds) {
    if (seconds < 2) continue;
    move_cursor(std::cerr, kToLineStart);
    std::cerr << fmt::format("{}, {} s ...", what, seconds) << std::flush;
    shown = true;
  }
  if (shown) move_cursor(std::cerr, kToLineStart);
}

}  // namespace vqas::cli
