#pragma once

#include <span>
#include <utility>
#include <vector>

#include "score/align/block_correlator.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"

namespace vqas::scoring {

/// Collects the delays, to the sample, that any part of the recording speaks for: every block is correlated around its
/// rough delay, and the peaks of single blocks, of three blocks and of whole runs vote. For one thread.
class DelayCandidates {
 public:
  explicit DelayCandidates(const AlignmentModel& model) : model_(model) {}
  /// `rough` is the delay of each block in samples. At least one candidate comes
  /// back; `certain` are the first.
  const std::vector<int>& run(BlockCorrelator& blocks, const PaddedSignal& degraded, std::span<const int> rough,
                              const DelayRange& range, std::span<const int> certain = {});

 private:
  /// Sums the correlations of blocks first..last-1, moved to one delay; gives the best delay and its correlation.
  std::pair<int, double> pool(const BlockCorrelator& blocks, std::span<const int> rough, int first, int last,
                              int reference_delay, const DelayRange& range);
  void vote(int delay, double value);

  AlignmentModel model_;
  std::vector<float> lags_;
  std::vector<double> degraded_energy_;
  std::vector<float> pooled_;
  std::vector<int> all_;
  std::vector<std::pair<int, double>> votes_;
  std::vector<int> run_delays_;
  std::vector<int> candidates_;
};

}  // namespace vqas::scoring
