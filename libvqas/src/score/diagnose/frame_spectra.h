#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "score/dsp/kernels.h"
#include "signal/fft.h"

namespace vqas::scoring {

/// Spectra of a recording's frames, which overlap by a half and are seen through a Hann window. They are taken once and
/// serve every measurement of the recording. Holds its plan and work space; for one thread.
class FrameSpectra {
 public:
  /// `frame`: samples, a multiple of 4 · kLanes.
  explicit FrameSpectra(int frame);

  /// Takes the frames that lie wholly in `samples`.
  void assign(std::span<const float> samples);

  int count() const { return count_; }
  /// Samples of the recording.
  std::size_t size() const { return size_; }
  struct Frame {
    SplitSpectrum bins;             ///< 1 to frame/2 - 1, each twice as large, and a zero behind them
    std::span<const float> groups;  ///< group_powers() of these
  };
  /// Of a frame, until another one is asked for.
  Frame of(int frame);
  /// Energy of a frame without its window.
  double energy(int frame) const { return double{halves_[frame]} + halves_[frame + 1]; }
  /// Mean energy of a sample.
  double power() const { return power_; }

  /// The recording convolved with an impulse response, of which `response` is the spectrum (frame/2 + 1 bins, of a
  /// frame) and which reaches no more than a quarter of a frame either side. `to` is as long as the recording.
  void filter(std::span<const Complex> response, std::span<float> to);

 private:
  /// A frame begins half a frame before the recording, so that every sample lies in the middle of one.
  std::size_t row_of(int frame) const { return static_cast<std::size_t>(frame) + 1; }
  const float* three_halves(std::span<const float> samples, std::size_t row);
  /// Puts the middle half of a row, as far as it lies in the recording.
  void put_middle(std::span<const float> middle, std::size_t row, std::span<float> to) const;

  std::size_t frame_, half_, stride_;
  std::size_t size_ = 0;
  int count_ = 0;
  double power_ = 0;
  ComplexFft fft_;
  FftBuffer<Complex> work_, factor_, product_;
  /// Two frames in each spectrum, without a window; behind it the first value again. They are split when they are asked
  /// for: kept apart as well they would not fit the cache.
  FftBuffer<Complex> both_;
  AlignedVector<float> re_, im_, groups_;  // of the two frames that are split
  std::size_t split_pair_ = 0;
  AlignedVector<float> edge_, even_, odd_;
  std::vector<float> halves_;  // energy of each half frame
};

}  // namespace vqas::scoring
