#pragma once

#include <filesystem>
#include <memory>

#include "vqas/run/session_record.h"

namespace vqas {

/// Writes session.jsonl: a line for the session, one for each round before anything of it is sent. For one thread.
class SessionLog {
 public:
  /// Begins the file anew with what does not change. Fails with io.
  static Result<std::unique_ptr<SessionLog>> create(const std::filesystem::path& folder, const SessionRecord& record);
  /// Goes on with the file that is there. Fails with io.
  static Result<std::unique_ptr<SessionLog>> reopen(const std::filesystem::path& folder);
  ~SessionLog();
  SessionLog(const SessionLog&) = delete;
  SessionLog& operator=(const SessionLog&) = delete;

  /// Adds the last round of `record`; on the disk when it returns. Fails with io.
  Status add_round(const SessionRecord& record);

 private:
  SessionLog(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  static Result<std::unique_ptr<SessionLog>> open(const std::filesystem::path& folder, int flags);
  Status append(std::string line);

  const std::filesystem::path path_;
  const int file_;
};

}  // namespace vqas
