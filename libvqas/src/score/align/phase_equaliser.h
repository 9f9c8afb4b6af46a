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

  void clear() { blocks_ = 0; }
  /// `model.block` samples of the reference, and as many of the degraded recording from where they should lie.
  void add(const float* reference, const float* degraded);
  /// Where each block lies beyond `expected` (samples after where it was added), to `rest`; `weight` is that of the
  /// block in the pooled spectrum. All three have a value for each block added. Linear for up to about a sample.
  void measure(std::span<const double> expected, std::span<const double> weight, std::span<double> rest);

 private:
  void turn(std::size_t block, double samples);

  AlignmentModel model_;
  std::size_t first_bin_, bins_;
  std::size_t blocks_ = 0;
  std::optional<ComplexFft> fft_;
  std::vector<float> window_;
  FftBuffer<Complex> work_, spectrum_;
  std::vector<Complex> cross_;                           // a row for each block
  std::vector<float> reference_power_, degraded_power_;  // the same
  std::vector<Complex> turned_;
  std::vector<std::complex<double>> pooled_;
  std::vector<double> from_power_, to_power_, share_;
  std::vector<Complex> phase_;  // of the line, conjugate, times the weight of the bin
  std::vector<float> own_;      // weight of the bin over its pooled size
};

}  // namespace vqas::scoring
