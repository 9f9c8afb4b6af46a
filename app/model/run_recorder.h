#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "vqas/node/controller.h"
#include "vqas/node/run_lock.h"
#include "vqas/signal/result.h"
#include "vqas/store/journal.h"

namespace vqas::app {

/// Keeps a run in its folder as `vqas measure` does: each measurement in the journal as it comes, at the end
/// results.json, results.csv and report.html. For one thread; every call may wait for the disk.
class RunRecorder {
 public:
  /// Makes `folder`, sees whether it can be written, before any line time is spent, and claims it (RunLock). Fails with
  /// bad_input when it holds something or another process measures into it, with io when the system refuses.
  static Result<RunRecorder> prepare(const std::filesystem::path& folder);
  /// For a run that is resumed in its folder, as read_earlier_run() gave it.
  static RunRecorder resume(const RunPlan& earlier);

  /// Begins the journal by the plan in `results`, or resumes it; once, before record().
  Status begin(const RunResults& results);
  /// Journals what is new among the measurements of that stimulus.
  Status record(const RunResults& results, std::size_t direction, std::size_t stimulus);
  /// Closes the journal, writes results and report, and gives the folder back to whoever wants it next. Without begin()
  /// nothing is written, and a folder that was made for the run goes again.
  /// `complete` tells that what the nodes of a simulated line have kept has been fetched, and can go.
  Status finish(const RunResults& results, bool complete);

  /// The claim on the folder, for the controller.
  std::shared_ptr<RunLock> lock() const { return lock_; }
  bool begun() const { return journal_.has_value(); }
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path report() const { return folder_ / "report.html"; }
  /// Where the nodes of a simulated line keep what they receive.
  std::filesystem::path node_data() const { return folder_ / "nodes"; }

 private:
  RunRecorder(std::filesystem::path folder, std::shared_ptr<RunLock> lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}
  /// With what the run belongs to.
  RunResults whole(RunResults results) const;
  Status write(const RunResults& results);

  /// What tells one measurement from another: direction, number, and whether it was given up, as one is that the next
  /// part of a run may still get from its receiver.
  using Entry = std::tuple<std::size_t, std::uint32_t, bool>;

  std::filesystem::path folder_;
  std::shared_ptr<RunLock> lock_;
  std::optional<RunJournal> journal_;
  std::set<Entry> recorded_;
  std::optional<RunContinuation> continues_;
};

}  // namespace vqas::app
