#pragma once

#include <optional>
#include <span>
#include <vector>

#include "score/model/model.h"
#include "signal/fft.h"

namespace vqas::scoring {

/// Delays of blocks behind a line that delays some frequencies more than others (a filter): what is the same in all
/// blocks is the line's phase, what differs is time. The phase of the pooled cross-spectrum is taken out of each
/// block's, and its delay read from what is left, frequencies weighed by their coherence (C. Knapp and G. Carter 1976).
/// Holds its plan and work space, made when first used; for one thread.
class PhaseEqualiser {
 public:
  explicit PhaseEqualiser(const AlignmentModel& model);

  void clear();
  /// `model.block` samples of the reference, and as many of the degraded recording from where they should lie. `weight`
  /// is that of the block in the pooled spectrum.
  void add(const float* reference, const float* degraded, double weight);
  /// Where each block lies beyond `expected` (samples after where it was added), to `rest`. Both have a value for each
  /// block added. Linear for up to about a sample.
  void measure(std::span<const double> expected, std::span<double> rest);

 private:
  void turn(std::span<const double> expected);
  void pool();

  AlignmentModel model_;
  std::size_t first_bin_, bins_;
  std::size_t blocks_ = 0;
  std::optional<ComplexFft> fft_;
  AlignedVector<float> window_;
  FftBuffer<Complex> work_, spectrum_;
  AlignedVector<float> from_re_, from_im_, to_re_, to_im_, from_square_, to_square_;  // of the block that is added
  AlignedVector<float> cross_re_, cross_im_, turned_re_, turned_im_;                  // kBlocks blocks after each other
  AlignedVector<float> share_;  // of each block, 0 behind the last
  std::vector<double> pooled_re_, pooled_im_, from_power_, to_power_;
  std::vector<float> omega_;
  std::vector<float> phase_re_, phase_im_, own_;  // as PooledPhase
};

}  // namespace vqas::scoring
