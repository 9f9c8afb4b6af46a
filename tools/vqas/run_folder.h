#pragma once

#include <filesystem>

#include "vqas/signal/result.h"

namespace vqas::cli {

/// Makes the folder of a run ready before line time is spent: new or empty, or, with `force`, cleared of what an
/// earlier run left there and of nothing else. Fails with bad_input when it holds anything, with io when it cannot be
/// written.
Status prepare_run_folder(const std::filesystem::path& folder, bool force);

}  // namespace vqas::cli
