#pragma once

#include <span>
#include <vector>

#include "score/fft.h"
#include "score/model.h"
#include "score/padded_signal.h"

namespace vqas::scoring {

/// Cross-correlates blocks of the reference with the degraded recording around any delay. The spectra of the
/// reference's blocks are kept, each computed when first asked for. For one thread.
class BlockCorrelator {
 public:
  explicit BlockCorrelator(const AlignmentModel& model);

  void assign(std::span<const float> reference);
  int blocks() const { return blocks_; }
  /// Energy of a reference block.
  double energy(int block) const { return energy_[static_cast<std::size_t>(block)]; }
  /// Number of lags in a result; lag i stands for delay + i - range.
  int lags() const { return 2 * model_.block_range + 1; }

  /// Correlation of one block with `degraded` at `delay` ± range, to `lags` (not normalised).
  void correlate(int block, int delay, const PaddedSignal& degraded, std::span<float> lags);
  /// The same summed over several blocks at one delay.
  void correlate(std::span<const int> blocks, int delay, const PaddedSignal& degraded, std::span<float> lags);
  /// Energy of the degraded recording that a correlation at `delay` looked at, the whole FFT or the block alone.
  double seen_energy(int block, int delay, const PaddedSignal& degraded) const;
  double block_energy(int block, int delay, const PaddedSignal& degraded) const;

 private:
  const Complex* spectrum(int block);
  void accumulate(int block, int delay, const PaddedSignal& degraded, bool first);
  void take_lags(std::span<float> lags);

  AlignmentModel model_;
  RealFft fft_;
  int blocks_ = 0;
  std::vector<float> samples_;
  std::vector<double> energy_;
  std::vector<char> known_;
  FftBuffer<Complex> spectra_;
  FftBuffer<float> work_;
  FftBuffer<Complex> work_spectrum_;
  FftBuffer<Complex> product_;
};

}  // namespace vqas::scoring
