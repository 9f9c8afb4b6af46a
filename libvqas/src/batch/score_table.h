#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "batch/manifest_reader.h"
#include "vqas/batch/score_manifest.h"
#include "vqas/signal/csv.h"
#include "vqas/signal/result.h"

namespace vqas::batch {

/// The file of a batch's scores: the manifest's rows in their order, followed by the score's columns. It only grows.
/// Each finished row is written immediately, so a kill loses none, and synced once a second, so a power cut loses a
/// second. POSIX. For one thread at a time.
class ScoreTable {
 public:
  /// Makes the file, or finds the rows of an interrupted batch of the same manifest and removes a last row that was cut
  /// off. Fails with io. Fails with bad_input, without changing the file, when it holds anything else, comes from
  /// another score version, another channel or files that have changed in size or time, or another process is writing
  /// it.
  static Result<ScoreTable> open(const BatchOptions& options);
  ScoreTable(ScoreTable&& other) noexcept;
  ScoreTable& operator=(ScoreTable&& other) noexcept;
  ScoreTable(const ScoreTable&) = delete;
  ScoreTable& operator=(const ScoreTable&) = delete;
  ~ScoreTable();

  /// Rows found in the file.
  std::size_t found() const { return found_; }
  /// And how many of those carry a score.
  const std::array<std::size_t, 2>& found_scored() const { return found_scored_; }
  /// The rows found, by outcome.
  const std::array<std::size_t, kAllOutcomes.size()>& found_outcomes() const { return found_outcomes_; }

  /// On failure (io) the file has its former length, as far as the system lets it.
  Status append(const CsvRow& row);
  /// Waits until everything is on the disk.
  Status sync();

 private:
  ScoreTable(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  Status resume(const BatchOptions& options);
  /// Whether the bytes after the first `whole` ones begin the manifest's next row.
  Result<bool> cut_off_row(std::int64_t whole, ManifestReader& manifest) const;
  Error failure(const char* what, int code) const;

  int descriptor_ = -1;
  std::filesystem::path path_;
  std::int64_t length_ = 0;
  std::size_t found_ = 0;
  std::array<std::size_t, 2> found_scored_{};  // by ScoreMode
  std::array<std::size_t, kAllOutcomes.size()> found_outcomes_{};
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace vqas::batch
