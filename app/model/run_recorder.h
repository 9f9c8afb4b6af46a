#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "vqas/node/run.h"
#include "vqas/signal/result.h"
#include "vqas/store/journal.h"

namespace vqas::app {

/// Keeps a run in its folder as `vqas measure` does: each measurement in the journal as it comes, at the end
/// results.json, results.csv and report.html. For one thread; every call may wait for the disk.
class RunRecorder {
 public:
  /// Makes `folder` and sees whether it can be written, before any line time is spent. Fails with bad_input when it
  /// holds something, with io when the system refuses.
  static Result<RunRecorder> prepare(const std::filesystem::path& folder);

  /// Begins the journal by the plan in `results`; once, before record().
  Status begin(const RunResults& results);
  /// Journals what is new among the measurements of that stimulus.
  Status record(const RunResults& results, std::size_t direction, std::size_t stimulus);
  /// Closes the journal and writes results and report. Without begin() nothing is written, and the folder goes again.
  /// `complete` tells that what the nodes of a simulated line have kept has been fetched, and can go.
  Status finish(const RunResults& results, bool complete);

  bool begun() const { return journal_.has_value(); }
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path report() const { return folder_ / "report.html"; }
  /// Where the nodes of a simulated line keep what they receive.
  std::filesystem::path node_data() const { return folder_ / "nodes"; }

 private:
  explicit RunRecorder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
  std::optional<RunJournal> journal_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> recorded_;  // measurements, by direction and stimulus
};

}  // namespace vqas::app
