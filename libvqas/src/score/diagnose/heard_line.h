#pragma once

#include <span>
#include <vector>

#include "score/diagnose/aligned_pair.h"
#include "score/diagnose/diagnosis.h"
#include "score/diagnose/frame_spectra.h"
#include "score/diagnose/line_response.h"
#include "score/diagnose/mended.h"
#include "score/model/model.h"
#include "vqas/score/impairment.h"
#include "vqas/score/indices.h"

namespace vqas::scoring {

/// The line at the rate of listening, for a model that recognises at a lower rate: its band, its noise, and what would
/// have been heard without some of the impairments. What arrived where is that of the diagnosis at the lower rate.
/// Holds its work space; for one thread.
class HeardLine {
 public:
  explicit HeardLine(const ScoreModel& model)
      : model_(model),
        pair_(model.listening),
        response_(model.listening),
        sent_(response_.frame()),
        arrived_(response_.frame()) {}

  /// `delay` and `deleted` as AlignedPair::assign() has them, at the rate of listening. `inverted`: the polarity of the
  /// degraded recording is. The diagnosis is that of the pair at the lower rate; it must outlive what mended() gives.
  void measure(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
               std::span<const char> deleted, bool inverted, const Diagnosis& diagnosis);
  /// Puts the band into `indices`, and its loss and the noise, where they are or may be worth telling, among
  /// `impairments`. `cost_mos`: what the score lost.
  void tell(double cost_mos, Indices& indices, std::vector<ImpairmentFinding>& impairments) const;
  /// As Diagnosis::mended(), at the rate of listening.
  Mended mended() const;

 private:
  void find_clipped(std::span<const float> received);
  void measure_rest();

  ScoreModel model_;
  AlignedPair pair_;
  LineResponse response_;
  FrameSpectra sent_, arrived_;
  PaddedSignal degraded_;
  std::vector<char> is_peak_;  // one a sample
  std::vector<float> gain_;    // of steps at the rate of listening
  const Diagnosis* diagnosis_ = nullptr;
  ImpairmentFeatures features_;                  // of the diagnosis, with what is clipped at the rate of listening
  std::vector<SharedPower> shared_;              // of each step of the diagnosis,
  std::vector<double> explained_;                // and its explained()
  AlignedVector<float> passed_, arrived_above_;  // the prediction and what was received, without an offset
  std::vector<float> rest_, expected_;           // power in each step, a sample
  double noise_power_ = 0, speech_power_ = 0;    // a sample
};

}  // namespace vqas::scoring
