#pragma once

#include "csv_reader.h"
#include "vqas/score/score.h"

namespace vqas::cli {

/// The columns that a score adds to those of its manifest; libvqas/doc/score.md explains each.
const CsvRow& score_columns();

/// Their values: empty where there is none. `error` holds the reason when there is no score.
CsvRow score_fields(const Score& score);

/// Names of the causes, strongest first, with ";" between them.
std::string cause_names(const Score& score);

/// Place of score_version among them.
std::size_t score_version_column();

}  // namespace vqas::cli
