#pragma once

#include <array>
#include <complex>
#include <span>

#include "signal/fft.h"
#include "vqas/sync/mark.h"

namespace vqas::sync {

/// Correlates blocks of a stream with both hop codes of one end by overlap-save. One forward transform serves both;
/// only the band of the marks is transformed back, so the results are at 2 kHz. For one thread; run() allocates
/// nothing.
class MatchedFilter {
 public:
  static constexpr std::size_t kBlock = 2048;  ///< samples that run() processes
  static constexpr std::size_t kGuard = 64;    ///< at both ends, affected by the block's wrap-around
  static constexpr std::size_t kHop = 832;     ///< samples from one block to the next
  static constexpr std::size_t kDecimation = 4;
  static constexpr std::size_t kScores = kHop / kDecimation;

  explicit MatchedFilter(End sender);

  /// Processes kBlock samples.
  void run(std::span<const float> block);
  /// Squared correlation, normalised by the energy in the marks' band under the code, 0..1. Element m belongs to a code
  /// whose first sample is kGuard + kDecimation·m in the block.
  std::span<const float> scores(MarkKind kind) const { return scores_[static_cast<std::size_t>(kind)]; }

 private:
  static constexpr std::size_t kSmall = kBlock / kDecimation;
  void to_band(const std::vector<Complex>* code);

  FftBuffer<float> time_;
  FftBuffer<Complex> spectrum_;
  FftBuffer<Complex> band_spectrum_, band_;
  RealFft fft_;
  ComplexFft band_fft_;
  std::vector<float> window_;                  // of the band, from kFirstBin
  std::array<std::vector<Complex>, 2> codes_;  // conjugate spectra, from kFirstBin
  std::array<float, 2> code_energy_{};
  std::array<std::array<float, kScores>, 2> scores_{};
  std::array<double, kSmall + 1> energy_{};  // running sum in the band
};

}  // namespace vqas::sync
