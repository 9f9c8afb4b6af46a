#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "vqas/campaign/folder_state.h"
#include "vqas/node/run_lock.h"
#include "vqas/node/run_plan.h"
#include "vqas/signal/result.h"
#include "vqas/store/journal.h"

namespace vqas {

/// The copy of results.json made before a report is rewritten from a damaged journal.
inline constexpr const char* kKeptResults = "results-before-damage.json";

/// The holder's name at the nodes of a run that starts its own line and nodes, which end with it.
inline constexpr const char* kOwnLine = "vqas, on a line of its own";

/// A run that is resumed, whatever measures it.
struct ClaimedRun {
  std::shared_ptr<RunLock> lock;
  FolderSurvey
      survey;          ///< resumable or complete; its run has the measurements of damaged lines that are kept elsewhere
  std::string notice;  ///< what an operator should know of the journal, one sentence; empty: nothing
};

/// Claims and reads the run in `folder`. Takes the folder's RunLock first, because measurements that another process
/// still adds would be made again. Fails with io, or with bad_input when no run was begun there, it cannot be resumed,
/// another process measures into it, or it was scored by another version: one run holds scores of one version.
Result<ClaimedRun> claim_run(const std::filesystem::path& folder);

/// A run between two nodes that can be resumed.
struct EarlierRun {
  RunPlan plan;           ///< the original plan, with the claim on its folder and the measurements so far (`continues`)
  std::string notice;     ///< as in ClaimedRun
  bool complete = false;  ///< nothing is left to measure
};

/// Reads the run in `folder` for a Controller to resume. Fails as claim_run(), and with bad_input for a listener's run.
Result<EarlierRun> read_earlier_run(const std::filesystem::path& folder);

/// Rewrites the report of a run that ended when results.json is missing or does not belong to its journal. Calls
/// `noticed` first, with one sentence without its full stop. Fails with io.
Status mend_report(const std::filesystem::path& folder, const StoredRun& run,
                   const std::function<void(const std::string&)>& noticed);

/// Whether the run in `folder`, whose nodes were told `holder`, was made on a simulated line that ended with it: it
/// cannot be resumed alone.
bool has_own_line(const std::filesystem::path& folder, const std::string& holder);

/// Removes the reports of a run that is now resumed, since they would be out of date. Fails with io.
Status clear_reports(const std::filesystem::path& folder);

}  // namespace vqas
