#pragma once

#include <functional>
#include <vector>

#include "vqas/score/score.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A recording of any length that can be read piece by piece.
struct LongRecording {
  double seconds = 0;
  /// `seconds` from `start_s`, silence where the recording does not reach; every piece has the same rate.
  std::function<Result<Signal>(double start_s, double seconds)> read;
};

struct StretchOptions {
  double stretch_s = 20;       ///< of the reference; 5..120
  double search_s = 10;        ///< how far the delay of the first match may be from 0, either way; 0..60
  double uncertainty_s = 0.5;  ///< by how much the delay may change from one stretch to the next; 0.05..5
};

/// The score of one stretch of a long recording.
struct StretchScore {
  double start_s = 0;  ///< in the reference
  double length_s = 0;
  Score score;  ///< delays are those of the whole recordings; a stretch in which nobody talks has the outcome no_speech
};

/// The scores of a long recording.
struct LongScore {
  /// mos_lqo and auditory_distance are means over the stretches that carry a score, each weighing the same; delay,
  /// drift and level difference are medians; indices and delay track are empty. Scored when one stretch is; else the
  /// outcome of the first stretch in which somebody talks.
  Score overall;
  std::vector<StretchScore> stretches;
  std::size_t scored = 0;
};

/// Scores a long recording stretch by stretch, each cut where the reference is quiet: linear in time, memory for one
/// stretch and the results. The first stretch that can be matched by itself says where the speech is; from there on,
/// both ways, each must lie within `uncertainty_s` of the one before, so speech that is missing is a true score near 1.
/// `on_progress` gets the share that is done and may stop it by giving false (cancelled). Fails with bad_input for
/// options out of range and as the readers do. Uses `scorer`; for one thread.
Result<LongScore> score_in_stretches(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded,
                                     const StretchOptions& options = {},
                                     const std::function<bool(double done)>& on_progress = {});

/// A recording in memory, which must live as long.
LongRecording as_long_recording(const Signal& signal);

}  // namespace vqas
