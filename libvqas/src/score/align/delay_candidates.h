#pragma once

#include <span>
#include <utility>
#include <vector>

#include "score/align/block_correlator.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"

namespace vqas::scoring {

/// Collects the delays, to the sample, that any part of the recording speaks for: blocks are correlated around their
/// rough delays, and the peaks of single blocks, of three blocks and of whole runs vote. For one thread.
class DelayCandidates {
 public:
  explicit DelayCandidates(const AlignmentModel& model) : model_(model) {}

  void clear() { delays_.clear(); }
  void add(int delay);
  /// Adds the delays that the blocks vote for, as many as the model allows. `rough` is the delay of each block of the
  /// reference, in samples.
  void ask(BlockCorrelator& blocks, const PaddedSignal& degraded, std::span<const int> rough, const DelayRange& range);
  /// Keeps these only.
  void keep(std::span<const int> delays) { delays_.assign(delays.begin(), delays.end()); }
  /// Each once, ascending.
  std::span<const int> delays() const { return delays_; }

 private:
  /// Sums the correlations of blocks first..last-1, moved to one delay; gives the best delay and its correlation.
  std::pair<int, double> pool(const BlockCorrelator& blocks, std::span<const int> rough, int first, int last,
                              int reference_delay, const DelayRange& range);
  void vote(int delay, double value);
  void vote_as_runs(const BlockCorrelator& blocks, std::span<const int> rough, const DelayRange& range);

  AlignmentModel model_;
  std::vector<float> lags_;
  std::vector<const float*> lags_of_;  // of each block; null where it was not asked
  std::vector<double> degraded_energy_;
  std::vector<float> pooled_;
  std::vector<int> asked_, asked_delay_;  // blocks that hold more than a pause
  std::vector<std::pair<int, double>> votes_;
  std::vector<int> run_delays_;
  std::vector<int> delays_;
};

}  // namespace vqas::scoring
