#include "line/spoilt_runs.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr double kShortest_s = 0.002;
// The shortest period in use; a faster repetition is a tone.
constexpr std::uint64_t kLeastLag = 16;

}  // namespace

SpoiltRuns::SpoiltRuns(int rate_hz)
    : scale_(static_cast<double>(kLineRateHz) / rate_hz),
      shortest_(static_cast<std::uint64_t>(kShortest_s * rate_hz)),
      block_(kLineBlock * static_cast<std::uint64_t>(rate_hz) / kLineRateHz),
      history_(kHistory, 0.0F),
      last_seen_(kPlaces, 0) {}

// Long silence would be a run without end, so runs are reported in parts that end with a block.
void SpoiltRuns::Runs::extend(std::uint64_t begin, std::uint64_t end, std::uint64_t needed, std::uint64_t block) {
  if (!is_open_) open_ = {begin, end};
  is_open_ = true;
  open_.end = end;
  counts_ = counts_ || end - begin >= needed;
  if (!counts_ || end % block != 0) return;
  told_.push_back(open_);
  open_.begin = open_.end;
}

void SpoiltRuns::Runs::close() {
  if (counts_ && open_.end > open_.begin) told_.push_back(open_);
  is_open_ = counts_ = false;
}

void SpoiltRuns::Runs::note(std::uint64_t block, double scale, std::uint16_t& begin, std::uint16_t& count) {
  const double first = static_cast<double>(block * kLineBlock);
  while (!told_.empty() && static_cast<double>(told_.front().end) * scale <= first) told_.pop_front();
  const auto look_at = [&](const Run& run) {
    const double from = std::max(static_cast<double>(run.begin) * scale - first, 0.0);
    const double to = std::min(static_cast<double>(run.end) * scale - first, static_cast<double>(kLineBlock));
    const auto length = static_cast<std::uint16_t>(std::max(to - from, 0.0));
    if (length <= count) return;
    begin = static_cast<std::uint16_t>(from);
    count = length;
  };
  std::ranges::for_each(told_, look_at);
  if (counts_) look_at(open_);
}

void SpoiltRuns::add_zero(float sample) {
  if (sample == 0.0F) {
    if (!in_zeros_) zeros_begin_ = frame_;
    zeros_.extend(zeros_begin_, frame_ + 1, shortest_, block_);
  } else if (in_zeros_) {
    zeros_.close();
  }
  in_zeros_ = sample == 0.0F;
}

// Whether the samples up to this one equal those up to that frame, and hold more than one value.
bool SpoiltRuns::is_pattern_of(std::uint64_t frame) const {
  bool varies = false;
  for (std::uint64_t i = 0; i < kPattern; ++i) {
    if (at(frame_ - i) != at(frame - i)) return false;
    varies = varies || at(frame_ - i) != at(frame_);
  }
  return varies;
}

std::size_t SpoiltRuns::place() const {
  std::uint32_t hash = 2166136261U;  // FNV-1a over whole words
  for (std::uint64_t i = 0; i < kPattern; ++i) hash = (hash ^ std::bit_cast<std::uint32_t>(at(frame_ - i))) * 16777619U;
  return (hash ^ (hash >> 16U)) % kPlaces;
}

void SpoiltRuns::add_repeat(float sample) {
  history_[frame_ % kHistory] = sample;
  if (frame_ < kPattern) return;
  std::uint64_t& seen = last_seen_[place()];
  const std::uint64_t before = std::exchange(seen, frame_ + 1);
  if (lag_ != 0 && at(frame_ - lag_) != sample) {
    repeats_.close();
    lag_ = 0;
  }
  if (lag_ == 0 && before > kPattern) {
    const std::uint64_t lag = frame_ + 1 - before;
    if (lag < kLeastLag || lag > kHistory / 2 || !is_pattern_of(frame_ - lag)) return;
    lag_ = lag;
    repeat_begin_ = frame_ + 1 - kPattern;
  }
  if (lag_ != 0) repeats_.extend(repeat_begin_, frame_ + 1, std::max(shortest_, lag_ / 2), block_);
}

void SpoiltRuns::add(std::span<const float> samples) {
  for (const float sample : samples) {
    add_zero(sample);
    add_repeat(sample);
    ++frame_;
  }
}

void SpoiltRuns::note(BlockTime& block) {
  zeros_.note(block.index, scale_, block.zeros_begin, block.zeros_count);
  repeats_.note(block.index, scale_, block.repeats_begin, block.repeats_count);
}

}  // namespace vqas
