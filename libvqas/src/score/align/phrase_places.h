#pragma once

#include <map>
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
  explicit PhrasePlaces(const AlignmentModel& model) : model_(model) {}

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
  void correlate_all(int begin, int length);
  /// Sums of products of the phrase at the delays from `first` on, one for each of value_.
  void correlate(const PaddedSignal& reference, const PaddedSignal& degraded, const Phrase& phrase, int first);
  /// The highest of value_, `apart` from each other: their places, to found_.
  void take_peaks(int most, std::ptrdiff_t apart);
  const RealFft& plan(std::size_t size);

  AlignmentModel model_;
  std::map<std::size_t, RealFft> plans_;
  std::vector<float> thin_reference_, thin_degraded_;  // empty where not yet taken
  std::vector<double> energy_;                         // of the thin degraded recording, up to each value
  std::size_t size_ = 0;                               // of the FFT that the recording was taken for
  FftBuffer<float> samples_;
  FftBuffer<Complex> degraded_spectrum_, spectrum_, product_;
  std::vector<float> value_, part_;
  std::vector<int> found_;
};

}  // namespace vqas::scoring
