#pragma once

#include <filesystem>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas::app {

/// The folder of the runs that were removed from `home`, "removed" in it. Other programs leave them out too.
std::filesystem::path bin_of(const std::filesystem::path& home);

/// Moves a run's folder, which is below `home`, into the bin, where it has the same path below the bin. Gives its new
/// folder. Fails with bad_input while the run is measured or if the bin holds a folder of that path, or with io.
Result<std::filesystem::path> remove_run(const std::filesystem::path& run, const std::filesystem::path& home);

/// The inverse. Fails with bad_input if its old place is taken, or with io.
Result<std::filesystem::path> put_run_back(const std::filesystem::path& run, const std::filesystem::path& home);

/// Deletes these runs, which are in the bin: their files and no others, so that a folder which holds other files stays.
/// Fails with bad_input if one is elsewhere, or with io; those before it are deleted then.
Status delete_removed(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& home);

}  // namespace vqas::app
