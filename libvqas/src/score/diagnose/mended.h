#pragma once

#include <optional>
#include <span>
#include <vector>

#include "score/diagnose/impairment_features.h"
#include "score/diagnose/step_powers.h"
#include "vqas/score/impairment.h"

namespace vqas::scoring {

/// A pair as it was laid sample by sample, with what is known of its line. The rate may be another one than that of the
/// steps and features: `rest` and `noise_power` are at the rate of the samples.
struct LaidOut {
  std::span<const float> reference, received, predicted;
  int step_samples = kStep;     ///< of the samples, in a step
  std::span<const float> rest;  ///< of each step: power, a sample, of what was received beside the speech
  double noise_power = 0;       ///< of the noise in the pauses, a sample
  const StepPowers& steps;
  const ImpairmentFeatures& features;
};

/// What would have been received without some of the impairments: the speech as the line passes it on, plus all of what
/// else was received that they do not explain. What is left in a step beside the speech belongs to one impairment
/// alone: to clipping where more is expected than passes, to a loss where nothing or something else arrived, to noise
/// in pauses and as much of it in speech, to coding the rest. A delay that changes is never in it: a pair that is laid
/// out has none, and what is joined by a jump is the speech. What the pair holds must outlive it. For one thread.
class Mended {
 public:
  explicit Mended(const LaidOut& pair) : pair_(pair), steps_(pair_), shares_(kAllImpairments.size()) {}

  /// Whether taking it out, or leaving it, changes anything.
  bool changes(Impairment impairment);
  std::size_t size() const { return pair_.received.size(); }
  /// `to` has size() samples.
  void without(std::span<const Impairment> impairments, std::span<float> to);

 private:
  /// What of the steps' rest each impairment leaves; see mended.cpp.
  class Steps {
   public:
    explicit Steps(const LaidOut& pair);
    double share_left(Impairment impairment, int step) const;
    bool is_missing(int step) const;
    /// The gain of the line as fast as it may change, where its level moves: by what was received in 20 ms. It is the
    /// slow one where too little matches.
    float quick_gain(int step) const;

   private:
    double without_noise(int step) const;
    double noise_alone(int step) const;
    double rest_around(int step) const;
    bool stands_out(int step) const;
    bool is_replaced(int step) const;
    bool is_talking(int step) const;
    bool impulses(int step) const;
    bool is_at_end(int step) const;

    LaidOut pair_;
    double coding_share_ = 0;  // of the coder's usual error, by the speech
    int first_arrived_ = 0, last_arrived_ = -1;
    std::vector<char> stands_out_, is_gap_;
    std::vector<double> rest_;  // of each step, over 20 ms
  };

  /// A step of which an impairment leaves less than all.
  struct ShareLeft {
    int step = 0;
    float share = 1;
  };
  const std::vector<ShareLeft>& shares_of(Impairment impairment);
  void take_out(Impairment impairment, std::span<float> to);
  void widen(std::span<float> to) const;
  void hold_level(std::span<float> to);
  float gain_of(int step) const;
  float quick_gain_of(int step) const;
  std::size_t begin_of(int step) const {
    return static_cast<std::size_t>(step) * static_cast<std::size_t>(pair_.step_samples);
  }

  LaidOut pair_;
  Steps steps_;
  std::vector<std::optional<std::vector<ShareLeft>>> shares_;  // of each impairment that was asked for
  std::vector<char> is_filled_;  // of each step: whether all of what was received gave way to the speech
  bool is_level_held_ = false;
};

}  // namespace vqas::scoring
