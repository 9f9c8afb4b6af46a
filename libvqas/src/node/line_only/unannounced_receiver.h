#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "node/line_only/status_marks.h"
#include "sync/mark_rate.h"
#include "vqas/node/line_only.h"
#include "vqas/sync/capture.h"
#include "vqas/sync/detector.h"

namespace vqas {

/// Receives unannounced transmissions: each decodable leading mark identifies its own transmission, and with it those
/// sent since the previous mark. The echo of a mark is ignored, however late and weak: a mark with a known run and
/// number, within the time of that transmission and 2 s. A sender restarts with another run id; or with a known number
/// after a farewell, after that time, or at the level of the marks before. For one thread.
class UnannouncedReceiver {
 public:
  /// A transmission that was received or missed.
  struct Heard {
    Capture capture;
    std::uint64_t position = 0;  ///< of the recording's first sample, in the stream's samples since the start
    std::size_t stimulus = 0;
    std::uint32_t number = 0;  ///< the sender's
    bool restarted = false;    ///< the sender restarted before this one
    bool announced = false;    ///< its own mark was decoded; else it is known from a later number
    bool broken_off = false;   ///< by the sender, which told it
  };

  /// `lengths` of the stimuli in samples at 8 kHz; `rate_hz` is the stream's, 8000 or 16000.
  UnannouncedReceiver(End sender, const TransmissionOptions& options, std::uint16_t digest,
                      std::vector<std::size_t> lengths, int rate_hz = kLineRateHz);

  /// Takes samples, at 16 kHz an even number; returns completed transmissions. `wanted` are the stimuli still needed,
  /// for missed ones.
  std::vector<Heard> push(std::span<const float> block, const std::vector<bool>& wanted);
  /// Ends the current transmission and returns it, with those after it whose leading marks are undecodable: their
  /// numbers follow the last one's.
  std::vector<Heard> finish();

  /// The sender's guard interval turned out to be different; applies from the next transmission on.
  void set_guard(double guard_s) { options_.guard_s = guard_s; }

  /// Number of transmissions whose leading mark was undecodable, while no other was decoded either: their content is
  /// unknown.
  std::size_t undecodable() const { return known_ ? 0 : undecodable_.size(); }
  /// Recordings of the last of these, from before the leading mark to after the trailing one.
  const std::deque<Signal>& undecodable_recordings() const { return undecodable_recordings_; }
  bool farewell() const { return farewell_; }
  /// A transmission whose mark was decoded is not complete.
  bool under_way() const { return receiver_ || !announced_.empty(); }
  /// The time since the last mark is longer than a transmission.
  bool quiet() const;
  std::uint32_t run_id() const { return run_id_; }
  /// Position of the last mark, in samples at 8 kHz since the start; nothing before the first one.
  std::optional<std::uint64_t> last_mark() const { return last_mark_; }
  /// What was heard, in samples at 8 kHz.
  std::uint64_t position() const { return detector_.position(); }

 private:
  struct Announced {
    MarkData data;
    double position = 0;
    double level_dbov = 0;
  };
  bool is_echo(const FoundMark& mark);
  void note(const FoundMark& mark);
  void note_undecodable(const FoundMark& mark);
  void keep_undecodable(double leading);
  void begin(const Announced& announced, const std::vector<bool>& wanted);
  Expectation expectation(std::uint32_t number, double within_s) const;
  void hear(std::span<const float> samples, std::vector<Heard>& heard);
  std::span<const float> since(std::uint64_t position) const;
  void take(std::vector<Capture> captures, std::vector<Heard>& heard);
  void trim();

  const End sender_;
  TransmissionOptions options_;
  const std::uint16_t digest_;
  const std::vector<std::size_t> lengths_;
  const int rate_hz_;
  // Positions count samples at 8 kHz; only recordings, and the samples of the history, have the stream's own rate.
  sync::MarkRate mark_rate_;
  MarkDetector detector_;
  std::vector<float> history_;
  std::uint64_t history_start_ = 0;
  std::uint64_t free_from_ = 0;  // the end of the previous capture
  std::deque<Announced> announced_;
  std::deque<Announced> recent_;               // whose echoes may still arrive
  std::unique_ptr<CaptureReceiver> receiver_;  // of the first of announced_
  std::uint64_t receiver_start_ = 0;
  bool known_ = false;  // run_id_ and last_number_
  bool restarted_ = false, farewell_ = false;
  std::uint32_t run_id_ = 0, last_number_ = 0;
  std::set<std::uint32_t> broken_off_;  // numbers that the sender told, of those that are not complete
  std::optional<double> undecodable_leading_;
  std::vector<double> undecodable_;  // positions
  std::deque<Signal> undecodable_recordings_;
  std::optional<double> last_drift_ppm_;
  std::optional<std::uint64_t> last_mark_;
};

}  // namespace vqas
