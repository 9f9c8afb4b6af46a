#pragma once

#include <filesystem>
#include <optional>

#include "vqas/score/mode.h"
#include "vqas/score/segments.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Two recordings that are compared. A channel is counted from 1; 0: the file must be mono.
struct RecordingPair {
  std::filesystem::path reference;
  int reference_channel = 0;
  std::filesystem::path degraded;
  int degraded_channel = 0;
};

/// From this length of the reference on, in seconds, a pair of files is scored in segments.
inline constexpr double kLongFromS = 120;

/// Longest recording, in seconds, in which a reference shorter than that is searched for. The search holds all of it in
/// memory, 0.27 MB for a second.
inline constexpr double kLongestForShortS = 600;

/// The model for a pair: `wanted`, or that of mode_for_rates() where nothing is wanted. A file that is not readable has
/// no rate, and the pair the narrowband model.
ScoreMode mode_for(const RecordingPair& pair, const std::optional<ScoreMode>& wanted);

/// Seconds of the reference by its header, 0 when it is not readable.
double reference_seconds(const RecordingPair& pair);

/// Checks the headers before anything is read: fails with bad_input when the degraded recording is too long to search
/// for a short reference. Does not report files that cannot be opened.
Status check_lengths(const RecordingPair& pair);

/// The pair scored in segments, read piece by piece: linear in time, and an hour needs some 6 MB more than a segment.
/// Fails as AudioReader::open() and score_in_segments() do. Uses `scorer`; for one thread.
Result<LongScore> score_long_recording(Scorer& scorer, const RecordingPair& pair, const SegmentEvents& events = {});

}  // namespace vqas
