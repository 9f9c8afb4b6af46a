#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>

#include "vqas/score/mode.h"
#include "vqas/score/outcome.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Which columns the scores have. The diagnosis (impairments and indices) takes several times as long as the score.
enum class ScoreColumns { all, without_impairments };

struct BatchOptions {
  /// A table of pairs: CSV with a header that names `reference` and `degraded`, paths relative to the manifest's
  /// folder; other columns are the user's and are carried through.
  std::filesystem::path manifest;
  std::filesystem::path out;  ///< CSV file of the scores; a batch that was interrupted is continued there
  int jobs = 1;               ///< threads that score, 1..256
  int reference_channel = 0;  ///< as RecordingPair has them
  int degraded_channel = 0;
  ScoreColumns columns = ScoreColumns::all;
  /// Nothing: for each pair by its rates, as mode_for() has it.
  std::optional<ScoreMode> mode = ScoreMode::narrowband;
};

struct BatchProgress {
  std::size_t pairs = 0;    ///< in the manifest
  std::size_t found = 0;    ///< of these, rows found in the file
  std::size_t written = 0;  ///< rows in the file, with those
  double seconds = 0;       ///< since the first pair of this call
};

struct BatchSummary {
  BatchProgress progress;
  std::size_t scored = 0;  ///< rows with a score, including those found in the file
  /// The same by ScoreMode: scores of two models are on two scales and have no common mean.
  std::array<std::size_t, 2> scored_by_mode{};
  /// All rows by outcome, including those found in the file.
  std::array<std::size_t, kAllOutcomes.size()> outcomes{};
  bool cancelled = false;  ///< some pairs have no row yet; the same call continues with them
};

/// Scores every pair of a manifest and appends one row each to `out`, in the manifest's order: its fields, then those
/// that libvqas/doc/score-files.md explains. The rows do not depend on `jobs`. A pair that cannot be scored gets a row
/// with its outcome. `on_progress`, if set, is called in the calling thread ten times a second; when it gives false,
/// the pairs being scored are finished and the batch ends. Fails with bad_input when the manifest is damaged, or `out`
/// holds anything but rows of this manifest, release and these options; then nothing is changed. Fails with io;
/// the rows so far are kept. Re-entrant, for another `out`.
Result<BatchSummary> score_manifest(const BatchOptions& options,
                                    const std::function<bool(const BatchProgress&)>& on_progress = {});

}  // namespace vqas
