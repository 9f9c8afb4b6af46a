#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vqas/signal/line_statistics.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// Number of samples that an end and its line exchange per block: 20 ms at 8 kHz.
inline constexpr std::size_t kLineBlock = 160;
/// The same at 16 kHz, the most.
inline constexpr std::size_t kWideBlock = 320;
/// The same of a line of this rate, 8000 or 16000 Hz.
constexpr std::size_t line_block(int rate_hz) {
  return rate_hz == kLineRateHz ? kLineBlock : kWideBlock;
}

/// When a block was received, and what happened to it.
struct BlockTime {
  std::uint64_t index = 0;   ///< blocks since the line was opened
  std::int64_t time_ns = 0;  ///< of the block's first sample, by the line's clock
  /// Lines of virtual time only: nothing was sent or received, because the line's clock stands still: both ends are
  /// idle in this round, or the other end is in a later round. Call again with a later round.
  bool standing = false;
  /// Real lines: delay from time_ns until the first sample of the sent block leaves.
  std::int64_t leaves_after_ns = 0;
  /// Sound devices: add this to time_ns to get CLOCK_MONOTONIC of this machine. Changes slowly with the error of the
  /// device's clock, and by a step where time passed without samples.
  std::optional<std::int64_t> clock_offset_ns = {};
  /// Events since the previous block.
  LineStatistics noticed = {};
  /// Sound devices: longest run of samples in this block that are exactly zero, as [begin, begin + count) in samples at
  /// 8 kHz.
  std::uint16_t zeros_begin = 0, zeros_count = 0;
  /// The same for the longest run that exactly repeats samples shortly before it.
  std::uint16_t repeats_begin = 0, repeats_count = 0;
};

struct LineDescription {
  std::string name;           ///< as opened, "sim:…"
  bool virtual_time = false;  ///< time_ns is one clock, shared by both ends, that stands still when both are idle
  /// The line's own description of its conditions, for parse_simulated_conditions(); empty for a real line.
  std::string simulated;
  std::string equipment = {};  ///< the devices in words, with rate and period; empty: none
  bool packets = false;        ///< carries RTP packets: LineStatistics counts them
  bool real_device = false;    ///< samples can be lost between the node and the line; BlockTime::noticed reports them
  /// Clock of time_ns plus clock_offset_ns (sound devices: time_ns alone is the device's nominal time). Equal texts
  /// mean the same clock. Empty: times cannot be compared with those of other clocks.
  std::string clock = {};
  std::int64_t clock_uncertainty_ns = 0;  ///< of times by that clock
  /// Sound devices: sum of output and input latency as reported by the sound system, in ms. Measured delays include the
  /// true latency unless it was measured and given (NodeOptions::device_delay_ms).
  std::optional<double> device_latency_ms = {};
  int rate_hz = kLineRateHz;  ///< of the blocks, both ways: 8000, or 16000 for HD voice
};

/// The work of a node between two commands of its controller. On a line of virtual time the clock runs only while both
/// ends are in the same round and at least one of them is busy, so a run does not depend on the speed of the machines.
struct Round {
  std::uint64_t number = 0;
  bool busy = false;
  /// Simulated lines: length of silence sent by this end that ends a transmission, in s, 0.1..2; 0: unchanged.
  double end_silence_s = 0;
  /// Real lines: the received block will be used. If not, or if the end is not busy, a line may correct its buffer
  /// after a change of its delay (LineStatistics::buffer_resets).
  bool hears = true;
};

/// A part of the trace of a line's signalling.
struct LineTrace {
  std::uint32_t call = 0;  ///< the line's calls are counted from 1; 0: of no call of this line
  std::string text;        ///< whole lines
};

/// What a line has to tell while exchange() waits, as for a call.
struct LineNews {
  std::string warning;           ///< as take_warning(); empty: none
  std::vector<LineTrace> trace;  ///< in the order of the messages
};

/// A duplex voice line as a node sees it: blocks out, blocks in, in lockstep. One thread calls exchange(), which blocks
/// until the line has taken and returned a block; interrupt() may be called from any thread.
class Line {
 public:
  virtual ~Line() = default;
  virtual LineDescription description() const = 0;
  /// Sends `sent` and fills `heard`, line_block() samples each at the line's rate. Fails with line_lost when the line
  /// is gone; the line cannot be used any more. Fails with cancelled after interrupt(): nothing was sent or received.
  virtual Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) = 0;
  /// For the thread of exchange(), after the result that the line stands still: waits for interrupt(), and fails with
  /// line_lost if the line is lost meanwhile. A line in real time never stands still, and returns immediately.
  virtual Status stand() { return success(); }
  /// Makes the waiting exchange() or stand(), or otherwise the next one, return soon, once. An exchange() then fails
  /// with cancelled, unless the line had already taken the block. Callable from any thread.
  virtual void interrupt() = 0;
  /// For the thread of exchange(), after it: a warning about the line for the operator, a sentence part, given once.
  /// Empty: nothing new.
  virtual std::string take_warning() { return {}; }
  /// Before the first exchange(): `tell` is called by exchange(), in its thread, as soon as there is news. Without it
  /// warnings wait for take_warning(), and there is no trace. Lines without calls never call it.
  virtual void tell_news(std::function<void(const LineNews&)> tell) { (void)tell; }  // NOLINT: others keep it
  /// For the thread of exchange(): a remark for the record of the next measurement received, such as how a call was set
  /// up, given once. Empty: none.
  virtual std::string take_note() { return {}; }
};

}  // namespace vqas
