#pragma once

#include <span>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"
#include "signal/fft.h"

namespace vqas::scoring {

/// Where a phrase of the reference may lie that has no place yet: the highest correlations of the waveforms. The
/// path over frames decides between them. Holds its plans and work space; for one thread.
class PhrasePlaces {
 public:
  explicit PhrasePlaces(const AlignmentModel& model);

  /// Drop what is kept of the last recordings.
  void forget_reference() { thin_reference_.clear(); }
  void forget_degraded() { thin_degraded_.clear(); }
  /// A part of the reference, in samples; the length is a multiple of a hop.
  struct Phrase {
    int from = 0, length = 0;
  };
  /// Delays around this one, in samples; best first.
  const std::vector<int>& near(const PaddedSignal& reference, const PaddedSignal& degraded, const Phrase& phrase,
                               int delay, const DelayRange& range);
  /// Delays in the whole recording, in samples; best first.
  const std::vector<int>& far(const PaddedSignal& reference, const PaddedSignal& degraded, const Phrase& phrase,
                              const DelayRange& range);

 private:
  void take(const PaddedSignal& from, std::vector<float>& to) const;
  void take_degraded(const PaddedSignal& degraded);
  /// Sums of products of a part of the thin reference with the recording at all places, to products_.
  void correlate_all(int begin, int length);
  /// Sums of products of the phrase at the delays from `first` on, one for each of value_.
  void correlate(const PaddedSignal& reference, const PaddedSignal& degraded, const Phrase& phrase, int first);
  /// The highest of value_, `apart` from each other: their places, to found_.
  void take_peaks(int most, std::ptrdiff_t apart);

  AlignmentModel model_;
  std::size_t longest_;  // phrase, thinned
  RealFft fft_;
  std::size_t at_once_;                                // places that one transform tells of
  std::size_t parts_ = 0;                              // of the recording
  std::vector<float> thin_reference_, thin_degraded_;  // empty where not yet taken
  std::vector<double> energy_;                         // of the thin degraded recording, up to each value
  FftBuffer<float> samples_;
  FftBuffer<Complex> degraded_spectra_, spectrum_, product_;
  std::vector<float> products_;  // of each place, from `longest_` before the recording on
  std::vector<float> value_, part_;
  std::vector<int> found_;
};

}  // namespace vqas::scoring
