#pragma once

#include <filesystem>
#include <memory>

#include "vqas/signal/result.h"

namespace vqas {

/// The claim of whoever measures a run on its folder, run.lock: two processes must not write one journal. The system
/// takes it back when the process ends, however it does; the file goes with it, unless the process is killed, and then
/// it means nothing. For one thread.
class RunLock {
 public:
  /// Makes the folder if it is not there. Fails with bad_input when another process (or another RunLock of this one)
  /// has it, naming its number and since when; with io when the system refuses.
  static Result<std::shared_ptr<RunLock>> take(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// Gives the folder back before this ends.
  void release();

 private:
  RunLock(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  const std::filesystem::path path_;
  int file_;
};

inline constexpr const char* kRunLockFile = "run.lock";

/// Whether anybody holds the RunLock of this folder; asking disturbs nobody. Re-entrant.
bool run_goes_on(const std::filesystem::path& folder);

}  // namespace vqas
