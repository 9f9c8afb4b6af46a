#pragma once

#include <vector>

#include "score/envelope.h"
#include "score/model.h"
#include "score/viterbi.h"

namespace vqas::scoring {

/// Follows the delay roughly: windows of half a second of the reference's envelope, each compared with the degraded
/// envelope around the global delay, joined by the best path. For one thread.
class PieceSearch {
 public:
  explicit PieceSearch(const AlignmentModel& model);
  /// The delay of each window in envelope steps, around `global_delay` and inside `range` (samples).
  const std::vector<int>& run(const std::vector<float>& reference, const std::vector<float>& degraded, int global_delay,
                              const DelayRange& range);

 private:
  void compare(const std::vector<float>& reference, const std::vector<float>& degraded, int start, int global_delay,
               float* gains, float& weight);

  AlignmentModel model_;
  Viterbi viterbi_;
  std::vector<std::vector<int>> near_;
  std::vector<float> gains_, weights_;
  std::vector<float> window_;
  std::vector<double> sum_, square_;  // of the degraded envelope, up to each step
  std::vector<int> path_;
};

}  // namespace vqas::scoring
