#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "vqas/node/line_only.h"
#include "vqas/node/run_lock.h"
#include "vqas/store/journal.h"

namespace vqas::cli {

/// The folder of a listener: recordings, journal, and the results of an earlier listener that is gone on with. For one
/// thread.
class ListenFolder {
 public:
  /// Makes the folder ready; with `resume` it must hold the run of a listener with the same corpus. Fails with
  /// bad_input or io.
  static Result<ListenFolder> prepare(const std::filesystem::path& folder, bool resume, bool force,
                                      const std::string& corpus_digest);

  const std::optional<RunResults>& earlier() const { return earlier_; }
  /// Begins the journal, with what the earlier listener measured. That one's journal stays until the new one holds all
  /// of it.
  Status begin(const RunResults& plan);
  /// Writes the recording; returns its name within the folder.
  Result<std::string> keep(const RunResults& plan, const std::string& stimulus, const Measurement& measurement,
                           const Signal& recording);
  /// The same for a transmission of which nobody knows what it carries.
  Result<std::string> keep_unread(std::size_t number, const Signal& recording);
  Status append(const RunResults& results, std::size_t stimulus);
  /// Journal, results.json, results.csv and report.html.
  Status finish(const RunResults& results, const std::string& command);

 private:
  explicit ListenFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
  std::shared_ptr<RunLock> lock_;
  std::optional<RunResults> earlier_;
  std::optional<RunJournal> journal_;
};

}  // namespace vqas::cli
