#include "vqas/campaign/renewed_report.h"

#include <fmt/format.h>

#include <cstdint>
#include <system_error>
#include <utility>

#include "vqas/campaign/earlier_run.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/store/notes.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

// Journal and notes only grow; a file that does not exist also has a length.
std::pair<std::uintmax_t, std::uintmax_t> lengths_in(const fs::path& folder) {
  std::error_code none;
  return {fs::file_size(folder / kJournalFile, none), fs::file_size(folder / kNotesFile, none)};
}

// The earlier results may hold measurements that a damaged journal has lost: --resume takes them from this copy.
Status keep_results(const fs::path& folder, const StoredRun& run) {
  std::error_code fault;
  if (run.damaged == 0 || fs::exists(folder / kKeptResults, fault) || !fs::exists(folder / kResultsFile, fault))
    return success();
  fs::copy_file(folder / kResultsFile, folder / kKeptResults, fault);
  if (fault) return Error{ErrorCode::io, fmt::format("{}: {}", (folder / kKeptResults).string(), fault.message())};
  return success();
}

}  // namespace

Result<StoredRun> renew_report(const fs::path& folder) {
  std::error_code fault;
  // Nothing is created where no run is; the lock would create the folder.
  if (!fs::exists(folder / kJournalFile, fault) && !fs::exists(folder / kResultsFile, fault)) return load_run(folder);
  const auto lock = RunLock::take(folder);
  if (!lock && lock.error().code == ErrorCode::io) return lock.error();
  for (;;) {
    const auto before = lengths_in(folder);
    auto run = load_run(folder);
    if (!run) return run;
    if (lengths_in(folder) != before) continue;
    if (const Status kept = keep_results(folder, *run); !kept) return kept.error();
    if (const Status written = write_report(folder, run->results, run->provenance); !written) return written.error();
    if (lengths_in(folder) == before) return run;
  }
}

}  // namespace vqas
