#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "sync/mark_rate.h"
#include "vqas/sync/capture.h"
#include "vqas/sync/detector.h"

namespace vqas::sync {

/// The last samples of the stream, by position; bounded. For one thread.
class StreamMemory {
 public:
  explicit StreamMemory(std::size_t kept) : kept_(kept) {}
  void push(std::span<const float> block);
  std::int64_t end() const { return start_ + static_cast<std::int64_t>(samples_.size()); }
  std::int64_t start() const { return start_; }
  /// The samples from..to that are still stored; `from` is moved to the first one returned.
  std::vector<float> copy(std::int64_t& from, std::int64_t to) const;
  /// Sets the least number of samples to store from now on.
  void keep(std::size_t count) { kept_ = std::max(kept_, count); }

 private:
  std::size_t kept_;
  std::int64_t start_ = 0;
  std::vector<float> samples_;
};

/// The decisions of a CaptureReceiver. Marks arrive in order and times are stream positions, so the result does not
/// depend on the block sizes. All positions here count samples at 8 kHz, the marks' rate; only memory and captures have
/// the stream's own rate. For one thread.
class CaptureEngine {
 public:
  CaptureEngine(End sender, const TransmissionOptions& options, int rate_hz);

  void expect(const std::vector<Expectation>& expectations);
  bool idle() const { return due_.empty() && decided_.empty(); }
  std::optional<AwaitedMark> awaited() const;
  std::vector<Capture> push(std::span<const float> block);
  std::vector<Capture> abandon();
  std::vector<Capture> end_at(std::int64_t position);

 private:
  // A capture whose end is known, though its last samples may not have arrived yet.
  struct Decided {
    Capture capture;
    std::int64_t from = 0, to = 0;
    std::optional<double> speech_start;  // in the stream
  };
  // The leading mark of the first transmission that is due.
  struct Open {
    double middle = 0;  // of its hop code
    bool confirmed = false;
    bool coarse = false;  // this mark, or its trailing mark, was found by energy alone
    double confidence = 0;
  };

  TransmissionLayout layout() const;
  std::int64_t patience_end() const;
  void on_mark(const FoundMark& mark);
  void on_leading(const FoundMark& mark);
  void on_undecodable_leading(const FoundMark& mark);
  std::optional<std::size_t> place_of(const MarkData& data) const;
  void on_trailing(const FoundMark& mark);
  void on_time(std::int64_t certain);
  void finish_open(const FoundMark* trailing, std::int64_t latest_end);
  void finish_trailing_only(const FoundMark& trailing);
  void finish_lost(std::int64_t at);
  void finish_lost_together(std::size_t count, std::int64_t at);
  void decide(Decided decided, std::int64_t free_from);
  std::vector<Capture> collect(bool all);

  End sender_;
  TransmissionOptions options_;
  const std::int64_t scale_;  // samples of the stream for each at 8 kHz
  MarkRate mark_rate_;
  MarkDetector detector_;
  std::int64_t heard_ = 0;  // samples that the detector has taken
  StreamMemory memory_;
  std::deque<Expectation> due_;
  std::deque<Decided> decided_;
  std::optional<Open> open_;
  bool foreign_ = false;        // a transmission that is not due has started; the next trailing mark belongs to it
  std::int64_t free_from_ = 0;  // the end of the previous capture
  double drift_ = 0;            // clock drift, as last measured twice in a row with the same value
  std::optional<double> last_drift_;
};

}  // namespace vqas::sync
