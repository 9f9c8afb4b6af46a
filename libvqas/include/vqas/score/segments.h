#pragma once

#include <functional>
#include <vector>

#include "vqas/score/explanation.h"
#include "vqas/score/score.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A recording of any length that can be read piece by piece.
struct LongRecording {
  double seconds = 0;
  /// `seconds` from `start_s`, silence where the recording does not reach; every piece has the same rate.
  std::function<Result<Signal>(double start_s, double seconds)> read;
};

struct SegmentOptions {
  double segment_s = 20;  ///< of the reference; 5..120
  /// How far from 0, either way, the first match is searched for, and how far from its neighbour one that lacks speech,
  /// before all of the recording is; 0..60, at 0 nothing is searched for.
  double search_s = 10;
  double uncertainty_s = 0.5;  ///< by how much the delay may change from one segment to the next; 0.05..5
};

struct SegmentScore;

/// What a long run tells while it goes on.
struct SegmentEvents {
  /// The share that is done, 0..1; false stops the run (cancelled).
  std::function<bool(double done)> on_progress;
  /// If set, every segment is explained and its explanation (times from the beginning of the segment) handed over: in
  /// order, except that those before the first match come last and backwards, and once more than before.
  std::function<void(const SegmentScore& segment, const Explanation& explanation)> on_explained;
};

/// The score of one segment of a long recording.
struct SegmentScore {
  double start_s = 0;  ///< in the reference
  double length_s = 0;
  Score score;  ///< delays are those of the whole recordings; a segment in which nobody talks has the outcome no_speech
};

/// The scores of a long recording.
struct LongScore {
  /// Of the segments that carry a score: auditory_distance is made of their measurements as that of one recording is
  /// made of its windows, mos_lqo is its map. The confidence is that of this score, the mean over what is known of each
  /// segment, and at most 0.75 where of more than 1 % of them nobody knows what arrived. Delay, drift, level
  /// difference and band are medians; missing speech adds up (in front is what is missing before any arrived, at the
  /// end what is missing after the last); the level's range is the largest of any segment. The impairments loss and cut
  /// are named from what is missing of all, the others are means; band, range and these come from segments of which
  /// most arrived, if there are any. Where speech was found nowhere and sound beside what was found may be that speech,
  /// there is a reason, as for a short recording. The delay track is that of all. Scored when one segment is; else the
  /// outcome of the first segment in which somebody talks.
  Score overall;
  std::vector<SegmentScore> segments;
  std::size_t scored = 0;
};

/// Scores a long recording segment by segment, each cut where the reference is quiet: linear in time, memory for one
/// segment and the results. The first segment that can be matched by itself says where the speech is; from there on,
/// both ways, each must lie within `uncertainty_s` of the one before; one that lacks more than half a second of speech
/// there is searched for up to `search_s` away. One of which nothing is found there is searched for in all of the
/// recording that no other has received, the nearest places first, in four searches for each segment and forty besides.
/// What is not found there either is a true score near 1.
/// Fails with bad_input for options out of range, a length that is no finite number and rates below 1 kHz, as the
/// readers do, with cancelled when stopped. Uses `scorer`; for one thread.
Result<LongScore> score_in_segments(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded,
                                    const SegmentOptions& options = {}, const SegmentEvents& events = {});

/// A recording in memory, which must live as long.
LongRecording as_long_recording(const Signal& signal);
LongRecording as_long_recording(Signal&& signal) = delete;  // would be gone before it is read
LongRecording as_long_recording(const Signal&& signal) = delete;

}  // namespace vqas
