#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "vqas/store/run_store.h"

namespace vqas::cli {

/// Where a command looks for runs.
struct StoreOptions {
  std::string url;      ///< empty: VQAS_STORE, else the user's own
  std::string archive;  ///< folder of the recordings; empty: beside the store
};
void add_store_options(CLI::App& command, StoreOptions& options);

/// The store that the options mean: the option, else the environment's VQAS_STORE, else vqas/store.sqlite in the user's
/// data folder, which is made. Fails as RunStore::open() does.
Result<RunStore> open_store(const StoreOptions& options, RunStore::Access access = RunStore::Access::write);
/// The same for a command that only reads: a file that was named and is not there is bad_input, and is not made.
Result<RunStore> open_store_to_read(const StoreOptions& options);
std::string store_url(const StoreOptions& options);
/// Recordings stand beside a store that is a file, else in the user's data folder.
std::filesystem::path archive_folder(const StoreOptions& options);

/// The run in a folder of that name, else the store's run whose uuid begins so. Needs a QCoreApplication for the store.
Result<StoredRun> find_run(const std::string& name, const StoreOptions& options);
Result<std::vector<StoredRun>> find_runs(const std::vector<std::string>& names, const StoreOptions& options);

/// "site=north" as a tag; bad_input without a "=".
Status add_tag(const std::string& text, RunFilter& filter);

/// Says on standard error which recordings of the run in `folder` did not come into the archive, where there are any.
void tell_left_out(const std::string& folder, const Taken& taken);

}  // namespace vqas::cli
