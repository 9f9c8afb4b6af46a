#include "line/listen_run.h"

#include <fmt/format.h>

#include <system_error>

#include "vqas/campaign/run_folder.h"
#include "vqas/report/report.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas::cli {
namespace fs = std::filesystem;

Result<ListenFolder> ListenFolder::prepare(const fs::path& folder, bool resume, bool force,
                                           const std::string& corpus_digest) {
  ListenFolder prepared(folder);
  if (resume && fs::exists(folder / kJournalFile)) {
    auto lock = RunLock::take(folder);
    if (!lock) return lock.error();
    prepared.lock_ = *std::move(lock);
    remove_unfinished_files(folder);
    auto earlier = read_stored_run(folder);
    if (!earlier) return earlier.error();
    if (earlier->results.corpus_digest != corpus_digest || earlier->results.directions.size() != 1) {
      return Error{ErrorCode::bad_input,
                   fmt::format("the run in {} was measured with another corpus or by two nodes; name another folder",
                               folder.string())};
    }
    prepared.earlier_ = std::move(earlier->results);
    return prepared;
  }
  const auto made = prepare_run_folder(folder, force);
  if (!made) return made.error();
  prepared.lock_ = made->lock;
  if (const Status cleared = clear_earlier_run(folder); !cleared) return cleared.error();
  return prepared;
}

Status ListenFolder::begin(const RunResults& plan) {
  if (!earlier_) {
    auto journal = RunJournal::create(folder_, plan);
    if (!journal) return journal.error();
    journal_ = std::move(journal).value();
    return success();
  }
  const fs::path beside = folder_ / "resuming";
  std::error_code fault;
  fs::remove_all(beside, fault);
  auto journal = RunJournal::create(beside, plan);
  if (!journal) return journal.error();
  journal_ = std::move(journal).value();
  const DirectionRun& direction = plan.directions.front();
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      const Status kept = journal_->append(direction.from, direction.to, stimulus.stimulus, one);
      if (!kept) return kept.error();
    }
  }
  fs::rename(beside / kJournalFile, folder_ / kJournalFile, fault);
  if (fault) {
    return Error{ErrorCode::io,
                 fmt::format("cannot replace {}: {}", (folder_ / kJournalFile).string(), fault.message())};
  }
  fs::remove(beside, fault);
  return clear_reports(folder_);
}

Result<std::string> ListenFolder::keep(const RunResults& plan, const std::string& stimulus,
                                       const Measurement& measurement, const Signal& recording) {
  const DirectionRun& direction = plan.directions.front();
  const std::string name =
      fmt::format("recordings/{}-to-{}-{}-{:04}.flac", direction.from, direction.to, stimulus, measurement.sequence);
  const Status written = write_audio(folder_ / name, recording, AudioFormat::flac16);
  if (!written) return written.error();
  return name;
}

Result<std::string> ListenFolder::keep_unread(std::size_t number, const Signal& recording) {
  const std::string name = fmt::format("recordings/unread-{:04}.flac", number);
  const Status written = write_audio(folder_ / name, recording, AudioFormat::flac16);
  if (!written) return written.error();
  return name;
}

Status ListenFolder::append(const RunResults& results, std::size_t stimulus) {
  const DirectionRun& direction = results.directions.front();
  const StimulusRun& run = direction.stimuli.at(stimulus);
  return journal_->append(direction.from, direction.to, run.stimulus, run.measurements.back());
}

Status ListenFolder::finish(const RunResults& results, const std::string& command) {
  if (const Status closed = journal_->close(results); !closed) return closed.error();
  return write_report(folder_, results, current_provenance(), command);
}

}  // namespace vqas::cli
