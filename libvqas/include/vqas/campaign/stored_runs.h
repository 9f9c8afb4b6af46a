#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vqas/store/kept_recordings.h"
#include "vqas/store/run_store.h"

namespace vqas {

/// Where runs are looked for.
struct StoreOptions {
  std::string url;      ///< empty: VQAS_STORE, else the user's own
  std::string archive;  ///< folder of the recordings; empty: beside the store
};

/// The store that the options mean: the option, else the environment's VQAS_STORE, else vqas/store.sqlite in the user's
/// data folder, which is created. Fails as RunStore::open() does.
Result<RunStore> open_store(const StoreOptions& options, RunStore::Access access = RunStore::Access::write);
/// The same for reading only: fails with bad_input when a named file does not exist, and does not create it.
Result<RunStore> open_store_to_read(const StoreOptions& options);
std::string store_url(const StoreOptions& options);
/// The archive is beside a store that is a file, else in the user's data folder.
std::filesystem::path archive_folder(const StoreOptions& options);

/// The run in a folder of that name, else the store's run whose uuid begins with it. Needs a QCoreApplication for the
/// store.
Result<StoredRun> find_run(const std::string& name, const StoreOptions& options);
Result<std::vector<StoredRun>> find_runs(const std::vector<std::string>& names, const StoreOptions& options);

/// Where a run's recordings are: in its folder, by their names there, or in an archive, by their digests.
class RunRecordings {
 public:
  explicit RunRecordings(std::filesystem::path folder);
  explicit RunRecordings(RecordingArchive archive) : archive_(std::move(archive)) {}
  /// Of the run that find_run() finds by that name. Fails as RecordingArchive::open().
  static Result<RunRecordings> of(const std::string& run, const StoreOptions& options);

  /// The file of a measurement's recording; from an archive, checked. Fails with bad_input, also if it was_removed().
  Result<std::filesystem::path> find(const std::string& recording) const;
  /// Whether a rule of the campaign's plan removed it from the run's folder.
  bool was_removed(const std::string& recording) const;

 private:
  std::filesystem::path folder_;
  KeptRecordings kept_;
  std::optional<RecordingArchive> archive_;
};

/// "site=north" as a tag; bad_input without a "=".
Status add_tag(const std::string& text, RunFilter& filter);

}  // namespace vqas
