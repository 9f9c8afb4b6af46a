#pragma once

#include <functional>
#include <vector>

#include "vqas/score/explanation.h"
#include "vqas/score/score.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A recording of any length that can be read in pieces.
struct LongRecording {
  double seconds = 0;
  /// `seconds` from `start_s`, silence outside the recording; every piece has the same rate.
  std::function<Result<Signal>(double start_s, double seconds)> read;
};

struct SegmentOptions {
  double segment_s = 20;  ///< of the reference; 5..120
  /// How far speech is looked for from where the path so far ends, of either sign, before it is looked for in the whole
  /// recording; 0 for no further than `uncertainty_s`, or 0.05..60.
  double search_s = 10;
  double uncertainty_s = 0.5;  ///< of a segment's place on the path; 0.05..5
};

struct SegmentScore;

/// Progress reports of a long run.
struct SegmentEvents {
  /// The share that is done, above 0 and never less than before, at the end 1: asked after each reading for the path,
  /// ten seconds of the path, and segment. A result of false stops the run (cancelled).
  std::function<bool(double done)> on_progress;
  /// If set, every segment is explained and its explanation (times from the start of the segment) passed on: those that
  /// lie at one delay in order, then the others. A segment that is compared again is passed on again, and the last one
  /// counts.
  std::function<void(const SegmentScore& segment, const Explanation& explanation)> on_explained;
};

/// The score of one segment of a long recording.
struct SegmentScore {
  double start_s = 0;  ///< in the reference
  double length_s = 0;
  Score score;  ///< delays are those of the whole recordings; a segment without speech has the outcome no_speech
};

/// The scores of a long recording.
struct LongScore {
  /// Over the scored segments: auditory_distance combines their measurements as that of one recording combines its
  /// windows, and mos_lqo is its map. The confidence is that of this score, the mean over the segments whose content is
  /// known, and at most 0.75 if more than 1 % of the segments have unknown content. Delay, drift, level difference and
  /// band are medians. Missing speech adds up (in front: missing before any arrived; at the end: missing after the
  /// last). The level's range is the largest of any segment. The impairments loss and cut follow from the total missing
  /// speech, the others are means; band, range and these are taken from segments that mostly arrived, if there are any.
  /// If speech was not found but unused sound may be that speech, there is a reason, as for a short recording. The
  /// delay track covers the whole recording. The outcome is scored if one segment is scored; otherwise that of the
  /// first segment with speech.
  Score overall;
  std::vector<SegmentScore> segments;
  std::size_t scored = 0;
};

/// Scores a long recording segment by segment, each cut where the reference is quiet or the delay steps by more than a
/// minute. Time is linear. Memory is that of
/// one segment, the results and some 6 MB for each hour. One likeliest path through the envelopes of all tells where
/// the speech lies: in order, no part of the recording used twice. Each segment is scored where the path has it. One
/// that the path has not found, or at several delays, is aligned with all that its neighbours have not received, up to
/// `search_s` away. What is not recognised there either gets a true score near 1. Fails with bad_input for options out
/// of range, a length that is no number of seconds up to a week, and rates below 1 kHz, and like the readers; with
/// cancelled when stopped. Takes the mode of `scorer`; for one thread.
Result<LongScore> score_in_segments(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded,
                                    const SegmentOptions& options = {}, const SegmentEvents& events = {});

/// A recording in memory, which must outlive the result.
LongRecording as_long_recording(SignalView signal);
LongRecording as_long_recording(Signal&& signal) = delete;  // would be destroyed before it is read
LongRecording as_long_recording(const Signal&& signal) = delete;

}  // namespace vqas
