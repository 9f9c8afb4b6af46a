#pragma once

#include <filesystem>
#include <memory>

#include "vqas/signal/result.h"

namespace vqas {

/// A measuring process's claim on the folder of its run, run.lock: two processes must not write one journal. The system
/// releases it when the process ends for any reason. The file is removed, unless the process is killed; a file that
/// stays then means nothing. For one thread.
class RunLock {
 public:
  /// Creates the folder if missing. Fails with bad_input when another process (or another RunLock of this one) has it,
  /// naming its number, machine and start time; with io when the system refuses.
  static Result<std::shared_ptr<RunLock>> take(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// Releases the folder before destruction.
  void release();

 private:
  RunLock(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  const std::filesystem::path path_;
  int file_;
};

inline constexpr const char* kRunLockFile = "run.lock";

/// Whether the RunLock of this folder is held; the check has no side effects. A lock that this user may not read counts
/// as held, because its run may be in progress. Re-entrant.
bool run_goes_on(const std::filesystem::path& folder);

}  // namespace vqas
