#pragma once

#include <memory>
#include <span>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "signal/fft.h"

namespace vqas::scoring {

/// Cross-correlates blocks of the reference with the degraded recording around any delay. Blocks are chosen first; two
/// of them share a complex FFT, and the chosen blocks' spectra are kept. For one thread.
class BlockCorrelator {
 public:
  explicit BlockCorrelator(const AlignmentModel& model);

  /// `reference` must stay alive.
  void assign(std::span<const float> reference);
  int blocks() const { return static_cast<int>(energy_.size()); }
  /// Energy of a reference block.
  double energy(int block) const { return energy_[static_cast<std::size_t>(block)]; }
  /// Samples of a reference block, zero behind the end of the reference.
  const float* samples(int block) const;
  /// Number of lags in a result; lag i stands for delay + i - range.
  int lags() const { return 2 * model_.block_range + 1; }

  /// Chooses the blocks that the next two functions speak of. What was chosen before of the same reference costs
  /// nothing.
  void choose(std::span<const int> blocks);
  /// Sum over the chosen blocks of their correlations with `degraded` at `delay` ± range, to `lags` (not normalised).
  void correlate_sum(int delay, const PaddedSignal& degraded, std::span<float> lags);
  /// The correlation of each chosen block at its own delay: lags() values for each to `lags`.
  void correlate_each(std::span<const int> delays, const PaddedSignal& degraded, std::span<float> lags);

  /// Energy of the degraded recording that a correlation at `delay` looked at, the whole FFT or the block alone.
  double seen_energy(int block, int delay, const PaddedSignal& degraded) const;
  double block_energy(int block, int delay, const PaddedSignal& degraded) const;

 private:
  const float* seen(std::size_t chosen, int delay, const PaddedSignal& degraded) const;

  AlignmentModel model_;
  ComplexFft fft_;
  std::span<const float> reference_;
  std::vector<float> last_;  // the last block, filled up with zeros
  std::vector<float> energy_;
  struct Choice {
    std::vector<int> blocks;
    FftBuffer<Complex> spectra;  // of two blocks each
  };
  static constexpr std::size_t kMostKept = 4;     // not tuned: sets of blocks whose spectra are kept
  std::vector<std::unique_ptr<Choice>> choices_;  // the first kept_ belong to this reference
  std::size_t kept_ = 0;
  const Choice* chosen_ = nullptr;
  FftBuffer<float> nothing_;
  std::vector<float> unused_;  // lags of a second block where there is none
  FftBuffer<float> padded_;
  FftBuffer<Complex> work_, spectrum_, product_;
};

}  // namespace vqas::scoring
