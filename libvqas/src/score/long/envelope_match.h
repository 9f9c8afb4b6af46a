#pragma once

#include <cstddef>
#include <span>
#include <vector>

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
  /// A part that is placed, in steps; half of it, 1 s, must lie in the recording.
  static constexpr int kWindow = 64;    // 2 s; 1 and 4 s do as well
  static constexpr int kLongest = 640;  // 20 s by hand, about a segment: that long no other speech is alike

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
  void weigh(int lowest, int highest);

  std::span<const float> reference_;
  std::vector<float> degraded_;  // with silence around it
  int size_ = 0;                 // without
  std::vector<double> sum_, square_;
  std::vector<float> part_;
  int from_ = 0;
  double part_square_ = 0;
  std::vector<float> nats_;  // of the delays from lowest_ on
  int lowest_ = 0;
};

}  // namespace vqas::scoring
