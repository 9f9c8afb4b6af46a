#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "score/model/shared_numbers.h"
#include "vqas/score/segments.h"
#include "vqas/signal/result.h"

namespace vqas::scoring {

/// A step of a long recording's envelope, s.
inline constexpr double kEnvelopeStepS = static_cast<double>(kAlignedFrame) / kAlignedRateHz;  // not tuned: 0.032
/// Steps: a shorter pause belongs to the speech.
inline constexpr int kHangover = static_cast<int>(kHangoverMs / (1000 * kEnvelopeStepS));  // not tuned: 6

/// What is kept of all of a long recording, a value for each step: 0.9 MB an hour.
struct LongEnvelope {
  std::vector<float> loudness;  ///< as compute_envelope() makes it, smoothed
  std::vector<float> power;     ///< mean square, without a constant
  /// The quietest instant between two, s.
  double quietest_s(double from_s, double to_s) const;
  /// Where the first step lies that is louder than this share of the speech's power, and where the last one ends, s.
  /// All of the recording if no step is.
  std::pair<double, double> sound_s(double share) const;
};

/// Is told the share of a stage that is done, 0..1; false stops it.
using GoOn = std::function<bool(double share)>;

/// The error of what was stopped.
Error stopped();

/// Reads it in pieces of at most `piece_s`, and asks after each. Fails like the reader, for rates below 1 kHz, and with
/// cancelled when stopped. What cannot be converted is silent here: who scores it says why.
Result<LongEnvelope> long_envelope(const LongRecording& recording, double piece_s, const GoOn& go_on);

}  // namespace vqas::scoring
