#pragma once

#include <span>
#include <vector>

#include "score/diagnose/aligned_pair.h"
#include "score/diagnose/frame_spectra.h"
#include "score/diagnose/line_response.h"
#include "score/model/model.h"
#include "vqas/score/impairment.h"
#include "vqas/score/indices.h"

namespace vqas::scoring {

/// The band of a line at the rate of listening, for a model that recognises at a lower rate: what the diagnosis says of
/// the band ends where that rate ends. Holds its work space; for one thread.
class HeardBand {
 public:
  explicit HeardBand(const ScoreModel& model)
      : model_(model),
        pair_(model.listening),
        response_(model.listening),
        sent_(response_.frame()),
        arrived_(response_.frame()) {}

  /// `delay` and `deleted` as AlignedPair::assign() has them, at the rate of listening; `gain` of each step of the
  /// diagnosis, which is taken out.
  void measure(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
               std::span<const char> deleted, bool waveform_kept, std::span<const float> gain);
  /// Puts the band into `indices` and its loss, where it is worth telling, among `impairments`: first where the line
  /// ends below what the others were measured in, so that none of them knows of it, else behind them.
  void tell(Indices& indices, std::vector<ImpairmentFinding>& impairments) const;

 private:
  ScoreModel model_;
  AlignedPair pair_;
  LineResponse response_;
  FrameSpectra sent_, arrived_;
  std::vector<float> gain_;  // of steps at the rate of listening
};

}  // namespace vqas::scoring
