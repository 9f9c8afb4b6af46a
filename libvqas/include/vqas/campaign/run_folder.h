#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "vqas/campaign/earlier_run.h"
#include "vqas/node/run_lock.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The folder of a run that has not begun yet.
struct PreparedFolder {
  std::filesystem::path folder;
  std::filesystem::path first_made;  ///< the topmost folder that had to be made for it; empty when it was there
  std::shared_ptr<RunLock> lock;     ///< keeps other processes from measuring into it
};

/// Whether the folder holds only the remains of a run that was killed before its journal began: nothing was measured.
bool is_stillborn(const std::filesystem::path& folder);
/// The same if the kill may have come before the lock was taken: the folder must exist, but may be empty or hold
/// `besides`.
bool came_to_nothing(const std::filesystem::path& folder, const std::filesystem::path& besides = {});

/// A program's advice to its operator when a folder cannot be used.
struct FolderAdvice {
  const char* for_a_run = "name another folder, or use --force to replace it";  ///< that holds an earlier run
  const char* for_others = "name another folder, or use --force to put the run beside it";
  const char* for_writing = "name a folder that you may write to, such as one below your home folder";
  /// Given before `for_a_run` if the earlier run was broken off; empty when the program cannot continue it.
  const char* to_continue = "";
};

/// Prepares the folder of a run before line time is spent. It may be new, empty, stillborn or hold only the empty
/// folders of a run that never began; with `force`, it may hold anything. Of an earlier run only nodes/ is removed.
/// Fails with bad_input when it holds anything else or a run is in progress in it, with io when it cannot be written.
Result<PreparedFolder> prepare_run_folder(const std::filesystem::path& folder, bool force,
                                          const FolderAdvice& advice = {});

/// Removes the files of an earlier run from the folder, and nothing else. Call it when the new run begins, so that a
/// start that fails costs no results. `but_the_plan`: keep the copy of the plan, which is already the new run's. Fails
/// with io.
Status clear_earlier_run(const std::filesystem::path& folder, bool but_the_plan = false);

/// Releases the folder and removes the folders that were made for a run that never began, unless they hold anything
/// else.
void abandon_run_folder(const PreparedFolder& prepared);

/// The path beside `folder` whose name ends in `suffix`: "results/" and "-2" give "results-2".
std::string folder_beside(const std::filesystem::path& folder, const std::string& suffix);

}  // namespace vqas
