#include "vqas/campaign/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

#include "campaign/run_files.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/folder_state.h"
#include "vqas/run/recording_name.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& folder, const std::string& why, const FolderAdvice& advice = {}) {
  return {ErrorCode::io,
          fmt::format("cannot write to the folder {}: {}; {}", folder.string(), why, advice.for_writing)};
}

// Whether a run may begin there; with `force`, also beside files of others, and in place of an earlier run.
Status check_folder(const fs::path& folder, bool force, const FolderAdvice& advice) {
  const auto refuse = [&folder](const std::string& what, const std::string& cure) {
    return Error{ErrorCode::bad_input, fmt::format("the folder {} holds {}; {}", folder.string(), what, cure)};
  };
  const FolderSurvey found = survey_folder(folder);
  if (holds_a_run(found.state)) {
    if (force) return success();
    const bool own_line = found.session && has_own_line(folder, found.session->holder);
    if (found.state == FolderState::resumable && !own_line && advice.to_continue[0] != '\0')
      return refuse("a run that was broken off", fmt::format("{}; or {}", advice.to_continue, advice.for_a_run));
    return refuse("an earlier run", advice.for_a_run);
  }
  if (found.state != FolderState::foreign) return success();
  if (const auto taken = names_taken(folder); !taken.empty())
    return refuse(fmt::format("files that are not a run of VQAS, and a run writes files of their names: {}",
                              fmt::join(taken, ", ")),
                  advice.for_taken_names);
  return force ? success() : Status(refuse("files that are not a run of VQAS", advice.for_others));
}

fs::path topmost_missing(fs::path folder) {
  std::error_code fault;
  fs::path missing;
  for (; !folder.empty() && !fs::exists(folder, fault); folder = folder.parent_path()) {
    missing = folder;
    if (folder == folder.parent_path()) break;
  }
  return missing;
}

}  // namespace

Status check_folder_name(const fs::path& folder) {
  if (!folder.empty()) return success();
  return Error{ErrorCode::bad_input, "the name of the folder for the results is empty; name a new folder"};
}

Result<PreparedFolder> prepare_run_folder(const fs::path& folder, bool force, const FolderAdvice& advice) {
  if (const Status named = check_folder_name(folder); !named) return named.error();
  std::error_code fault;
  PreparedFolder prepared{folder, {}, {}};
  const fs::path whole = fs::absolute(folder, fault).lexically_normal();
  prepared.first_made = topmost_missing(whole.has_filename() ? whole : whole.parent_path());
  fs::create_directories(folder, fault);
  if (fault) return cannot_write(folder, fault.message(), advice);
  fs::directory_iterator(folder, fault);
  if (fault) return cannot_write(folder, fault.message(), advice);
  // A run in progress is refused below, by its name.
  if (!run_goes_on(folder)) {
    if (const Status usable = check_folder(folder, force, advice); !usable) return usable.error();
  }
  auto lock = RunLock::take(folder);
  if (!lock && lock.error().code == ErrorCode::io) return cannot_write(folder, lock.error().message, advice);
  if (!lock) return lock.error();
  prepared.lock = *std::move(lock);
  remove_unfinished_files(folder);
  if (const Status removed = remove_node_files(folder); !removed) {
    abandon_run_folder(prepared);
    return cannot_write(folder, removed.error().message, advice);
  }
  fs::create_directories(folder / kRecordingsFolder, fault);
  if (fault) {
    abandon_run_folder(prepared);
    return cannot_write(folder, fault.message(), advice);
  }
  return prepared;
}

Status clear_earlier_run(const fs::path& folder, bool but_the_plan) {
  if (Status removed = remove_run_files(folder, but_the_plan); !removed) return removed;
  std::error_code fault;
  fs::create_directories(folder / kRecordingsFolder, fault);
  if (fault) return cannot_write(folder, fault.message());
  return success();
}

void abandon_run_folder(const PreparedFolder& prepared) {
  std::error_code fault;
  // remove() takes empty folders only.
  fs::remove(prepared.folder / kNodesFolder, fault);
  fs::remove(prepared.folder / kRecordingsFolder, fault);
  if (prepared.lock) prepared.lock->release();
  if (prepared.first_made.empty()) return;
  const fs::path whole = fs::absolute(prepared.folder, fault).lexically_normal();
  for (fs::path one = whole.has_filename() ? whole : whole.parent_path(); fs::remove(one, fault);
       one = one.parent_path()) {
    if (one == prepared.first_made) break;
  }
}

std::string folder_beside(const fs::path& folder, const std::string& suffix) {
  fs::path plain = folder.lexically_normal();
  if (!plain.has_filename()) plain = plain.parent_path();
  if (plain.empty() || plain == "." || plain == "..") {
    std::error_code fault;
    plain = fs::absolute(folder, fault).lexically_normal();
    if (!plain.has_filename()) plain = plain.parent_path();
  }
  return plain.string() + suffix;
}

}  // namespace vqas
