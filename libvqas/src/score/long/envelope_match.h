#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "score/dsp/kernels.h"
#include "score/long/long_envelope.h"

namespace vqas::scoring {

/// A place where a part of the reference may lie.
struct EnvelopePlace {
  int delay = 0;   ///< steps of the envelope
  float nats = 0;  ///< what speaks for it
};

/// What the envelopes say of where a part of the reference lies: nats at each delay, as evidence_of() counts them. For
/// one thread.
class EnvelopeMatch {
 public:
  /// not tuned: 64 steps, 2 s in whole registers: a part that is placed; half of it, as much as can be scored, must lie
  /// in the recording.
  static constexpr int kWindow = (static_cast<int>(2 * kShortestS / kEnvelopeStepS) + kLanes - 1) / kLanes * kLanes;
  /// not tuned: 640, a segment in whole windows: that long no other speech is alike
  static constexpr int kLongest =
      (static_cast<int>(SegmentOptions{}.segment_s / kEnvelopeStepS) + kWindow - 1) / kWindow * kWindow;
  static_assert(kWindow == 64 && kLongest == 640);

  EnvelopeMatch(std::span<const float> reference, std::span<const float> degraded);

  /// Of the reference, in steps; at most kLongest. False where it is silent.
  bool take(int from, int length);
  /// What a step of the delay costs, by how far it goes.
  static double cost_of_step(int by);
  /// The likeliest delay so near to one, what the way there costs taken off.
  EnvelopePlace best_near(int delay, int by);
  /// The likeliest up to an hour from one: best first.
  std::vector<int> best_anywhere(int delay);

 private:
  void learn_most_shared();
  void weigh(int lowest, int highest);

  std::span<const float> reference_;
  std::vector<float> degraded_;  // with silence around it
  int size_ = 0;                 // without
  std::vector<double> sum_, square_;
  double most_shared_ = 0;  // r^2 of which no more is said: 0.84 to 0.88 of speech
  std::vector<float> part_;
  int from_ = 0;
  double part_square_ = 0;
  std::vector<float> nats_;  // of the delays from lowest_ on
  int lowest_ = 0;
};

}  // namespace vqas::scoring
