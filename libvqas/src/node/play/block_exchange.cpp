#include "node/play/block_exchange.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "node/play/audio_priority.h"

namespace vqas {

BlockExchange::BlockExchange(Line& line, const std::atomic<bool>& cancelled)
    : line_(line),
      cancelled_(cancelled),
      threaded_(!line.description().virtual_time),
      block_(line_block(line.description().rate_hz)) {
  if (threaded_) thread_ = std::thread([this] { run(); });
}

BlockExchange::~BlockExchange() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  line_.interrupt();
  thread_.join();
}

Result<HeardBlocks> BlockExchange::exchange() {
  std::vector<float> sent(block_, 0.0F), heard(block_);
  Round round{1, true};
  {
    const std::lock_guard lock(mutex_);
    const bool behind = taken_ > judged_ + kBehind;
    round.hears = behind || (outgoing_.empty() ? hears_silent_ : hears_playing_);
    const auto count = static_cast<std::ptrdiff_t>(std::min(block_, outgoing_.size()));
    std::copy_n(outgoing_.begin(), count, sent.begin());
    outgoing_.erase(outgoing_.begin(), outgoing_.begin() + count);
  }
  for (;;) {
    const auto time = line_.exchange(sent, heard, round);
    if (time && !time->standing) {
      HeardBlocks blocks{std::move(heard), {*time}};
      if (std::string warning = line_.take_warning(); !warning.empty()) blocks.warnings.push_back(std::move(warning));
      const std::lock_guard lock(mutex_);
      ++taken_;
      return blocks;
    }
    if (time) return Error{ErrorCode::line_lost, "the other end takes part in another measurement"};
    if (time.error().code != ErrorCode::cancelled) return time.error();
    const std::lock_guard lock(mutex_);
    if (cancelled_ || stopping_) return Error{ErrorCode::cancelled, "stopped by the user"};
  }
}

void BlockExchange::run() {
  std::optional<AudioPriority> priority;
  if (line_.description().real_device) priority.emplace();
  for (;;) {
    auto heard = exchange();
    const std::lock_guard lock(mutex_);
    if (heard) {
      waiting_.samples.insert(waiting_.samples.end(), heard->samples.begin(), heard->samples.end());
      waiting_.times.insert(waiting_.times.end(), heard->times.begin(), heard->times.end());
      std::ranges::move(heard->warnings, std::back_inserter(waiting_.warnings));
    } else {
      fault_ = heard.error();
    }
    heard_.notify_one();
    if (fault_ || stopping_) return;
  }
}

Result<HeardBlocks> BlockExchange::next() {
  if (cancelled_) return Error{ErrorCode::cancelled, "stopped by the user"};
  if (!threaded_) {
    auto heard = exchange();
    given_ = taken_;
    return heard;
  }
  std::unique_lock lock(mutex_);
  heard_.wait(lock, [this] { return !waiting_.times.empty() || fault_; });
  if (waiting_.times.empty()) return *fault_;
  given_ += waiting_.times.size();
  return std::exchange(waiting_, {});
}

void BlockExchange::play(std::vector<float> samples) {
  const std::lock_guard lock(mutex_);
  outgoing_.insert(outgoing_.end(), samples.begin(), samples.end());
}

void BlockExchange::hear(bool silent, bool playing) {
  const std::lock_guard lock(mutex_);
  hears_silent_ = silent;
  hears_playing_ = playing;
  judged_ = given_;
}

bool BlockExchange::silent() {
  const std::lock_guard lock(mutex_);
  return outgoing_.empty();
}

}  // namespace vqas
