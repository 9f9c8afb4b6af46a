#pragma once

#include <map>
#include <span>
#include <vector>

#include "signal/fft.h"

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
  /// The highest peaks, best first; at least one, whatever the sequences. Neither is empty.
  /// The spectrum of the reference is kept for the next call with the same one.
  const std::vector<CorrelationPeak>& peaks(std::span<const float> reference, std::span<const float> degraded,
                                            const PeakSearch& search);

 private:
  static constexpr float kTaken = -2.0F;  // not tuned: below any correlation
  const RealFft& plan(std::size_t size);

  std::map<std::size_t, RealFft> plans_;
  std::vector<float> reference_;    // that spectrum_a_ is of,
  std::size_t reference_size_ = 0;  // by an FFT of this size
  double reference_norm_ = 0;
  FftBuffer<float> a_, b_;
  FftBuffer<Complex> spectrum_a_, spectrum_b_, product_;
  std::vector<float> scores_;
  std::vector<CorrelationPeak> peaks_;
};

}  // namespace vqas::scoring
