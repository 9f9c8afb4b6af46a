#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// The data folders of a simulated line's nodes, below the run's folder.
inline constexpr const char* kNodesFolder = "nodes";

/// Removes the files of the run in `folder`: its journal, records and reports, and the recordings that they name. Other
/// files stay, also those in its recordings/. `but_the_plan`: keeps the copy of the plan. Fails with io.
Status remove_run_files(const std::filesystem::path& folder, bool but_the_plan);

/// Removes those of `names` that the journal of the run in `folder` names as recordings. One that is gone is no error.
/// Fails with bad_input if the journal cannot be read, or io.
Status remove_recordings(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Removes what the nodes of a simulated line keep in `folder`/nodes: their journals, and the recordings that these
/// name. Then removes folders that became empty. Fails with io.
Status remove_node_files(const std::filesystem::path& folder);

/// Entries of a folder without a run whose names a run needs for its own files.
std::vector<std::string> names_taken(const std::filesystem::path& folder);

}  // namespace vqas
