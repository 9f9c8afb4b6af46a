#pragma once

#include <string>

#include "vqas/batch/long_recording.h"
#include "vqas/batch/score_manifest.h"
#include "vqas/score/score.h"
#include "vqas/signal/csv.h"

namespace vqas::batch {

/// The columns that a score adds to those of its manifest; libvqas/doc/score-files.md explains each.
const CsvRow& score_columns(ScoreColumns columns);

/// Their values up to score_version: empty where there is none. `error` holds the reason when there is no score, or one
/// that is ambiguous.
CsvRow score_fields(const Score& score, ScoreColumns columns);

/// Position of score_version among them.
std::size_t score_version_column(ScoreColumns columns);
/// Position of made_from among them: the last.
std::size_t made_from_column(ScoreColumns columns);

/// The text of the column made_from: channel, size in bytes and time of change of each of a pair's files. By it a
/// resumed batch detects rows of other files or channels.
std::string made_from(const RecordingPair& pair);

}  // namespace vqas::batch
