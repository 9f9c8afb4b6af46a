#include "run_folder.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "vqas/store/journal.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

// Everything that a run writes.
constexpr const char* kOurs[] = {kJournalFile, "results.json", "results.csv", "report.html", "recordings", "nodes"};

Error cannot_write(const fs::path& folder, const std::string& why) {
  return {ErrorCode::io, fmt::format("cannot write to the folder {}: {}; choose another one", folder.string(), why)};
}

}  // namespace

Status prepare_run_folder(const fs::path& folder, bool force) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) return cannot_write(folder, fault.message());
  const bool empty = fs::is_empty(folder, fault);
  if (fault) return cannot_write(folder, fault.message());
  if (!empty && !force) {
    const bool run = fs::exists(folder / kJournalFile) || fs::exists(folder / "results.json");
    return Error{ErrorCode::bad_input,
                 fmt::format("the folder {} holds {}; name another folder, or use --force to {}", folder.string(),
                             run ? "an earlier run" : "something else than a run of VQAS",
                             run ? "replace it" : "put the run beside it")};
  }
  for (const char* const name : kOurs) {
    fs::remove_all(folder / name, fault);
    if (fault) return cannot_write(folder, fault.message());
  }
  fs::create_directories(folder / "recordings", fault);
  if (fault) return cannot_write(folder, fault.message());
  return success();
}

}  // namespace vqas::cli
