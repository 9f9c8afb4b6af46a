#pragma once

#include <optional>
#include <vector>

#include "score/block_correlator.h"
#include "score/model.h"
#include "score/padded_signal.h"

namespace vqas::scoring {

/// Finds a clock drift that is too fast for a delay track to follow: for every drift on a grid up to ±1.25 % the
/// strongest blocks are correlated where that drift would have put them, and the correlations are summed along finer
/// lines. Coarse (within about 500 ppm); meant to be followed by a correction and TimingFit. For one thread.
class DriftSearch {
 public:
  explicit DriftSearch(const AlignmentModel& model) : model_(model) {}
  /// `delay` is that of the middle of the reference, in samples. Nothing when no drift fits clearly better than none.
  std::optional<double> run(BlockCorrelator& blocks, const PaddedSignal& degraded, double delay, float sign);

 private:
  struct Line {
    double slope = 0;
    double correlation = 0;  // of the blocks along the line, 0..1
    double flat = 0;         // of the same blocks along a line of the slope that was asked for
  };
  /// The best line with a slope within half a coarse step of `slope`.
  Line best_near(double slope, BlockCorrelator& blocks, const PaddedSignal& degraded, double delay, float sign);

  AlignmentModel model_;
  std::vector<int> strongest_;
  std::vector<double> time_;  // of each block's middle, from the middle of the reference
  std::vector<int> place_;    // the delay at which each block was correlated
  std::vector<float> lags_;   // of every block
  std::vector<float> pooled_;
};

}  // namespace vqas::scoring
