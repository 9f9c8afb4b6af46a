#pragma once

#include <optional>
#include <vector>

#include "score/align/aligner.h"
#include "score/align/phase_equaliser.h"
#include "score/model/model.h"

namespace vqas::scoring {

/// What the delay track says about time, finer than a sample.
struct Timing {
  double delay = 0;                       ///< median of the track over frames that were heard, samples, fractional
  std::optional<double> clock_drift_ppm;  ///< slope of the delay; nothing when none stands out
  double drift_error_ppm = 0;             ///< its standard error
  /// Whether it is worth being told; a coarser one is only worth a correction and a second look.
  bool drift_is_precise() const { return clock_drift_ppm.has_value() && drift_error_ppm < kPreciseDriftPpm; }
  static constexpr double kPreciseDriftPpm = 10;  // by hand: standard error up to which a drift is told
};

/// Measures delay and drift: each block of 96 ms is correlated again at its own delay, the peak interpolated by a
/// parabola, and one line with an offset for each segment between jumps is fitted through all of them, outliers
/// down-weighted by Tukey's biweight. Where the blocks scatter as they do behind a filter, which delays each by what is
/// loud in it, they are measured once more with the line's phase taken out. Holds its work space; for one thread.
class TimingFit {
 public:
  explicit TimingFit(const AlignmentModel& model) : model_(model), equaliser_(model) {}
  /// `blocks` holds the same reference that `alignment` was made with.
  Timing run(const Alignment& alignment, const BlockCorrelator& blocks, const PaddedSignal& degraded);

 private:
  struct Point {
    double time = 0;  // of the block's middle, in samples of the reference
    double delay = 0;
    double weight = 0;
    int group = 0;  // segment between jumps
    int block = 0;
    int track = 0;  // the delay of the alignment
  };
  struct Line {
    double slope = 0;
    double error = 0;  // standard error of the slope
    double scatter = 0;
    int groups = 0;  // segments between jumps
  };
  void collect(const Alignment& alignment, const BlockCorrelator& blocks, const PaddedSignal& degraded);
  Line fit(bool in_groups);
  /// Of the blocks that the equaliser holds.
  Line fit_equalised(bool in_groups);
  /// Nothing where even without the line's phase the blocks lie on no line.
  std::optional<Line> fit_dispersed(const BlockCorrelator& blocks, const PaddedSignal& degraded);
  void measure_drift(const BlockCorrelator& blocks, const PaddedSignal& degraded, Timing& timing);

  AlignmentModel model_;
  PhaseEqualiser equaliser_;
  std::vector<Point> points_;
  std::vector<double> robust_, residual_, sorted_, expected_, rest_;
  std::vector<float> lags_;
};

}  // namespace vqas::scoring
