#pragma once

#include <span>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"

namespace vqas::scoring {

/// Where each frame of the reference lies in the degraded recording at the rate of listening, found from its place at
/// the rate of alignment. Both rates share their instants, so a delay of d samples becomes a multiple of d; the samples
/// between those of the lower rate are decided by the waveforms. Holds its work space; for one thread.
class HeardPlaces {
 public:
  /// `delay`: of each frame, at the rate of alignment. `inverted`: the polarity is. Both recordings have mean 0.
  void find(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
            const ScoreModel& model, bool inverted);
  /// The degraded recording laid beside `size` samples of the reference, hop by hop, at the places found.
  void lay_out(const PaddedSignal& degraded, int size, const ScoreModel& model, PaddedSignal& to) const;
  /// Of each frame, at the rate of listening.
  std::span<const int> delay() const { return delay_; }

 private:
  std::vector<int> delay_;
};

}  // namespace vqas::scoring
