#include "model/elsewhere/run_follower.h"

#include <system_error>
#include <utility>

#include "vqas/campaign/operator_note.h"
#include "vqas/node/run_lock.h"
#include "vqas/store/journal.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

/// Its first line is written in less time.
constexpr int kUnreadableLooks = 20;

RunProgress progress_of(const RunResults& results) {
  RunProgress progress{0, 0, -1};
  for (const DirectionRun& direction : results.directions)
    for (const StimulusRun& stimulus : direction.stimuli) progress.measured += stimulus.measurements.size();
  return progress;
}

}  // namespace

RunFollower::RunFollower(std::filesystem::path folder, int every_ms, int stops_within_ms)
    : folder_(std::move(folder)), looking_(this), stopping_(this) {
  looking_.setInterval(every_ms);
  connect(&looking_, &QTimer::timeout, this, &RunFollower::look);
  stopping_.setSingleShot(true);
  stopping_.setInterval(stops_within_ms);
  connect(&stopping_, &QTimer::timeout, this, [this] {
    if (over_) return;
    emit phase_changed(RunPhase::measuring);
    emit noticed(u"the program that measures this run does not stop it; stop it there"_s);
  });
}

void RunFollower::start() {
  emit phase_changed(RunPhase::measuring);
  looking_.start();
  look();
}

void RunFollower::look() {
  if (over_) return;
  // Asked first: then the journal that is read holds everything, if it is over.
  const bool in_progress = run_goes_on(folder_);
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(folder_ / kJournalFile, failed);
  if (in_progress && !failed && bytes == read_bytes_) return;
  const auto run = read_stored_run(folder_);
  if (!run && in_progress) {
    if (++unreadable_ == kUnreadableLooks)
      emit noticed(u"the run cannot be read, and is looked at again: "_s + QString::fromStdString(run.error().message));
    return;
  }
  unreadable_ = 0;
  if (!run) {
    over_ = true;
    looking_.stop();
    RunEnd how;
    how.phase = RunPhase::failed;
    how.code = run.error().code;
    how.message = QString::fromStdString(run.error().message);
    emit finished(how, std::make_shared<const RunResults>());
    return;
  }
  read_bytes_ = bytes;
  if (!in_progress) return end(run->results);
  emit updated(std::make_shared<const RunResults>(run->results));
  emit progressed(progress_of(run->results), {});
}

void RunFollower::end(const RunResults& results) {
  over_ = true;
  looking_.stop();
  RunEnd how;
  how.phase = results.is_complete() ? RunPhase::finished : RunPhase::cancelled;
  how.message = QString::fromStdString(results.ended_because);
  how.folder = QString::fromStdString(folder_.string());
  std::error_code unknown;
  const std::filesystem::path report = folder_ / "report.html";
  if (std::filesystem::exists(report, unknown)) how.report = QString::fromStdString(report.string());
  emit finished(how, std::make_shared<const RunResults>(results));
}

void RunFollower::cancel() {
  if (over_) return;
  if (const Status asked = request_stop(folder_); !asked)
    return emit noticed(QString::fromStdString(asked.error().message));
  emit phase_changed(RunPhase::stopping);
  stopping_.start();
}

void RunFollower::note(const OperatorNote& note) {
  const auto kept = write_note(folder_, note, note.from == End::a ? "a-to-b" : "b-to-a");
  if (kept)
    emit noted({}, QString::fromStdString(*kept));
  else
    emit noted(QString::fromStdString(kept.error().message));
}

FollowingSession::FollowingSession(const std::filesystem::path& folder)
    : worker_(u"follow"_s, new RunFollower(folder)) {
  worker_.pass_on(this, &RunSession::phase_changed, &RunSession::updated, &RunSession::progressed, &RunSession::noted,
                  &RunSession::noticed, &RunSession::finished);
}

}  // namespace vqas::app
