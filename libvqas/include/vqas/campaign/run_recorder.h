#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "vqas/campaign/baseline.h"
#include "vqas/campaign/run_folder.h"
#include "vqas/node/run_lock.h"
#include "vqas/node/run_plan.h"
#include "vqas/signal/result.h"
#include "vqas/store/journal.h"

namespace vqas {

/// What a recorder needs of a run besides its measurements.
struct RecorderOptions {
  RunAbout about;       ///< what the run belongs to; a new run without a uuid gets a random one
  std::string command;  ///< repeats the run, for the report; empty: the report makes it up from the results
  std::filesystem::path baseline = baseline_folder();  ///< shown in the report; empty: none
  /// Writes other files beside the journal before it is begun or resumed. May be empty.
  std::function<Status()> keep_beside;
  bool plan_is_kept = false;  ///< by `keep_beside`, already: the plan stays when an earlier run is removed
};

/// Keeps a run in its folder: each measurement in the journal as it comes, at the end results.json, results.csv and
/// report.html. All programs and ways of measuring use it. For one thread; every call may wait for the disk.
class RunRecorder {
 public:
  /// A new run, in a folder that prepare_run_folder() made ready.
  static RunRecorder create(PreparedFolder folder, RecorderOptions options = {});
  /// A run that is resumed in its folder, as read_earlier_run() gave it. What it belongs to is in `earlier.continues`,
  /// unless options.about replaces it.
  static RunRecorder resume(const RunPlan& earlier, RecorderOptions options);
  /// The same for any run, whose measurements so far are `so_far`; `next_sequence` as in RunJournal::resume().
  static RunRecorder resume(const std::filesystem::path& folder, std::shared_ptr<RunLock> lock,
                            const RunResults& so_far, std::vector<std::uint32_t> next_sequence,
                            RecorderOptions options);

  /// Removes an earlier run and begins the journal with the plan in `results`, or resumes it; once, before record().
  Status begin(const RunResults& results);
  /// Writes the new measurements of that stimulus to the journal.
  Status record(const RunResults& results, std::size_t direction, std::size_t stimulus);
  /// Completes `results` with what the run belongs to, its notes and the baseline's sentence, closes the journal and
  /// writes the report. Without begin() nothing is written.
  Status finish(RunResults& results);
  /// Releases the folder. With `fetched`, everything was fetched from the nodes of a simulated line, and the copies
  /// that they keep there are removed, as are the folders made for a run that never began. Call it when these nodes
  /// have ended; a second call does nothing.
  void leave(bool fetched);

  bool begun() const { return journal_.has_value(); }
  /// What the run belongs to, with its uuid.
  const RunAbout& about() const { return options_.about; }
  /// The claim on the folder, for the controller.
  std::shared_ptr<RunLock> lock() const { return prepared_.lock; }
  const std::filesystem::path& folder() const { return prepared_.folder; }
  std::filesystem::path report() const { return folder() / "report.html"; }
  /// Where the nodes of a simulated line keep what they receive.
  std::filesystem::path node_data() const;

 private:
  enum class Way { anew, resumed };
  /// Identifies a measurement: direction, number, and whether it was abandoned. The resumed run may still get an
  /// abandoned one from its receiver.
  using Entry = std::tuple<std::size_t, std::uint32_t, bool>;

  RunRecorder(Way way, PreparedFolder folder, RecorderOptions options);
  void know(const RunResults& so_far);
  RunResults complete(RunResults results) const;

  Way way_;
  PreparedFolder prepared_;
  RecorderOptions options_;
  std::vector<std::uint32_t> next_sequence_;  // by direction, when the run was broken off
  std::optional<RunJournal> journal_;
  std::set<Entry> recorded_;
  bool left_ = false;
};

}  // namespace vqas
