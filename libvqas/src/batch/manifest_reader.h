#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "batch/csv_reader.h"
#include "vqas/batch/long_recording.h"
#include "vqas/batch/score_manifest.h"
#include "vqas/signal/result.h"

namespace vqas::batch {

/// One row of a manifest.
struct ManifestPair {
  CsvRow fields;  ///< as many as the header has
  RecordingPair files;
  std::string fault;  ///< why the row cannot be used; else empty
};

/// Reads a batch's manifest row by row. For one thread.
class ManifestReader {
 public:
  /// Fails with bad_input when the file is not CSV, or a column is missing, named twice or named like a column of the
  /// scores.
  static Result<ManifestReader> open(const BatchOptions& options);

  const CsvRow& header() const { return header_; }
  /// The next pair, or nothing at the end.
  Result<std::optional<ManifestPair>> next();

 private:
  ManifestReader(CsvReader reader, CsvRow header, const BatchOptions& options);

  CsvReader reader_;
  CsvRow header_;
  std::filesystem::path folder_;
  int reference_channel_, degraded_channel_;
  std::size_t reference_ = 0;
  std::size_t degraded_ = 0;
};

/// Reads all of it, so that a damaged manifest is reported before anything is scored. Gives the number of its pairs, at
/// least 1.
Result<std::size_t> count_pairs(const BatchOptions& options);

}  // namespace vqas::batch
