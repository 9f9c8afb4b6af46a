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

/// What a store says of a run without loading it.
/// The mean score of one direction of a run, each stimulus with the same weight.
struct StoredMean {
  std::string from, to;
  double mos_lqo = 0;
};
struct StoredRunInfo {
  std::string uuid;
  std::string campaign, line, score_version;
  std::string started_utc, finished_utc;  ///< ISO 8601; finished_utc is empty when the run was broken off
  std::string ended_because;              ///< empty when complete
  std::map<std::string, std::string> tags;
  std::size_t measurements = 0, scored = 0;
  std::vector<StoredMean> means;  ///< of the directions that have a score
};

/// Which runs are wanted; what is empty does not filter.
struct RunFilter {
  std::map<std::string, std::string> tags;  ///< all of them must be there with this value; "site" is one like any other
  std::string campaign;
  std::string since_utc, until_utc;  ///< by the start, ISO 8601 or the beginning of it, "2026-11"; both included
};

/// What became of an import.
struct Taken {
  std::string uuid;
  std::size_t measurements = 0;  ///< new in the store
  std::size_t known = 0;         ///< there already
  std::size_t recordings = 0;    ///< new in the archive
  std::size_t left_out = 0;      ///< recordings that could not be taken: missing, no audio, or not in the run's folder
  std::string why_left_out;      ///< of the first one
  std::string damage;            ///< what is to be said of its journal's lines; empty: nothing
};

/// Runs of many campaigns in a database. A run's journal stays the first truth: the store takes its lines as they are,
/// and taking a run again adds only what is new (by the run's uuid, the direction and the sequence number), so that it
/// can be repeated after a kill at any instant. For one thread, with a QCoreApplication.
class RunStore {
 public:
  enum class Access { write, read };

  /// `url`: a file, "sqlite:FILE" or "postgresql://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?host=FOLDER][&sslmode=MODE]"
  /// (the folder of a server's socket; a mode of libpq). A store that is not there (SQLite) or is empty is made; one of
  /// an older schema is brought up to date in one transaction. Fails with bad_input (a url that is none, a newer
  /// schema, a file that is no database) or io (read-only, full, nobody answers), so that a store that cannot be
  /// written is known before line time is spent.
  /// For reading, nothing is written to a store of this build's schema, so that one may be read that must not be
  /// written.
  static Result<RunStore> open(const std::string& url, Access access = Access::write);

  /// Takes what the journal in `folder` holds, whether the run has ended or not, all or nothing. Recordings go to
  /// `archive` where there is one. Fails with bad_input (no journal, damaged header) or io.
  Result<Taken> take(const std::filesystem::path& folder, RecordingArchive* archive = nullptr);

  /// By start, oldest first.
  Result<std::vector<StoredRunInfo>> list(const RunFilter& filter = {});
  /// The run with that uuid or the only one whose uuid begins so; recordings are named by their digests. Fails with
  /// bad_input when there is none or more than one.
  Result<StoredRun> load(const std::string& uuid);
  /// Adds a note to a run of the store. The same note twice is kept once. bad_input when there is no such measurement.
  Status add_note(const std::string& uuid, const OperatorNote& note);

  /// Schema of this build's stores.
  static int schema_version();

  RunStore(RunStore&&) noexcept;
  RunStore& operator=(RunStore&&) noexcept;
  ~RunStore();

 private:
  struct Database;
  explicit RunStore(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

/// The folders of runs that `folder` is or holds: itself, or those below it, say of a campaign's runs, by their names.
/// Symbolic links are not followed. Fails with bad_input when there is none.
Result<std::vector<std::filesystem::path>> run_folders(const std::filesystem::path& folder);

}  // namespace vqas
