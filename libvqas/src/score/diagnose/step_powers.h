#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "score/lattice/received.h"
#include "score/lattice/shared_power.h"
#include "score/model/shared_numbers.h"
#include "vqas/score/indices.h"

namespace vqas::scoring {

/// Whether the speech of a step arrived: it did or there is none; it did not; it is too close to the noise to tell.
enum class Arrival : char { yes, no, unknown };

/// Powers of the predicted and the received speech every 4 ms, which steps hold speech, and which of it arrived.
/// Values are sums over the samples of a step. Holds its work space; for one thread.
class StepPowers {
 public:
  /// Takes where the reference has speech.
  void assign(std::span<const float> reference);
  /// Both as long as the reference; `predicted` is what the line alone would have passed on.
  void measure(std::span<const float> predicted, std::span<const float> degraded, bool waveform_kept);

  /// Tells what arrived, and what depends on it: arrival, expected, received, residual, speech_power, missing_speech.
  /// Call it after measure() of the same recordings. `lost` has a value for each four steps, 1 where the alignment did
  /// not find the speech; it may be empty.
  void tell_arrival(std::span<const float> predicted, std::span<const float> degraded, bool waveform_kept,
                    std::span<const char> lost);

  /// Of a line that passed on nothing: all speech of the reference is missing.
  void measure_nothing();

  int count() const { return static_cast<int>(speech_.size()); }
  const std::vector<char>& speech() const { return speech_; }  ///< 1 where the reference talks, short pauses included
  const std::vector<char>& active() const { return active_; }  ///< 1 where it talks in this very step
  const std::vector<Arrival>& arrival() const { return arrival_; }
  const std::vector<float>& gain() const { return gain_; }  ///< of the line, slow, relative to `predicted`
  /// Power of the prediction (with gain), of what was received, and of their difference, a sample.
  const std::vector<float>& expected() const { return expected_; }
  const std::vector<float>& received() const { return received_; }
  const std::vector<float>& residual() const { return residual_; }
  /// What tell_arrival() compared; as long as its recordings live.
  const ReceivedSteps& compared() const { return compared_; }
  const std::vector<SharedPower>& shared() const { return shared_; }
  /// Mean power of the expected speech in active steps, a sample.
  double speech_power() const { return speech_power_; }
  /// Seconds of the speech in frames marked as lost that this line's prediction does not explain either, after
  /// measure().
  double unexplained_s(std::span<const char> lost) const;
  MissingSpeech missing_speech() const;
  LevelTrack level_track() const { return track_; }

 private:
  void find_speech();
  /// `mean`: power of the prediction in a step.
  void follow_gain(bool waveform_kept, double mean);
  void find_missing(std::span<const float> predicted, std::span<const float> degraded, bool waveform_kept,
                    std::span<const char> lost);
  void join_gaps();
  void subtract();
  /// The first step from `first` towards `last` by which 20 ms of speech have arrived; `last` when none have.
  int first_arrived(int first, int last, int direction) const;

  std::vector<char> lost_steps_;
  ReceivedSteps compared_;
  ReceivedWork received_work_;
  std::vector<SharedPower> shared_;
  std::vector<double> explained_;  // of each step's shared power
  std::vector<float> reference_power_, predicted_power_, received_, expected_, residual_, gain_;
  std::vector<char> speech_, active_;
  std::vector<Arrival> arrival_;
  double speech_power_ = 0;
  LevelTrack track_;
};

}  // namespace vqas::scoring
