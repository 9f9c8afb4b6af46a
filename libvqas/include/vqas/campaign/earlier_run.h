#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "vqas/node/controller.h"
#include "vqas/signal/result.h"
#include "vqas/store/journal.h"

namespace vqas {

/// Results of before a report was written from a journal that is damaged.
inline constexpr const char* kKeptResults = "results-before-damage.json";

/// Who holds the nodes of a run whose line and nodes are its own, and end with it.
inline constexpr const char* kOwnLine = "vqas, on a line of its own";

/// A run that can be gone on with.
struct EarlierRun {
  RunPlan plan;        ///< as it was begun, with the claim on its folder and with what it has measured (`continues`)
  std::string notice;  ///< what an operator should know of the journal, one sentence; empty: nothing
};

/// Reads the run in `folder` so that a Controller goes on with it. Takes the folder's RunLock first: what another
/// process still adds would be measured again. Fails with bad_input when nothing was begun there, another process
/// measures into it or another score was in use; with io.
Result<EarlierRun> read_earlier_run(const std::filesystem::path& folder);

/// Whether the folder holds a run that was begun, whether it ended or not.
bool was_begun(const std::filesystem::path& folder);

/// Writes the report of a run that ended anew where results.json is missing or is not that of its journal, and tells
/// `noticed` before, in one sentence without its full stop. Fails with io.
Status mend_report(const std::filesystem::path& folder, const StoredRun& run,
                   const std::function<void(const std::string&)>& noticed);

/// Whether the run was made on a simulated line that ended with it: it cannot be gone on with alone.
bool has_own_line(const RunPlan& plan);

/// Takes away what write_report() and the command line made of a run that is now gone on with: it would tell of less
/// than there is. Fails with io.
Status clear_reports(const std::filesystem::path& folder);

}  // namespace vqas
