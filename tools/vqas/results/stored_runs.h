#pragma once

#include <CLI/App.hpp>
#include <string>

#include "vqas/campaign/stored_runs.h"

namespace vqas::cli {

/// --store and --archive: where a command looks for runs.
void add_store_options(CLI::App& command, StoreOptions& options);

/// Reports on standard error which recordings of the run in `folder` were left out of the archive, if any.
void tell_left_out(const std::string& folder, const Taken& taken);

}  // namespace vqas::cli
