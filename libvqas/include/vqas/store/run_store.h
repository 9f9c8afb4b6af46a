#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vqas/store/journal.h"
#include "vqas/store/recording_archive.h"

namespace vqas {

/// The mean score of one direction of a run, each stimulus with the same weight.
struct StoredMean {
  End from = End::a;
  double mos_lqo = 0;
  /// Shares of the measurements without a score, 0..1, without those that say nothing of the line: the mean over the
  /// stimuli, and the largest of a stimulus.
  double share_unscored = 0, largest_share_unscored = 0;
};
/// What a store knows about a run without loading it.
struct StoredRunInfo {
  std::string uuid;
  std::string campaign, line, score_version;
  std::string started_utc, finished_utc;  ///< ISO 8601; finished_utc is empty when the run was broken off
  std::string ended_because;              ///< empty when complete
  std::map<std::string, std::string> tags;
  std::size_t measurements = 0, scored = 0;
  /// Its means have the scale MOS-LQOW.
  bool is_wideband() const { return score_version.starts_with("vqas-wb-"); }
  std::vector<StoredMean> means;  ///< of the directions that have a score
};

/// Selects runs; empty members do not filter.
struct RunFilter {
  std::map<std::string, std::string> tags;  ///< all must be present with this value; "site" is an ordinary tag
  std::string campaign;
  std::string since_utc, until_utc;  ///< by the start, ISO 8601 or the beginning of it, "2026-11"; both inclusive
};

/// Result of an import.
struct Taken {
  std::string uuid;
  std::size_t measurements = 0;  ///< new in the store
  std::size_t known = 0;         ///< already in the store
  std::size_t recordings = 0;    ///< new in the archive
  std::size_t left_out = 0;      ///< recordings not taken: missing, not audio, or not in the run's folder
  std::string why_left_out;      ///< reason for the first one
  std::size_t removed = 0;       ///< recordings that a rule of the plan has removed from the run's folder
  std::string damage;            ///< remarks on damaged lines of its journal; empty: none
};

/// Runs of many campaigns in a database. A run's journal remains the reference: the store takes its lines unchanged,
/// and taking a run again adds only what is new (by the run's uuid, the direction and the sequence number). An import
/// can therefore be repeated after a kill at any instant. For one thread, with a QCoreApplication.
class RunStore {
 public:
  enum class Access { write, read };

  /// `url`: a file, "sqlite:FILE" or "postgresql://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?host=FOLDER][&sslmode=MODE]"
  /// (the folder of a server's socket; a mode of libpq). A missing (SQLite) or empty store is created; one of an older
  /// schema is upgraded in one transaction. Fails with bad_input (an invalid url, a newer schema, a file that is not a
  /// database) or io (read-only, full, no answer), so that a store that cannot be written is found before line time is
  /// spent. For reading, nothing is written to a store of this build's schema, so a read-only store can be read; a
  /// missing store, or a data base without one, is bad_input.
  static Result<RunStore> open(const std::string& url, Access access = Access::write);

  /// Takes the content of the journal in `folder`, whether the run has ended or not, all or nothing. Recordings go to
  /// `archive`, if given. Fails with bad_input (no journal, damaged header) or io.
  Result<Taken> take(const std::filesystem::path& folder, RecordingArchive* archive = nullptr);

  /// By start, oldest first.
  Result<std::vector<StoredRunInfo>> list(const RunFilter& filter = {});
  /// The run with this uuid, or the only one whose uuid begins with it; recordings are named by their digests. Fails
  /// with bad_input if there is none or more than one.
  Result<StoredRun> load(const std::string& uuid);

  RunStore(RunStore&&) noexcept;
  RunStore& operator=(RunStore&&) noexcept;
  ~RunStore();

 private:
  struct Database;
  explicit RunStore(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

/// The folder below a folder of runs where a window keeps those that its user removed.
inline constexpr const char* kRemovedRunsFolder = "removed";

/// The folders of runs that `folder` is or contains: itself, or those below it, for example a campaign's runs, by name.
/// Symbolic links are not followed; kRemovedRunsFolder is left out, unless it is `folder` itself. Fails with bad_input
/// if there is none.
Result<std::vector<std::filesystem::path>> run_folders(const std::filesystem::path& folder);

}  // namespace vqas
