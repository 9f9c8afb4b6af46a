#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "vqas/signal/line_statistics.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Samples that an end and its line exchange at a time: 20 ms at 8 kHz.
inline constexpr std::size_t kLineBlock = 160;

/// When a block was heard.
struct BlockTime {
  std::uint64_t index = 0;   ///< blocks since the line was opened
  std::int64_t time_ns = 0;  ///< of the block's first sample, by the line's clock
  /// Lines of virtual time only: nothing was taken or heard, because the line's clock stands still: both ends are idle
  /// in this round, or the other one is in a later round. Call again with a later round.
  bool standing = false;
  /// Real lines: by how much later than time_ns the first sample of the block that was taken leaves.
  std::int64_t leaves_after_ns = 0;
  /// Sound devices: what to add to time_ns to have CLOCK_MONOTONIC of this machine. Changes slowly where the device's
  /// clock is off, and by a step where time went by without samples.
  std::optional<std::int64_t> clock_offset_ns = {};
  /// What was noticed since the block before.
  LineStatistics noticed = {};
  /// Sound devices: longest run of samples in this block that are exactly zero, as [begin, begin + count).
  std::uint16_t zeros_begin = 0, zeros_count = 0;
  /// The same of the longest run that repeats exactly what came shortly before it.
  std::uint16_t repeats_begin = 0, repeats_count = 0;
};

struct LineDescription {
  std::string name;           ///< as it was opened, "sim:…"
  bool virtual_time = false;  ///< time_ns is one clock, shared by both ends, that stands still when neither works
  /// What the line itself says of its conditions, as parse_simulated_conditions() reads it; empty for a real line.
  std::string simulated;
  std::string equipment = {};  ///< the devices behind it in words, with rate and period; empty: none
  bool packets = false;        ///< of RTP: LineStatistics counts them
  bool real_device = false;    ///< samples can be lost between the node and the line, and BlockTime::noticed says when
  /// Clock that time_ns and clock_offset_ns refer to: equal texts are one clock. Empty: time_ns says nothing elsewhere.
  std::string clock = {};
  std::int64_t clock_uncertainty_ns = 0;  ///< of times by that clock
  /// Sound devices: what the sound system says of the delays of output and input together, in ms. Measured delays hold
  /// the true ones, unless somebody measured those (NodeOptions::device_delay_ms).
  std::optional<double> device_latency_ms = {};
};

/// What a node does in one go. On a line of virtual time the clock runs only while both ends are in the same round and
/// at least one of them is busy; so a run does not depend on how fast the machines are.
struct Round {
  std::uint64_t number = 0;
  bool busy = false;
  /// Simulated lines: how long a silence of what this end sends ends a transmission, in s, 0.1..2; 0: as it was.
  double end_silence_s = 0;
  /// Real lines: what is heard in this block is wanted. Where it is not, or the end is not busy, a line may set anew
  /// what a change of its delay has made wrong (LineStatistics::buffer_resets).
  bool hears = true;
};

/// A duplex voice line as a node sees it: blocks out, blocks in, in lockstep. One thread calls exchange(), which blocks
/// until the line took and gave a block; interrupt() may be called from any thread.
class Line {
 public:
  virtual ~Line() = default;
  virtual LineDescription description() const = 0;
  /// Plays `sent` and hears `heard`, kLineBlock samples each at 8 kHz. Fails with line_lost when the line is gone; the
  /// line is of no use from then on. Fails with cancelled after interrupt(): nothing was taken or heard.
  virtual Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) = 0;
  /// For the thread of exchange(), after it was told that the line stands still: waits until interrupt(), and fails
  /// with line_lost when the line goes away meanwhile. A line in real time never stands still and does not wait.
  virtual Status stand() { return success(); }
  /// Makes the exchange() or stand() that waits now, or else the next one, return soon: once. An exchange() fails with
  /// cancelled then, unless the line had already taken the block. Callable from any thread.
  virtual void interrupt() = 0;
  /// For the thread of exchange(), after it: what an operator should know of the line, a sentence part; each once.
  /// Empty: nothing new.
  virtual std::string take_warning() { return {}; }
};

}  // namespace vqas
