#include "model/run_recorder.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "vqas/campaign/earlier_run.h"
#include "vqas/report/report.h"

namespace vqas::app {

Result<RunRecorder> RunRecorder::prepare(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{ErrorCode::io, "the results folder " + folder.string() + " cannot be made: " + failed.message() +
                                    "; choose another one"};
  const bool vacant = std::ranges::all_of(
      std::filesystem::directory_iterator(folder, failed),
      // A kill left it; who holds it is told below.
      [](const std::filesystem::directory_entry& one) { return one.path().filename() == kRunLockFile; });
  if (!vacant && !run_goes_on(folder))
    return Error{ErrorCode::bad_input, "the results folder " + folder.string() +
                                           " is not empty; choose a new one, so that no earlier result is lost"};
  auto lock = RunLock::take(folder);
  if (!lock) return lock.error();
  const std::filesystem::path probe = folder / ".vqas-probe";
  const bool written = [&probe] {
    std::ofstream file(probe, std::ios::binary);
    file << "probe" << std::flush;
    return file.good();
  }();
  std::filesystem::remove(probe, failed);
  if (!written)
    return Error{ErrorCode::io, "the results folder " + folder.string() +
                                    " cannot be written; check rights and free space, or choose another one"};
  return RunRecorder(folder, *std::move(lock));
}

RunRecorder RunRecorder::resume(const RunPlan& earlier) {
  RunRecorder recorder(earlier.folder, earlier.lock);
  recorder.continues_ = earlier.continues;
  const auto& directions = earlier.continues->so_far.directions;
  for (std::size_t direction = 0; direction < directions.size(); ++direction) {
    for (const StimulusRun& run : directions[direction].stimuli) {
      for (const Measurement& one : run.measurements)
        recorder.recorded_.emplace(direction, one.sequence, was_given_up(one.outcome));
    }
  }
  return recorder;
}

RunResults RunRecorder::whole(RunResults results) const {
  if (continues_) results.about = continues_->so_far.about;
  return results;
}

Status RunRecorder::begin(const RunResults& results) {
  Result<RunJournal> begun = continues_ ? RunJournal::resume(folder_, whole(results), continues_->session.next_sequence)
                                        : RunJournal::create(folder_, results);
  if (!begun) return begun.error();
  journal_.emplace(std::move(begun).value());
  // Only now: the journal may have lost what they hold.
  return continues_ ? clear_reports(folder_) : success();
}

Status RunRecorder::record(const RunResults& results, std::size_t direction, std::size_t stimulus) {
  if (!journal_) return Error{ErrorCode::protocol, "a measurement came before the plan of the run"};
  const DirectionRun& way = results.directions.at(direction);
  const StimulusRun& run = way.stimuli.at(stimulus);
  for (const Measurement& one : run.measurements) {
    const Entry entry(direction, one.sequence, was_given_up(one.outcome));
    if (recorded_.contains(entry)) continue;
    if (Status kept = journal_->append(way.from, way.to, run.stimulus, one); !kept) return kept;
    recorded_.insert(entry);
  }
  return success();
}

Status RunRecorder::write(const RunResults& results) {
  Status closed = journal_->close(results);
  Status written = write_report(folder_, results);
  return closed ? written : closed;
}

Status RunRecorder::finish(const RunResults& results, bool complete) {
  std::error_code ignored;  // what cannot be tidied away does no harm
  if (!continues_ && (complete || !journal_)) std::filesystem::remove_all(node_data(), ignored);
  Status written = journal_ ? write(whole(results)) : success();
  if (lock_) lock_->release();
  if (journal_ || continues_) return written;
  // remove() refuses a folder that holds something.
  std::filesystem::remove(folder_ / "recordings", ignored);
  std::filesystem::remove(folder_, ignored);
  return written;
}

}  // namespace vqas::app
