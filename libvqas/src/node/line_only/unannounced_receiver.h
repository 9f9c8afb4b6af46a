#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "node/line_only/status_marks.h"
#include "vqas/node/line_only.h"
#include "vqas/sync/capture.h"
#include "vqas/sync/detector.h"

namespace vqas {

/// Hears transmissions that nobody has announced: each leading mark whose data can be read says what it belongs to, and
/// with it what was sent since the one before. The echo of a mark is none, however late and weak: a mark of a run and
/// a number that were heard already, within the time of that transmission and 2 s. A sender begins anew with another
/// run id, or with such a number after a farewell, after that time, or at the level of the marks before. For one
/// thread.
class UnannouncedReceiver {
 public:
  /// One transmission that was heard or should have been.
  struct Heard {
    Capture capture;
    std::uint64_t position = 0;  ///< of the recording's first sample, in samples since the start
    std::size_t stimulus = 0;
    std::uint32_t number = 0;  ///< the sender's
    bool restarted = false;    ///< the sender began anew before this one
    bool announced = false;    ///< its own mark was read; else it is known from a later one's number
  };

  /// `lengths` of the stimuli in samples.
  UnannouncedReceiver(End sender, const TransmissionOptions& options, std::uint16_t digest,
                      std::vector<std::size_t> lengths);

  /// Takes samples; returns what was completed. `wanted` tells which stimuli still matter among those that were missed.
  std::vector<Heard> push(std::span<const float> block, const std::vector<bool>& wanted);
  /// Gives up the transmission that is under way and returns it, and those behind it whose leading marks could not be
  /// read: their numbers follow the last one's.
  std::vector<Heard> finish();

  /// The sender's guard turned out to be another; counts from the next transmission on.
  void set_guard(double guard_s) { options_.guard_s = guard_s; }

  /// Transmissions whose leading mark could not be read, while no other was read either: nobody knows what they carry.
  std::size_t undecodable() const { return known_ ? 0 : undecodable_.size(); }
  /// What was received of the last of these, from before the leading mark to behind the trailing one.
  const std::deque<Signal>& undecodable_recordings() const { return undecodable_recordings_; }
  bool farewell() const { return farewell_; }
  /// A transmission whose mark was read is not complete.
  bool under_way() const { return receiver_ || !announced_.empty(); }
  /// The last mark was heard longer ago than a transmission takes.
  bool quiet() const;
  std::uint32_t run_id() const { return run_id_; }
  /// When the last mark was heard, in samples since the start; nothing before the first one.
  std::optional<std::uint64_t> last_mark() const { return last_mark_; }
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
  void take(std::vector<Capture> captures, std::vector<Heard>& heard);
  void trim();

  const End sender_;
  TransmissionOptions options_;
  const std::uint16_t digest_;
  const std::vector<std::size_t> lengths_;
  MarkDetector detector_;
  std::vector<float> history_;
  std::uint64_t history_start_ = 0;
  std::uint64_t free_from_ = 0;  // the end of the capture before
  std::deque<Announced> announced_;
  std::deque<Announced> recent_;               // whose echoes may still come
  std::unique_ptr<CaptureReceiver> receiver_;  // of the first of announced_
  std::uint64_t receiver_start_ = 0;
  bool known_ = false;  // run_id_ and last_number_
  bool restarted_ = false, farewell_ = false;
  std::uint32_t run_id_ = 0, last_number_ = 0;
  std::optional<double> undecodable_leading_;
  std::vector<double> undecodable_;  // positions
  std::deque<Signal> undecodable_recordings_;
  std::optional<double> last_drift_ppm_;
  std::optional<std::uint64_t> last_mark_;
};

}  // namespace vqas
