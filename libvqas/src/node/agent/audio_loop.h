#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "node/play/round_player.h"
#include "receive/device_notes.h"
#include "receive/echo_listener.h"
#include "sync/mark_rate.h"
#include "vqas/line/line.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// The task of an end in one round.
struct RoundJob {
  std::uint64_t number = 0;
  bool append = false;  ///< to the current round, if there is one: it continues under this number
  /// Begins when everything of the current round has left and arrived: the directions take turns.
  bool in_turn = false;
  std::vector<PlayItem> send;
  std::vector<Expectation> expect;
  TransmissionOptions transmission;
};

/// What is received while a mark is overdue.
struct MarkSilence {
  AwaitedMark awaited;
  Signal heard;            ///< the last of it, up to kSilentAfter_s
  LineStatistics noticed;  ///< since the wait began
};
inline constexpr double kSilentAfter_s = 4;  ///< longer than any line's delay

/// Events of the audio thread; called from there, so they must be quick.
struct LoopEvents {
  /// `clock_offset_ns` as in BlockTime.
  std::function<void(std::uint32_t sequence, std::int64_t left_at_ns, std::optional<std::int64_t> clock_offset_ns)>
      sent;
  /// Only for lines with a real device: a transmission has left completely, and this was noticed meanwhile.
  std::function<void(std::uint32_t sequence, DeviceNotes notes)> played;
  /// `arrived_at_ns` is the line's time when the transmission's first sample arrived, if marks give it.
  std::function<void(Capture capture, std::optional<std::int64_t> arrived_at_ns, DeviceNotes notes)> captured;
  /// Everything was sent, and captured or abandoned. `line_time_ns` is the duration of the round by the line's clock.
  std::function<void(std::uint64_t round, std::int64_t line_time_ns)> done;
  /// A warning from the line for the operator.
  std::function<void(std::string warning)> warned = {};
  /// Entries of a call's signalling.
  std::function<void(std::vector<LineTrace>)> traced = {};
  /// Once a second of the line's time while the next due mark is more than kSilentAfter_s late.
  std::function<void(MarkSilence silence)> silent = {};
  /// The line is lost, or the other end continued without this one; no event follows.
  std::function<void(Error error)> lost;
};

/// The audio thread of a node: exchanges blocks with the line, idle ones included. Its output and captures depend on
/// the jobs and on the line's input, never on when start() was called while the line stands still.
class AudioLoop {
 public:
  AudioLoop(std::unique_ptr<Line> line, End own, LoopEvents events);
  /// Ends the thread.
  ~AudioLoop();
  AudioLoop(const AudioLoop&) = delete;
  AudioLoop& operator=(const AudioLoop&) = delete;

  /// Begins a round. The previous one must be done or abandoned, unless the job appends. Jobs that append begin in the
  /// order of the calls.
  void start(RoundJob job);
  /// Duration of the current round by the line's clock; 0 without one.
  std::int64_t line_time_ns() const;
  /// Sends nothing new; returns the last sequence that began in this round, 0 for none.
  std::uint32_t finish_sending();
  /// Expects nothing after this sequence.
  void listen_until(std::uint32_t sequence);
  /// Drops the round immediately; it causes no further events.
  void abandon();

 private:
  struct Active;
  void run();
  void adopt_jobs();
  bool is_of_active() const;
  Status prepare_block();
  bool stand_still();
  void next_block();
  void heard_block(const BlockTime& time);
  void tell_played();
  void tell_silence();
  void deliver(std::vector<Capture> captures);
  void finish_if_done(const BlockTime& time);
  std::optional<std::int64_t> arrival(const Capture& capture) const;

  const std::unique_ptr<Line> line_;
  const LineDescription description_;
  const std::size_t line_block_, scale_;  // samples in a block, and for each one at 8 kHz
  const End partner_;
  const LoopEvents events_;

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  bool stopping_ = false;
  bool abandoned_ = false;
  std::deque<RoundJob> next_;
  std::unique_ptr<Active> active_;  // its player and limit too
  // Only for the audio thread.
  Round round_;
  bool standing_;
  bool block_ready_ = false;
  std::optional<Departure> departure_;
  EchoListener echo_;
  std::uint64_t heard_samples_ = 0;
  std::uint32_t resets_between_ = 0;  // of the jitter buffer, since the last capture
  std::vector<float> block_, heard_;  // at the line's rate
  // What is heard at 8 kHz, for what looks for marks and tones besides the receiver.
  sync::MarkRate mark_rate_;
  std::span<const float> narrow_;

  std::thread thread_;
};

}  // namespace vqas
