#pragma once

#include <optional>
#include <vector>

#include "score/active_level.h"
#include "score/aligner.h"
#include "score/diagnosis.h"
#include "score/drift_search.h"
#include "score/model.h"
#include "score/perception.h"
#include "score/preparation.h"
#include "score/refusal.h"
#include "score/timing.h"
#include "vqas/score/explanation.h"
#include "vqas/score/score.h"

namespace vqas::scoring {

/// One pair from samples to Score: prepare, align, correct the clock if needed, compare, decide. Holds all work space;
/// for one thread.
class Engine {
 public:
  Engine(const PerceptualModel& perceptual, const AlignmentModel& alignment);
  /// Fills `explanation`, if one is wanted, as far as the pair could be used.
  Score score(const Signal& reference, const Signal& degraded, const std::optional<KnownPlacement>& placement,
              std::optional<Explanation>* explanation = nullptr);

 private:
  /// What one alignment of the pair gives.
  struct Evaluation {
    double auditory_distance = 0;
    double waveform_match = 0;
    double pattern_match = 0;
    Timing timing;
    std::vector<int> delay;
    float sign = 1;
    bool steady = false;  ///< one delay fits the whole recording
  };
  Evaluation evaluate(const PreparedPair& pair, bool place_is_known);
  std::optional<double> find_drift(const Evaluation& evaluation, bool first);
  void correct_clock_drift(PreparedPair& pair, Evaluation& evaluation, bool place_is_known);
  std::optional<Refusal> check_reference() const;
  std::optional<Refusal> check_match(const Evaluation& evaluation);
  /// P.56 level, in dBov as recorded, of `length` samples from `from`; DC is gone.
  std::optional<double> level_of(const Centred& recording, int from, int length);
  /// Puts back the recording that the kept evaluation was made with.
  void lay_out(const PreparedPair& pair, double drift_ppm);
  void diagnose(const Evaluation& evaluation, Score& score);
  Explanation explain(const Evaluation& evaluation, bool place_is_known);
  double least_power(bool place_is_known) const;
  bool matches(const Evaluation& evaluation) const;

  PerceptualModel perceptual_;
  Aligner aligner_;
  Perception perception_;
  TimingFit timing_;
  DriftSearch drift_search_;
  ActiveLevel level_;
  Diagnosis diagnosis_;
  Centred reference_, degraded_;
  PaddedSignal padded_;
};

}  // namespace vqas::scoring
