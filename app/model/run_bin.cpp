#include "model/run_bin.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>

#include "vqas/campaign/run_folder.h"
#include "vqas/node/run_lock.h"
#include "vqas/store/run_store.h"

namespace vqas::app {

namespace {

namespace fs = std::filesystem;

/// The path of `run` below `folder`; nothing if it is not below it.
std::optional<fs::path> path_below(const fs::path& run, const fs::path& folder) {
  const fs::path below = run.lexically_normal().lexically_relative(folder.lexically_normal());
  return below.empty() || below == "." || *below.begin() == ".." ? std::nullopt : std::optional(below);
}

/// Moves `run` from its place below `from` to the same place below `to`, and removes folders that became empty.
Result<fs::path> moved(const fs::path& run, const fs::path& from, const fs::path& to) {
  if (run_goes_on(run))
    return Error{ErrorCode::bad_input, fmt::format("{} is being measured; stop the run first", run.string())};
  const auto below = path_below(run, from);
  if (!below) return Error{ErrorCode::bad_input, fmt::format("{} is not below {}", run.string(), from.string())};
  const fs::path place = to / *below;
  std::error_code fault;
  if (fs::exists(place, fault))
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is there already; rename one of the two folders", place.string())};
  fs::create_directories(place.parent_path(), fault);
  if (!fault) fs::rename(run, place, fault);
  if (fault)
    return Error{ErrorCode::io, fmt::format("cannot move {} to {}: {}; see whether both folders may be written to",
                                            run.string(), place.string(), fault.message())};
  // remove() takes empty folders only.
  for (fs::path one = run.parent_path(); one != from.parent_path() && one != to && fs::remove(one, fault);)
    one = one.parent_path();
  return place;
}

}  // namespace

fs::path bin_of(const fs::path& home) {
  return home / kRemovedRunsFolder;
}

Result<fs::path> remove_run(const fs::path& run, const fs::path& home) {
  return moved(run, home, bin_of(home));
}

Result<fs::path> put_run_back(const fs::path& run, const fs::path& home) {
  return moved(run, bin_of(home), home);
}

Status delete_removed(const std::vector<fs::path>& runs, const fs::path& home) {
  for (const fs::path& run : runs) {
    if (!path_below(run, bin_of(home)))
      return Error{ErrorCode::bad_input, fmt::format("{} is not in the bin; remove it first", run.string())};
    if (Status cleared = clear_earlier_run(run); !cleared) return cleared;
    abandon_run_folder({run, bin_of(home), nullptr});
  }
  return success();
}

}  // namespace vqas::app
