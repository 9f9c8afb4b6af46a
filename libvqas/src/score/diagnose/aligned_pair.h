#pragma once

#include <span>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "signal/aligned.h"

namespace vqas::scoring {

inline constexpr int kBorderFrames = 6;  // 96 ms beside a change of the delay: as far as its frames reach

/// One change of delay between two segments in which it is steady.
struct DelayChange {
  int frame = 0;    ///< of the reference, where the new delay begins
  int samples = 0;  ///< positive: inserted
};

/// The degraded recording laid beside the reference, sample by sample, for measurements of the line. The delay changes
/// where the waveforms say, to the sample. Holds its work space; for one thread.
class AlignedPair {
 public:
  explicit AlignedPair(const PerceptualModel& model) : model_(model) {}

  /// `delay` has one value a frame. `deleted` as Alignment has it, one a frame or none: nothing was received there.
  void assign(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
              std::span<const char> deleted);

  /// Whether a segment of 0.3 s or more matches so well that it is this speech at this place.
  bool is_anchored() const;
  /// Whether there is such a segment more than so many samples from a delay.
  bool is_anchored_beyond(int delay, int reach) const;
  std::span<const float> reference() const { return reference_; }
  /// As long as the reference; with the polarity of the aligner.
  std::span<const float> degraded() const { return degraded_; }
  /// Puts other samples in place of degraded(), as many.
  void replace_degraded(std::span<const float> samples) { degraded_.assign(samples.begin(), samples.end()); }
  /// Delay of each frame that was used.
  std::span<const int> delay() const { return delay_; }
  const std::vector<DelayChange>& changes() const { return changes_; }

 private:
  struct Run {
    int first = 0, last = 0;  // frames, half open
    int delay = 0;
    double correlation = 0;
  };
  static bool is_anchor(const Run& run);
  double correlation(int first, int last, int delay, const PaddedSignal& degraded) const;
  void find_runs(std::span<const int> delay, const PaddedSignal& degraded);
  /// The first frame at the delay of `after`: where the two delays together fit best.
  int border_between(const Run& before, const Run& after, const PaddedSignal& degraded) const;
  void fill(const PaddedSignal& degraded);
  void keep_pauses(std::span<const int> delay, std::span<const char> deleted);

  PerceptualModel model_;
  std::span<const float> reference_;
  AlignedVector<float> degraded_;
  std::vector<int> delay_;
  std::vector<Run> runs_;
  std::vector<DelayChange> changes_;
};

/// 1 in `is_peak`, one a sample of the reference, where what was received there is near the highest sample of all: a
/// peak that may have been clipped. `delay`: of each `hop` samples of the reference.
void mark_peaks(std::span<const float> received, std::span<const int> delay, int hop, std::span<char> is_peak);

}  // namespace vqas::scoring
