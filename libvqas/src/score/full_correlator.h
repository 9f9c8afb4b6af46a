#pragma once

#include <map>
#include <span>
#include <vector>

#include "score/fft.h"

namespace vqas::scoring {

/// A delay at which two sequences agree.
struct CorrelationPeak {
  int delay = 0;  ///< in steps of the sequences
  double correlation = 0;
};

/// What to look for in a full cross-correlation, in steps of the sequences.
struct PeakSearch {
  int lowest = 0;
  int highest = 0;
  int count = 1;
  int distance = 0;          ///< between two peaks
  bool either_sign = false;  ///< a negative peak is as good as a positive one
};

/// Full cross-correlation of two sequences by FFT, means removed, normalised by both norms. Holds its plans, one for
/// each power of two that was needed; for one thread.
class FullCorrelator {
 public:
  /// The next reference is another one. Until this is called, it is taken to be the one before, whose spectrum is kept.
  void forget_reference() { reference_size_ = 0; }
  /// The highest peaks, best first; at least one, whatever the sequences. Neither is empty.
  const std::vector<CorrelationPeak>& peaks(std::span<const float> reference, std::span<const float> degraded,
                                            const PeakSearch& search);

 private:
  static constexpr float kTaken = -2.0F;  // below any correlation
  const RealFft& plan(std::size_t size);

  std::map<std::size_t, RealFft> plans_;
  std::size_t reference_size_ = 0;  // of the FFT that spectrum_a_ was made with; 0 where it is of no use
  double reference_norm_ = 0;
  FftBuffer<float> a_, b_;
  FftBuffer<Complex> spectrum_a_, spectrum_b_, product_;
  std::vector<float> scores_;
  std::vector<CorrelationPeak> peaks_;
};

}  // namespace vqas::scoring
