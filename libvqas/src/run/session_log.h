#pragma once

#include <filesystem>
#include <memory>

#include "vqas/run/session_record.h"

namespace vqas {

/// Writes session.jsonl: one line for the session, and one for each round before its first transmission. For one
/// thread.
class SessionLog {
 public:
  /// Creates the file with the constant data. Fails with io.
  static Result<std::unique_ptr<SessionLog>> create(const std::filesystem::path& folder, const SessionRecord& record);
  /// Continues the existing file. Fails with io.
  static Result<std::unique_ptr<SessionLog>> reopen(const std::filesystem::path& folder);
  ~SessionLog();
  SessionLog(const SessionLog&) = delete;
  SessionLog& operator=(const SessionLog&) = delete;

  /// Adds the last round of `record`, which is on the disk when this returns. Fails with io.
  Status add_round(const SessionRecord& record);

 private:
  SessionLog(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  static Result<std::unique_ptr<SessionLog>> open(const std::filesystem::path& folder, int flags);
  Status append(std::string line);

  const std::filesystem::path path_;
  const int file_;
};

}  // namespace vqas
