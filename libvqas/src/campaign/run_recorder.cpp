#include "vqas/campaign/run_recorder.h"

#include <fmt/format.h>

#include <utility>

#include "campaign/run_files.h"
#include "campaign/run_uuid.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/operator_note.h"
#include "vqas/report/report.h"
#include "vqas/store/notes.h"

namespace vqas {

namespace fs = std::filesystem;

RunRecorder::RunRecorder(Way way, PreparedFolder folder, RecorderOptions options)
    : way_(way), prepared_(std::move(folder)), options_(std::move(options)) {
  (void)take_stop_request(prepared_.folder);  // of an earlier part of the run
}

RunRecorder RunRecorder::create(PreparedFolder folder, RecorderOptions options) {
  if (options.about.uuid.empty()) options.about.uuid = new_run_uuid();
  return {Way::anew, std::move(folder), std::move(options)};
}

RunRecorder RunRecorder::resume(const RunPlan& earlier, RecorderOptions options) {
  const auto& [so_far, session] = *earlier.continues;
  return resume(earlier.folder, earlier.lock, so_far, session.next_sequence, std::move(options));
}

RunRecorder RunRecorder::resume(const fs::path& folder, std::shared_ptr<RunLock> lock, const RunResults& so_far,
                                std::vector<std::uint32_t> next_sequence, RecorderOptions options) {
  RunRecorder recorder(Way::resumed, {folder, {}, std::move(lock)}, std::move(options));
  recorder.next_sequence_ = std::move(next_sequence);
  recorder.know(so_far);
  return recorder;
}

void RunRecorder::know(const RunResults& so_far) {
  for (std::size_t direction = 0; direction < so_far.directions.size(); ++direction) {
    for (const StimulusRun& run : so_far.directions[direction].stimuli) {
      for (const Measurement& one : run.measurements)
        recorded_.emplace(direction, one.sequence, was_abandoned(one.outcome));
    }
  }
}

RunResults RunRecorder::complete(RunResults results) const {
  results.about = options_.about;
  if (begun()) results.notes = read_notes(folder());
  return results;
}

Status RunRecorder::begin(const RunResults& results) {
  if (way_ == Way::anew) {
    if (Status cleared = clear_earlier_run(folder(), options_.plan_is_kept); !cleared) return cleared;
  }
  if (options_.keep_beside) {
    if (Status kept = options_.keep_beside(); !kept) return kept;
  }
  auto journal = way_ == Way::anew ? RunJournal::create(folder(), complete(results))
                                   : RunJournal::resume(folder(), complete(results), next_sequence_);
  if (!journal) return journal.error();
  journal_ = std::move(journal).value();
  // Only now: they may hold measurements that the journal has lost.
  return way_ == Way::anew ? success() : clear_reports(folder());
}

Status RunRecorder::record(const RunResults& results, std::size_t direction, std::size_t stimulus) {
  if (!journal_) return Error{ErrorCode::protocol, "a measurement came before the plan of the run"};
  const DirectionRun& way = results.directions.at(direction);
  const StimulusRun& run = way.stimuli.at(stimulus);
  for (const Measurement& one : run.measurements) {
    const Entry entry(direction, one.sequence, was_abandoned(one.outcome));
    if (recorded_.contains(entry)) continue;
    if (Status kept = journal_->append(way.from, run.stimulus, one); !kept) return kept;
    recorded_.insert(entry);
  }
  return success();
}

Status RunRecorder::finish(RunResults& results) {
  results = complete(std::move(results));
  if (!journal_) return success();
  if (!options_.baseline.empty())
    results.baseline = baseline_sentence(results, options_.baseline, results.finished_utc);
  if (Status closed = journal_->close(results); !closed) return closed;
  return write_report(folder(), results, current_provenance(results.mode), options_.command);
}

fs::path RunRecorder::node_data() const {
  return folder() / kNodesFolder;
}

void RunRecorder::leave(bool fetched) {
  if (std::exchange(left_, true)) return;
  if (!begun() || fetched) (void)remove_node_files(folder());  // files that cannot be removed do no harm
  if (way_ == Way::anew && !begun()) return abandon_run_folder(prepared_);
  if (prepared_.lock) prepared_.lock->release();
}

}  // namespace vqas
