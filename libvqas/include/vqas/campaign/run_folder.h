#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "vqas/node/run_lock.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The folder of a run that has not begun yet.
struct PreparedFolder {
  std::filesystem::path folder;
  std::filesystem::path first_made;  ///< the topmost folder that had to be made for it; empty when it was there
  std::shared_ptr<RunLock> lock;     ///< keeps other processes from measuring into it
};

/// A program's advice to its operator when a folder cannot be used.
struct FolderAdvice {
  const char* for_a_run = "name another folder, or use --force to replace it";  ///< that holds an earlier run
  const char* for_others = "name another folder, or use --force to put the run beside it";
  /// If they have names that a run needs, so that it would overwrite them.
  const char* for_taken_names = "name another folder";
  const char* for_writing = "name a folder that you may write to, such as one below your home folder";
  /// Given before `for_a_run` if the earlier run was broken off; empty when the program cannot continue it.
  const char* to_continue = "";
};

/// Fails with bad_input when the folder's name is empty.
Status check_folder_name(const std::filesystem::path& folder);

/// Prepares the folder of a run before line time is spent. It may be FolderState::empty or begun; with `force`, it may
/// also hold an earlier run, or files whose names no run needs. Of an earlier run only the files of its nodes are
/// removed. Fails with bad_input when it holds anything else or a run is in progress in it, with io when it cannot be
/// written.
Result<PreparedFolder> prepare_run_folder(const std::filesystem::path& folder, bool force,
                                          const FolderAdvice& advice = {});

/// Removes the files of an earlier run from the folder, with the recordings that they name, and nothing else. Call it
/// when the new run begins, so that a start that fails costs no results. `but_the_plan`: keep the copy of the plan,
/// which is already the new run's. Fails with io.
Status clear_earlier_run(const std::filesystem::path& folder, bool but_the_plan = false);

/// Releases the folder and removes the folders that were made for a run that never began, unless they hold anything
/// else.
void abandon_run_folder(const PreparedFolder& prepared);

/// The path beside `folder` whose name ends in `suffix`: "results/" and "-2" give "results-2".
std::string folder_beside(const std::filesystem::path& folder, const std::string& suffix);

}  // namespace vqas
