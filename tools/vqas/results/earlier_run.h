#pragma once

#include <filesystem>

#include "vqas/node/controller.h"
#include "vqas/signal/result.h"
#include "vqas/store/journal.h"

namespace vqas::cli {

/// Fills `plan` as the run in `plan.folder` was begun, with what it has measured. Fails with bad_input when nothing was
/// begun there or another score was in use, or with io.
Status plan_of_earlier_run(RunPlan& plan);

/// Writes the report of a run that ended anew, and says so, where results.json is missing or is not that of its
/// journal. Fails with io.
Status mend_report(const std::filesystem::path& folder, const StoredRun& run);

/// Whether the folder holds a run that was begun, whether it ended or not.
bool was_begun(const std::filesystem::path& folder);

}  // namespace vqas::cli
