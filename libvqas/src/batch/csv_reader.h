#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>

#include "vqas/signal/csv.h"
#include "vqas/signal/result.h"

namespace vqas::batch {

/// Reads a CSV file (RFC 4180; also bare CR or LF, a UTF-8 byte order mark, blank lines) row by row in constant memory.
/// A file in UTF-16, a quote that is not closed or is inside a field, and a row above 1 MiB are bad_input with the
/// row's number. For one thread.
class CsvReader {
 public:
  /// Fails with bad_input when the file is missing, empty or not a regular file.
  static Result<CsvReader> open(const std::filesystem::path& path);
  CsvReader(CsvReader&&) noexcept;
  CsvReader& operator=(CsvReader&&) noexcept;
  ~CsvReader();

  /// The next row, or nothing at the end. After a failure every call fails.
  Result<std::optional<CsvRow>> next();
  /// Whether the last row that next() gave was ended by a line end in the file.
  bool ended_by_newline() const;

 private:
  struct Parser;
  explicit CsvReader(std::unique_ptr<Parser> parser);
  std::unique_ptr<Parser> parser_;
};

}  // namespace vqas::batch
