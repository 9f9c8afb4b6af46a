#pragma once

#include "csv_reader.h"
#include "vqas/score/score.h"

namespace vqas::cli {

/// Which columns: the diagnosis (causes and indices) costs several times what the score does.
enum class Columns { all, without_causes };

/// The columns that a score adds to those of its manifest; libvqas/doc/score.md explains each.
const CsvRow& score_columns(Columns columns);

/// Their values: empty where there is none. `error` holds the reason when there is no score, or one that is in doubt.
CsvRow score_fields(const Score& score, Columns columns);

/// Names of the causes, strongest first, with ";" between them.
std::string cause_names(const Score& score);

/// Place of score_version among them.
std::size_t score_version_column(Columns columns);

}  // namespace vqas::cli
