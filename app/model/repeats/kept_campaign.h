#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "model/kept_run.h"

namespace vqas::app {

/// The folder of the campaign with repeats that `folder` is, or whose run it is; nothing: it belongs to none.
/// Re-entrant.
std::optional<std::filesystem::path> campaign_with_repeats(const std::filesystem::path& folder);

/// The campaign with repeats in this folder, if it can be resumed: some of its slots are left, and no program measures
/// it. Nothing also where its runs have been removed. Re-entrant.
std::optional<KeptRun> resumable_campaign(const std::filesystem::path& folder);

/// The runs and the campaigns with repeats in this folder and in those below it that can be resumed, the newest first.
/// A run of a campaign is not among them, because its campaign resumes it. Reads whole journals. Writes nothing.
/// Re-entrant.
std::vector<KeptRun> read_resumable_runs(const std::filesystem::path& folder);

}  // namespace vqas::app
