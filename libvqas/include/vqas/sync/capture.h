#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vqas/sync/mark.h"
#include "vqas/sync/marks_found.h"
#include "vqas/sync/transmission.h"

namespace vqas {

/// A transmission to wait for: its content and the longest wait, not its time.
struct Expectation {
  MarkData data;
  std::size_t stimulus_length = 0;  ///< samples at 8 kHz
  double within_s = 10;             ///< how long to wait for its leading mark, from the end of the previous capture
};

/// What was received for one expectation.
struct Capture {
  Expectation expectation;
  MarksFound marks = MarksFound::none;
  /// The data of the leading mark were decoded and are the expected ones. Otherwise the speech must be checked: after a
  /// lost transmission, each later one that cannot be decoded is taken for an earlier one.
  bool data_confirmed = false;
  /// Another transmission of the same stimulus was lost in the same segment of the stream and has the same recording,
  /// so speech in it cannot be attributed to either.
  bool ambiguous = false;
  /// With 0.5 s before and after the speech if the marks are known (2 s after it when the trailing mark is missing);
  /// otherwise all samples since the previous capture, at most the last 60 s. At the receiver's rate, by its clock; the
  /// positions here are in its samples.
  Signal recording;
  std::uint64_t stream_position = 0;  ///< of the recording's first sample, in samples since the receiver's start
  /// Position of the stimulus's first sample in `recording`, fractional; known when a mark was found. From the leading
  /// mark if it was found, otherwise from the trailing one and the layout.
  std::optional<double> speech_start;
  /// Drift of the receiver's clock against the sender's; positive: the receiver's clock is fast. Known when both marks
  /// were found. Unknown if one was found by its energy alone (FoundMark::coarse) or if the marks are more than 1000
  /// ppm from their nominal distance: then the line's delay changed between them.
  std::optional<double> clock_drift_ppm;
  /// The previous capture gave the same drift within 20 ppm. A smaller step of the delay between the marks looks like a
  /// clock offset, 22 ppm for each sample over 5.6 s; two equal values in a row are a clock offset.
  bool drift_repeated = false;
  /// Difference between the received and the nominal distance of the marks, in samples, if it is more than 1000 ppm;
  /// negative: shorter. Then the line's delay changed between them, or the sender's guard intervals differ, and the
  /// speech's first sample lies anywhere from `speech_start` to this many samples after it.
  std::optional<double> delay_step;
  /// Of the marks that were found (FoundMark::confidence).
  std::optional<double> leading_confidence, trailing_confidence;
};

/// A transmission that is due and whose marks have not been found yet.
struct AwaitedMark {
  std::uint16_t sequence = 0;
  double waited_s = 0;  ///< since the end of the previous capture, or since it was expected
  double left_s = 0;    ///< until it is abandoned
};

/// Turns a live stream into captures: takes a list of expectations and returns one capture for each, in order. A
/// capture ends at the trailing mark, or 2 s after the stimulus's length. A transmission whose marks were lost gets a
/// capture with `MarksFound::none` when a later one is found or when its time is up (`within_s`, and the time in which
/// its trailing mark could still come). Marks of another run, marks with older or unknown sequence numbers, and the
/// trailing marks that follow them are ignored. A leading mark whose data cannot be decoded, or a trailing mark without
/// a leading one, is taken for the next expectation, and `data_confirmed` is false. The result does not depend on the
/// block sizes. Keeps at most twice the last 70 s and the longest stimulus. For one thread; push() allocates.
class CaptureReceiver {
 public:
  /// `rate_hz` is the stream's: 8000, or 16000 for HD voice. The marks are looked for in a copy at 8 kHz.
  CaptureReceiver(End sender, const TransmissionOptions& options, int rate_hz = kLineRateHz);
  ~CaptureReceiver();
  CaptureReceiver(CaptureReceiver&&) noexcept;
  CaptureReceiver& operator=(CaptureReceiver&&) noexcept;

  /// Adds expectations.
  void expect(const std::vector<Expectation>& expectations);
  bool idle() const;
  /// The next transmission that is due; nothing when none is due, or when its leading mark was found.
  std::optional<AwaitedMark> awaited() const;
  /// Takes the next samples, at 16 kHz an even number; returns the captures completed by them.
  std::vector<Capture> push(std::span<const float> block);
  /// Abandons everything that is due and returns what was received of it.
  std::vector<Capture> abandon();
  /// The sender started a transmission that is not due here at this sample since the start: everything that is due came
  /// before it. Returns the completed captures, like push().
  std::vector<Capture> end_at(std::uint64_t position);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
