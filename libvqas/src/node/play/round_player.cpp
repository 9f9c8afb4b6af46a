#include "node/play/round_player.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vqas {

std::optional<Departure> RoundPlayer::fill(std::span<float> block) {
  std::optional<Departure> departure;
  std::size_t filled = 0;
  while (filled < block.size()) {
    if (!busy()) {
      std::fill(block.begin() + static_cast<std::ptrdiff_t>(filled), block.end(), 0.0F);
      break;
    }
    const PlayItem& item = items_[next_];
    if (position_ < item.silence) {
      const std::size_t count = std::min(block.size() - filled, item.silence - position_);
      std::fill_n(block.begin() + static_cast<std::ptrdiff_t>(filled), count, 0.0F);
      filled += count;
      position_ += count;
      continue;
    }
    const std::size_t played = position_ - item.silence;
    if (played == 0) {
      departure = Departure{item.sequence, filled};
      last_begun_ = item.sequence;
    }
    const std::size_t count = std::min(block.size() - filled, item.samples.size() - played);
    std::copy_n(item.samples.begin() + static_cast<std::ptrdiff_t>(played), count,
                block.begin() + static_cast<std::ptrdiff_t>(filled));
    filled += count;
    position_ += count;
    if (played + count == item.samples.size()) {
      last_ended_ = item.sequence;
      ++next_;
      position_ = 0;
    }
  }
  return departure;
}

void RoundPlayer::append(std::vector<PlayItem> items) {
  // Played items are no longer needed, and a segment of rounds may last for days.
  items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(next_));
  next_ = 0;
  std::move(items.begin(), items.end(), std::back_inserter(items_));
}

std::uint32_t RoundPlayer::finish() {
  const bool playing = busy() && position_ > items_[next_].silence;
  items_.resize(std::min(items_.size(), next_ + (playing ? 1 : 0)));
  if (!playing) position_ = 0;
  return last_begun_;
}

}  // namespace vqas
