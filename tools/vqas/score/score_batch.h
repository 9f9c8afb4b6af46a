#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>

#include "score/score_columns.h"
#include "vqas/score/outcome.h"
#include "vqas/signal/result.h"

namespace vqas::cli {

struct BatchOptions {
  std::filesystem::path manifest;
  std::filesystem::path out;
  int jobs = 1;  ///< threads that score, 1..256
  int reference_channel = 0;
  int degraded_channel = 0;
  Columns columns = Columns::all;
};

struct BatchProgress {
  std::size_t pairs = 0;    ///< in the manifest
  std::size_t found = 0;    ///< of those, rows that were there already
  std::size_t written = 0;  ///< rows in the file, with those
  double seconds = 0;       ///< since the first pair of this call
};

struct BatchSummary {
  BatchProgress progress;
  std::size_t scored = 0;  ///< rows that carry a score, with those that were there already
  /// Rows written by this call, by outcome.
  std::array<std::size_t, kAllOutcomes.size()> outcomes{};
  bool cancelled = false;
};

/// Scores every pair of a manifest and appends one row each to `out`, in the manifest's order. The rows do not depend
/// on `jobs`. A pair that cannot be scored gets a row with its outcome. `on_progress` is called by the calling thread
/// ten times a second; when it gives false, the pairs being scored are finished and the batch ends. Fails as
/// count_pairs() and ScoreTable do.
Result<BatchSummary> run_batch(const BatchOptions& options,
                               const std::function<bool(const BatchProgress&)>& on_progress);

}  // namespace vqas::cli
