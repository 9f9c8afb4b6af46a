#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vqas {

/// One transmission to play.
struct PlayItem {
  std::uint32_t sequence = 0;
  std::size_t silence = 0;  ///< samples of silence before it
  std::vector<float> samples;
};

/// The first sample of a transmission within a block.
struct Departure {
  std::uint32_t sequence = 0;
  std::size_t offset = 0;  ///< samples from the block's first
};

/// Plays a list of transmissions into blocks, then silence. fill() is real-time safe; for one thread.
class RoundPlayer {
 public:
  RoundPlayer() = default;
  explicit RoundPlayer(std::vector<PlayItem> items) : items_(std::move(items)) {}

  /// True while something is still to be played.
  bool busy() const { return next_ < items_.size(); }
  /// Fills a block; returns the transmission that began in it. A transmission is longer than a block, so there is at
  /// most one.
  std::optional<Departure> fill(std::span<float> block);
  /// Appends to the list. Not real-time safe.
  void append(std::vector<PlayItem> items);
  /// Sequence of the last transmission whose last sample went into a block, 0 for none.
  std::uint32_t last_ended() const { return last_ended_; }
  /// Starts nothing after the current item; returns the last sequence that began, 0 for none.
  std::uint32_t finish();

 private:
  std::vector<PlayItem> items_;
  std::size_t next_ = 0;      // the current item
  std::size_t position_ = 0;  // samples already played of its silence and itself
  std::uint32_t last_begun_ = 0, last_ended_ = 0;
};

}  // namespace vqas
