#pragma once

#include <filesystem>

#include "vqas/signal/result.h"
#include "vqas/store/journal.h"

namespace vqas {

/// Writes results.json, results.csv and report.html of the run in `folder` again, from its journal, or from
/// results.json if there is no journal. Returns the run as it was written. Takes the folder's RunLock, so that no run
/// begins or is resumed there meanwhile. A run in progress holds it: then its state so far is written, and written
/// again until nothing was added meanwhile, so that no older state replaces the report that the run writes at its end.
/// The first results.json beside a damaged journal is kept as kKeptResults. Fails with bad_input when there is no run,
/// or io.
Result<StoredRun> renew_report(const std::filesystem::path& folder);

}  // namespace vqas
