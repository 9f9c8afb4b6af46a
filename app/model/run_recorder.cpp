#include "model/run_recorder.h"

#include <fstream>
#include <system_error>

#include "vqas/report/report.h"

namespace vqas::app {

Result<RunRecorder> RunRecorder::prepare(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{ErrorCode::io, "the results folder " + folder.string() + " cannot be made: " + failed.message() +
                                    "; choose another one"};
  if (!std::filesystem::is_empty(folder, failed) && !failed)
    return Error{ErrorCode::bad_input, "the results folder " + folder.string() +
                                           " is not empty; choose a new one, so that no earlier result is lost"};
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
  return RunRecorder(folder);
}

Status RunRecorder::begin(const RunResults& results) {
  Result<RunJournal> begun = RunJournal::create(folder_, results);
  if (!begun) return begun.error();
  journal_.emplace(std::move(begun).value());
  return success();
}

Status RunRecorder::record(const RunResults& results, std::size_t direction, std::size_t stimulus) {
  if (!journal_) return Error{ErrorCode::protocol, "a measurement came before the plan of the run"};
  const DirectionRun& way = results.directions.at(direction);
  const StimulusRun& run = way.stimuli.at(stimulus);
  for (std::size_t& done = recorded_[{direction, stimulus}]; done < run.measurements.size(); ++done) {
    Status kept = journal_->append(way.from, way.to, run.stimulus, run.measurements[done]);
    if (!kept) return kept;
  }
  return success();
}

Status RunRecorder::finish(const RunResults& results, bool complete) {
  std::error_code ignored;  // what cannot be tidied away does no harm
  if (complete || !journal_) std::filesystem::remove_all(node_data(), ignored);
  if (!journal_) {
    // remove() refuses a folder that holds something.
    std::filesystem::remove(folder_ / "recordings", ignored);
    std::filesystem::remove(folder_, ignored);
    return success();
  }
  Status closed = journal_->close(results);
  Status written = write_report(folder_, results);
  return closed ? written : closed;
}

}  // namespace vqas::app
