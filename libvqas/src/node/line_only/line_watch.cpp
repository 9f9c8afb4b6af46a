#include "node/line_only/line_watch.h"

#include <utility>

namespace vqas {

LineWatch::LineWatch(Line& line, const std::atomic<bool>& cancelled, std::function<bool()> over)
    : line_(line), cancelled_(cancelled), over_(std::move(over)), thread_([this] { run(); }) {}

LineWatch::~LineWatch() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void LineWatch::begin_wait(double patience_s) {
  const std::lock_guard lock(mutex_);
  waits_since_ = Clock::now();
  patience_s_ = patience_s;
}

void LineWatch::end_wait() {
  begin_wait(std::numeric_limits<double>::infinity());
}

std::optional<ListenEnd> LineWatch::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

std::optional<ListenEnd> LineWatch::look() const {
  if (cancelled_) return ListenEnd::cancelled;
  if (over_ && over_()) return ListenEnd::over;
  if (std::chrono::duration<double>(Clock::now() - waits_since_).count() >= patience_s_) return ListenEnd::silence;
  return std::nullopt;
}

void LineWatch::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(100), [this] { return leaving_; })) {
    end_ = look();
    if (!end_) continue;
    stopped_ = true;
    line_.interrupt();
    return;
  }
}

}  // namespace vqas
