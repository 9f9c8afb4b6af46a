#include "terminal/live_output.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>

namespace vqas::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{2000};
constexpr int kLookEveryMs = 50;

}  // namespace

LiveOutput::LiveOutput(int descriptor) : descriptor_(descriptor) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that closes the pipe must not end the run
  thread_ = std::thread([this] { run(); });
}

LiveOutput::~LiveOutput() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

bool LiveOutput::offer(std::string text) {
  const std::lock_guard lock(mutex_);
  if (broken_ || !waiting_.empty()) return false;
  waiting_.push_back(std::move(text));
  wake_.notify_one();
  return true;
}

void LiveOutput::tell(std::string text) {
  const std::lock_guard lock(mutex_);
  if (broken_ || waiting_.size() >= kMostWaiting) return;
  waiting_.push_back(std::move(text));
  wake_.notify_one();
}

void LiveOutput::run() {
  std::unique_lock lock(mutex_);
  while (!broken_) {
    wake_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::string text = waiting_.front();
    lock.unlock();
    const bool written = write(text);
    lock.lock();
    broken_ = !written;
    waiting_.pop_front();
  }
  waiting_.clear();
}

bool LiveOutput::write(const std::string& text) {
  std::size_t done = 0;
  auto last = std::chrono::steady_clock::time_point::max();
  while (done < text.size()) {
    {
      const std::lock_guard lock(mutex_);
      const auto now = std::chrono::steady_clock::now();
      if (ending_ && last == std::chrono::steady_clock::time_point::max()) last = now + kPatience;
      if (now > last) return false;
    }
    pollfd out{descriptor_, POLLOUT, 0};
    if (::poll(&out, 1, kLookEveryMs) <= 0) continue;
    // A pipe that is ready has room for this much.
    const ssize_t written =
        ::write(descriptor_, text.data() + done, std::min<std::size_t>(PIPE_BUF, text.size() - done));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace vqas::cli
