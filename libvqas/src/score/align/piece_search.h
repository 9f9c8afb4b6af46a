#pragma once

#include <vector>

#include "score/align/viterbi.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"

namespace vqas::scoring {

/// Follows the delay roughly: windows of half a second of the reference's envelope, each compared with the degraded
/// envelope around the global delay, joined by the best path. For one thread.
class PieceSearch {
 public:
  explicit PieceSearch(const AlignmentModel& model) : model_(model) {}
  /// The delay of each window in envelope steps, around `global_delay` and inside `range` (samples).
  const std::vector<int>& run(const std::vector<float>& reference, const std::vector<float>& degraded, int global_delay,
                              const DelayRange& range);

 private:
  void measure_degraded(const std::vector<float>& degraded);
  void compare(const std::vector<float>& reference, const std::vector<float>& degraded, int start, int global_delay,
               float* gains, float& weight);
  float compare_partly(const std::vector<float>& degraded, int origin, double variance) const;

  AlignmentModel model_;
  Viterbi viterbi_;
  std::vector<float> gains_, weights_;
  std::vector<float> window_;
  std::vector<double> sum_, square_;      // of the degraded envelope, up to each step
  std::vector<float> inverse_deviation_;  // of the degraded window that begins at each step
  std::vector<int> path_;
};

}  // namespace vqas::scoring
