#pragma once

#include <filesystem>
#include <string>

#include "score/csv_reader.h"
#include "vqas/score/score.h"

namespace vqas::cli {

/// Which columns: the diagnosis (causes and indices) costs several times what the score does.
enum class Columns { all, without_causes };

/// The columns that a score adds to those of its manifest; libvqas/doc/score.md explains each.
const CsvRow& score_columns(Columns columns);

/// Their values up to score_version: empty where there is none. `error` holds the reason when there is no score, or one
/// that is in doubt.
CsvRow score_fields(const Score& score, Columns columns);

/// Names of the causes, strongest first, with ";" between them.
std::string cause_names(const Score& score);

/// Place of score_version among them.
std::size_t score_version_column(Columns columns);
/// Place of made_from among them: the last.
std::size_t made_from_column(Columns columns);

/// Which channel of which state of a pair's files the score comes from, as it stands in the column made_from: channel,
/// size in bytes and time of change of each, so that a resumed batch tells rows of other files or channels from its
/// own.
std::string made_from(const std::filesystem::path& reference, int reference_channel,
                      const std::filesystem::path& degraded, int degraded_channel);

}  // namespace vqas::cli
