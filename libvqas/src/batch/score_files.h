#pragma once

#include <string>

#include "vqas/batch/long_recording.h"
#include "vqas/batch/score_manifest.h"
#include "vqas/score/score.h"
#include "vqas/signal/signal.h"

namespace vqas::batch {

/// The outcome bad_input with this reason.
Score unusable(std::string reason);

/// As check_lengths() of a pair whose lengths are known; 0 s: not known.
Status check_lengths(const RecordingPair& pair, double reference_s, double degraded_s);

/// Memory of recordings, for the next ones: new memory costs a page fault for each 4 kB.
struct ReadSpace {
  Signal reference, degraded;
};

/// The score of a row of a table: a long reference in segments, others whole. What cannot be read or handled is
/// bad_input; throws nothing. Uses `scorer` and `space`; for one thread.
Score score_files(Scorer& scorer, const RecordingPair& pair, ScoreColumns columns, ReadSpace& space);

}  // namespace vqas::batch
