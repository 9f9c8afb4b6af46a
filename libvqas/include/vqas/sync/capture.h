#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vqas/sync/mark.h"
#include "vqas/sync/transmission.h"

namespace vqas {

/// One transmission that is due: never where, only what, and how long to wait for it.
struct Expectation {
  MarkData data;
  std::size_t stimulus_length = 0;  ///< samples at 8 kHz
  double within_s = 10;             ///< wait for its leading mark, counted from the end of the capture before it
};

/// Which marks of a transmission were found.
enum class MarksFound { both, leading_only, trailing_only, none };

/// What was received for one expectation.
struct Capture {
  Expectation expectation;
  MarksFound marks = MarksFound::none;
  /// The leading mark's data were read and are the expected ones. Otherwise the speech must show that it is the
  /// expected one: a transmission that was lost before makes every later one that cannot be read seem an earlier one.
  bool data_confirmed = false;
  /// Another transmission of the same stimulus was lost in the same stretch of stream, and has the same recording:
  /// speech in it is nobody's.
  bool ambiguous = false;
  /// With 0.5 s before and after the speech where the marks are known (2 s after it when the trailing mark is missing),
  /// else all that came since the capture before, at most the last 60 s. At 8 kHz by the receiver's clock.
  Signal recording;
  std::uint64_t stream_position = 0;  ///< of recording's first sample, in samples since the receiver's start
  /// Of the stimulus's first sample within `recording`, fractional; known when a mark was found. From the leading mark
  /// where it was found, else from the trailing one and the layout.
  std::optional<double> speech_start;
  /// Of the receiver's clock against the sender's; positive: the receiver's clock is fast. Known when both were found,
  /// unless one was found by its energy alone (FoundMark::coarse), or the marks lie more than 1000 ppm from their
  /// distance: then the line's delay changed between them.
  std::optional<double> clock_drift_ppm;
  /// The capture before gave the same within 20 ppm. A smaller step of the delay between the marks looks like a clock
  /// offset, 22 ppm for each sample over 5.6 s; two in a row alike are a clock.
  bool drift_repeated = false;
  /// By how many samples the marks lie further apart than they were sent, where that is more than 1000 ppm; negative:
  /// nearer. Then the line's delay changed between them, or the sender's guards are others, and the speech's first
  /// sample lies anywhere from `speech_start` to this many samples after it.
  std::optional<double> delay_step;
  /// Of the marks that were found (FoundMark::confidence).
  std::optional<double> leading_confidence, trailing_confidence;
};

/// A transmission that is due and of which no mark has come.
struct AwaitedMark {
  std::uint16_t sequence = 0;
  double waited_s = 0;  ///< since the end of the capture before, or since it was expected
  double left_s = 0;    ///< until it is abandoned
};

/// Turns a live stream into captures: a list of expectations in, one capture for each out, in order. A capture ends at
/// the trailing mark or at the stimulus's length + 2 s. A transmission whose marks were lost gets a capture with
/// `MarksFound::none` when a later one is found or its time is up (`within_s`, and the time in which its trailing mark
/// could still come). Marks of another run, of older or unknown sequence numbers, and the trailing marks that follow
/// them are ignored. A leading mark whose data cannot be read, or a trailing mark without a leading one, is taken for
/// the next that is due, and `data_confirmed` is false. What comes out does not depend on how the stream was cut into
/// blocks. Keeps the last 70 s and the longest stimulus, twice, not more. For one thread; push() allocates.
class CaptureReceiver {
 public:
  CaptureReceiver(End sender, const TransmissionOptions& options);
  ~CaptureReceiver();
  CaptureReceiver(CaptureReceiver&&) noexcept;
  CaptureReceiver& operator=(CaptureReceiver&&) noexcept;

  /// Adds to what is due.
  void expect(const std::vector<Expectation>& expectations);
  bool idle() const;
  /// The next that is due; nothing when none is, or when its leading mark was found.
  std::optional<AwaitedMark> awaited() const;
  /// Takes the next samples at 8 kHz; returns the captures that were completed.
  std::vector<Capture> push(std::span<const float> block);
  /// Gives up what is still due and returns what was received of it.
  std::vector<Capture> abandon();
  /// The sender began with something that is not due here at this sample since the start: what is still due came before
  /// it. Returns what is complete, as push() does.
  std::vector<Capture> end_at(std::uint64_t position);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
