#include "vqas/campaign/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "vqas/campaign/kept_plan.h"
#include "vqas/report/report.h"
#include "vqas/run/session_record.h"
#include "vqas/signal/unfinished_files.h"
#include "vqas/store/journal.h"
#include "vqas/store/notes.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecordings = "recordings";
constexpr const char* kNodes = "nodes";
// Everything that a run writes, except the files of its nodes.
constexpr const char* kOurs[] = {kJournalFile, kSessionFile, kNotesFile, kRecordings, kPlanFile};

Error cannot_write(const fs::path& folder, const std::string& why, const FolderAdvice& advice = {}) {
  return {ErrorCode::io,
          fmt::format("cannot write to the folder {}: {}; {}", folder.string(), why, advice.for_writing)};
}

// True when it is empty, or holds only empty folders of ours or the remains of a run that was killed before anything
// was measured.
bool is_vacant(const fs::path& folder, std::error_code& fault) {
  if (is_stillborn(folder)) return true;
  return std::all_of(fs::directory_iterator(folder, fault), {}, [&fault](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (name == kRunLockFile || is_unfinished_file(name)) return true;  // a kill left it
    return (name == kRecordings || name == kNodes) && !entry.is_symlink(fault) && entry.is_directory(fault) &&
           fs::is_empty(entry.path(), fault);
  });
}

// Not one on a line of its own, which ended with it.
bool can_be_continued(const fs::path& folder) {
  std::error_code fault;
  if (!fs::exists(folder / kJournalFile, fault)) return false;
  const auto session = read_session_record(folder);
  if (session && session->holder == kOwnLine) return false;
  const auto run = read_stored_run(folder);
  return run && !run->results.ended_because.empty();
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

bool is_stillborn(const fs::path& folder) {
  std::error_code fault;
  return fs::exists(folder / kRunLockFile, fault) && came_to_nothing(folder);
}

bool came_to_nothing(const fs::path& folder, const fs::path& besides) {
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, fault)) {
    const fs::path name = entry.path().filename();
    const bool empty_folder = name == kRecordings && !entry.is_symlink(fault) && fs::is_empty(entry.path(), fault);
    const bool nodes = name == kNodes && !entry.is_symlink(fault) && entry.is_directory(fault);
    const bool ours = name == kRunLockFile || name == kSessionFile || name == kPlanFile || is_unfinished_file(name);
    if (!ours && !empty_folder && !nodes && name != besides) return false;
  }
  return !fault;
}

Result<PreparedFolder> prepare_run_folder(const fs::path& folder, bool force, const FolderAdvice& advice) {
  std::error_code fault;
  PreparedFolder prepared{folder, {}, {}};
  const fs::path whole = fs::absolute(folder, fault).lexically_normal();
  prepared.first_made = topmost_missing(whole.has_filename() ? whole : whole.parent_path());
  fs::create_directories(folder, fault);
  if (fault) return cannot_write(folder, fault.message(), advice);
  const bool vacant = is_vacant(folder, fault);
  if (fault) return cannot_write(folder, fault.message(), advice);
  if (!vacant && !force && !run_goes_on(folder)) {
    if (advice.to_continue[0] != '\0' && can_be_continued(folder)) {
      return Error{ErrorCode::bad_input, fmt::format("the folder {} holds a run that was broken off; {}; or {}",
                                                     folder.string(), advice.to_continue, advice.for_a_run)};
    }
    const bool run = fs::exists(folder / kJournalFile) || fs::exists(folder / kResultsFile);
    return Error{ErrorCode::bad_input, fmt::format("the folder {} holds {}; {}", folder.string(),
                                                   run ? "an earlier run" : "files that are not a run of VQAS",
                                                   run ? advice.for_a_run : advice.for_others)};
  }
  auto lock = RunLock::take(folder);
  if (!lock && lock.error().code == ErrorCode::io) return cannot_write(folder, lock.error().message, advice);
  if (!lock) return lock.error();
  prepared.lock = *std::move(lock);
  remove_unfinished_files(folder);
  fs::remove_all(folder / kNodes, fault);
  if (!fault) fs::create_directories(folder / kRecordings, fault);
  if (fault) {
    abandon_run_folder(prepared);
    return cannot_write(folder, fault.message(), advice);
  }
  return prepared;
}

Status clear_earlier_run(const fs::path& folder, bool but_the_plan) {
  if (Status cleared = clear_reports(folder); !cleared) return cleared;
  std::error_code fault;
  for (const char* const name : kOurs) {
    if (but_the_plan && name == std::string_view(kPlanFile)) continue;
    fs::remove_all(folder / name, fault);
    if (fault) return cannot_write(folder, fault.message());
  }
  fs::create_directories(folder / kRecordings, fault);
  if (fault) return cannot_write(folder, fault.message());
  return success();
}

void abandon_run_folder(const PreparedFolder& prepared) {
  std::error_code fault;
  // remove() takes empty folders only.
  fs::remove(prepared.folder / kNodes, fault);
  fs::remove(prepared.folder / kRecordings, fault);
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
