#pragma once

#include <span>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "signal/fft.h"

namespace vqas::scoring {

/// The reference as the line passes it on: a filter that is told from frames of both recordings, laid at one delay
/// each (pooled cross-spectrum over the reference's power, cut to 8 ms). Behind it a band-limited recording correlates
/// with the reference as any other does. Holds its plan and work space; for one thread.
class LineFilter {
 public:
  explicit LineFilter(const AlignmentModel& model);
  /// Values that a filter has.
  static int taps();

  /// Tells the filter from the frames that are chosen (1), each at its delay, and writes the
  /// filtered reference, as long as it is, to `passed`. False, and nothing written, where no frame was chosen,
  /// nothing was received in them, or the filtered reference is no more alike than the one that was sent.
  bool run(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
           std::span<const char> chosen, PaddedSignal& passed);

  /// After run(): the phase that the line gives each bin of a frame, of size 1.
  std::span<const Complex> phase() const { return phase_; }

 private:
  void pool(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
            std::span<const char> chosen);
  void find_taps();
  bool explains_more() const;

  AlignmentModel model_;
  ComplexFft fft_;
  AlignedVector<float> window_;
  FftBuffer<Complex> work_, spectrum_;
  AlignedVector<float> re_, im_, other_re_, other_im_;
  AlignedVector<float> from_power_, to_power_, cross_re_, cross_im_;
  std::vector<float> taps_;
  std::vector<Complex> phase_;
};

}  // namespace vqas::scoring
