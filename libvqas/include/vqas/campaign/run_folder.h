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
  std::shared_ptr<RunLock> lock;     ///< that nobody else measures into it
};

/// Whether the folder holds what a run left that was killed before its journal began, and nothing else: nothing was
/// measured.
bool is_stillborn(const std::filesystem::path& folder);
/// The same where the kill may have come before the lock was taken: the folder, which is there, may also be empty, and
/// `besides` may stand in it.
bool came_to_nothing(const std::filesystem::path& folder, const std::filesystem::path& besides = {});

/// What a program has its operator do where a folder cannot be used.
struct FolderAdvice {
  const char* for_a_run = "name another folder, or use --force to replace it";  ///< that holds an earlier run
  const char* for_others = "name another folder, or use --force to put the run beside it";
  const char* for_writing = "name a folder that you may write to, such as one below your home folder";
};

/// Makes the folder of a run ready before line time is spent: new, empty, holding no more than the empty folders of a
/// run that never began, stillborn, or, with `force`, anything. Nothing of an earlier run is touched but what its nodes
/// left in nodes/. Fails with bad_input when it holds anything or a run goes on in it, with io when it cannot be
/// written.
Result<PreparedFolder> prepare_run_folder(const std::filesystem::path& folder, bool force,
                                          const FolderAdvice& advice = {});

/// Takes away what an earlier run left in the folder, and nothing else: to be called when the new run begins, so that
/// a start that fails costs no results. `but_the_plan`: a copy of a plan stays, which is the new run's already. Fails
/// with io.
Status clear_earlier_run(const std::filesystem::path& folder, bool but_the_plan = false);

/// Gives the folder back and takes away the folders that were made for a run that never began; what holds anything else
/// stays.
void abandon_run_folder(const PreparedFolder& prepared);

/// The path beside `folder` whose name ends in `suffix`: "results/" and "-2" give "results-2".
std::string folder_beside(const std::filesystem::path& folder, const std::string& suffix);

}  // namespace vqas
