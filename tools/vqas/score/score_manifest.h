#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "score/csv_reader.h"
#include "vqas/signal/result.h"

namespace vqas::cli {

/// One row of a manifest.
struct ManifestPair {
  CsvRow fields;  ///< as many as the header has
  std::filesystem::path reference, degraded;
  std::string fault;  ///< why the row cannot be used; else empty
};

/// A table of pairs: CSV with a header that names `reference` and `degraded`, paths relative to the manifest's folder;
/// other columns are the user's. Reads row by row. For one thread.
class ScoreManifest {
 public:
  /// Fails with bad_input when the file is no CSV, a column is missing, named twice or named as one of `reserved`.
  static Result<ScoreManifest> open(const std::filesystem::path& path, const CsvRow& reserved);

  const CsvRow& header() const { return header_; }
  /// The next pair, or nothing at the end.
  Result<std::optional<ManifestPair>> next();

 private:
  ScoreManifest(CsvReader reader, CsvRow header, std::filesystem::path path);

  CsvReader reader_;
  CsvRow header_;
  std::filesystem::path path_;
  std::size_t reference_ = 0;
  std::size_t degraded_ = 0;
};

/// Reads all of it, so that a damaged manifest is told before anything is scored: the number of its pairs. At least 1.
Result<std::size_t> count_pairs(const std::filesystem::path& path, const CsvRow& reserved);

}  // namespace vqas::cli
