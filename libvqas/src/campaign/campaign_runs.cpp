// One run of a campaign: begins, resumes, measures and stores it.
#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "campaign/campaign_engine.h"
#include "campaign/run_files.h"
#include "vqas/campaign/bench_run.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/report/report.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas {

namespace fs = std::filesystem;
using namespace campaign;

/// A kill may leave what a simulated line's nodes received; nothing more is fetched of a run that is over.
void Campaign::Engine::remove_copies_of_nodes(const fs::path& folder) const {
  const auto lock = RunLock::take(folder);
  if (!lock) return;
  if (const Status removed = remove_node_files(folder); !removed) tell(events.noticed, removed.error().message);
}

std::optional<RunVerdict> Campaign::Engine::begin_run(const CampaignRun& run) {
  std::error_code failed;
  FolderAdvice advice;
  // A campaign may also be broken off between two runs, when its first one is complete.
  const std::string resume_or_replace =
      fmt::format("resume its campaign if that is not complete: {}; or {}",
                  as_command({"vqas", "measure", "--resume", options.folder.string()}), advice.for_a_run);
  if (fs::exists(options.folder / kPlanFile, failed)) advice.for_a_run = resume_or_replace.c_str();
  const auto prepared = prepare_run_folder(run.folder, options.force, advice);
  if (!prepared) return worse(fail(prepared.error()), verdict_of_start(prepared.error(), run.folder));
  RunEvents told = events.run_begins ? events.run_begins(run) : RunEvents();
  RecorderOptions how;
  how.about = about(plan);
  how.keep_beside = [this] { return keep_plan(options.folder, on_disk); };
  // Early, so that a campaign killed at any time can be resumed without the plan; but not beside another plan's
  // results.
  const bool copied_before = fs::exists(options.folder / kPlanFile, failed);
  if (!holds_a_run(survey_folder(run.folder).state)) {
    if (const Status kept = how.keep_beside(); !kept) return fail(kept.error());
    how.plan_is_kept = true;
  }
  const bool drop_plan = how.plan_is_kept && !copied_before;
  current.emplace(run, RunRecorder::create(*prepared, std::move(how)), std::move(told), drop_plan);
  return measure(run_plan(plan, options, *prepared, run.number));
}

/// A run that ended is not measured again; its verdict counts.
std::optional<RunVerdict> Campaign::Engine::resume_run(CampaignRun run) {
  const FolderSurvey survey = survey_folder(run.folder);
  const std::optional<StoredRun>& stored = survey.run;
  if (stored && survey.state == FolderState::complete) return ended_before(run, *stored);
  auto earlier = read_earlier_run(run.folder);
  if (!earlier) return worse(fail(earlier.error()), verdict_of_start(earlier.error(), run.folder));
  if (!earlier->notice.empty()) tell(events.noticed, earlier->notice);
  run.resumed = true;
  RunEvents told = events.run_begins ? events.run_begins(run) : RunEvents();
  if (options.before) {
    earlier->plan.sampling = plan.sampling;
    earlier->plan.cap_line_time_s = plan.cap_line_time_s;
  }
  RecorderOptions how;
  how.about = about_of_earlier(earlier->plan.continues->so_far, options.before, on_disk);
  how.keep_beside = [this] { return keep_plan(options.folder, on_disk); };
  current.emplace(run, RunRecorder::resume(earlier->plan, std::move(how)), std::move(told), false);
  return measure(std::move(earlier->plan));
}

RunVerdict Campaign::Engine::ended_before(const CampaignRun& run, const StoredRun& stored) {
  folders.push_back(run.folder);
  if (const auto lock = RunLock::take(run.folder)) remove_unfinished_files(run.folder);
  remove_copies_of_nodes(run.folder);
  mend(run.folder, stored);
  return as_it_stands(run, stored);
}

RunVerdict Campaign::Engine::verdict_of_try(const CampaignRun& run, RunVerdict what) {
  const bool has_begun = !folders.empty() && folders.back() == run.folder;
  if (!has_begun || is_complete(what) || what == RunVerdict::cancelled) return what;
  const FolderSurvey survey = survey_folder(run.folder);
  if (!survey.run || survey.state != FolderState::complete) return what;
  mend(run.folder, *survey.run);
  return verdict_of(survey.run->results, survey.run->provenance);
}

void Campaign::Engine::mend(const fs::path& folder, const StoredRun& stored) {
  const auto noticed = [this](const std::string& what) { tell(events.noticed, what); };
  if (const Status mended = mend_report(folder, stored, noticed); mended) return;
  tell(events.noticed, fmt::format("the report in {} cannot be written now; its measurements are kept, and it is tried "
                                   "again at the end of the campaign",
                                   folder.string()));
  unreported.push_back(folder);
}

void Campaign::Engine::mend_reports() {
  for (const fs::path& folder : std::exchange(unreported, {})) {
    const auto stored = read_stored_run(folder);
    const Status mended = stored ? mend_report(folder, *stored, [](const std::string&) {}) : Status(stored.error());
    if (!mended) verdict = worse(verdict, fail(mended.error()));
  }
}

/// A run that cannot be resumed. What can be read of it counts unchanged.
RunVerdict Campaign::Engine::unresumed(const CampaignRun& run) {
  std::error_code failed;
  incomplete = true;
  const FolderSurvey survey = survey_folder(run.folder);
  if (!holds_a_run(survey.state)) {
    tell(events.noticed, fmt::format("run {} of {} ({}) has no results: it was removed; it is not measured again",
                                     run.number, run.runs, run.folder.string()));
    return RunVerdict::not_measured;
  }
  if (!survey.run) return fail({ErrorCode::bad_input, fmt::format("run {}: {}", run.number, survey.why)});
  const bool has_journal = fs::exists(run.folder / kJournalFile, failed);
  const RunResults& results = survey.run->results;
  tell(events.noticed,
       fmt::format("{}; the run is taken from {} as it stands{}, and is not resumed", survey.why,
                   has_journal ? kJournalFile : kResultsFile,
                   results.is_complete() ? "" : fmt::format(" (not complete: {})", results.ended_because)));
  folders.push_back(run.folder);
  return as_it_stands(run, *survey.run);
}

RunVerdict Campaign::Engine::as_it_stands(const CampaignRun& run, const StoredRun& stored) {
  tell(events.had_ended, run, stored);
  run_end = run_end_of(stored.results, stored.provenance);
  stood = true;
  return verdict_of(stored.results, stored.provenance);
}

std::optional<RunVerdict> Campaign::Engine::measure(RunPlan run) {
  measured = true;
  // The object that sends the end of the run is destroyed behind it.
  const auto over_with = [this](RunVerdict what) {
    soon([this, what] {
      const CampaignRun ended_run = current->run;
      ended(ended_run, leave(what));
      step();
    });
  };
  RunEvents told = watched(std::move(current->told));
  told.finished = [this, over_with, finished = std::move(told.finished)](const EndOfRun& end) {
    if (end.fault) fault = end.fault->message;
    if (end.not_written) fault = end.not_written->message;
    tell(finished, end);
    run_end = run_end_of(end.results, current_provenance(end.results.mode));
    if (end.fault) run_end->ended_because = end.fault->message;
    over_with(end.verdict);
  };
  // A request ends the campaign, as a user's interrupt does, and not this run alone.
  if (!told.stop_requested) told.stop_requested = [this] { cancel(); };
  const auto not_begun = [this, over_with](const Error& why) { over_with(cancelled ? verdict_of(why) : fail(why)); };
  std::optional<SimulatedLine> line;
  if (is_simulated(plan)) {
    auto made = line_of_run(plan, run);
    if (!made) return leave(fail(made.error()));
    line = *std::move(made);
  } else {
    if (options.admit) {
      if (const auto refused = options.admit(run)) return leave(*refused);
      if (cancelled) return leave(RunVerdict::cancelled);  // meanwhile
    }
    set_link(plan, run);
  }
  RunRecorder& recorder = current->recorder;
  if (options.measuring) {
    current->measuring = options.measuring(std::move(run), recorder, std::move(told), not_begun);
  } else if (line) {
    current->measuring =
        std::make_unique<BenchRun>(options.program, *line, std::move(run), recorder, std::move(told), not_begun);
  } else {
    current->measuring = std::make_unique<RecordedRun>(std::move(run), recorder, std::move(told));
  }
  current->measuring->start();
  return std::nullopt;
}

RunVerdict Campaign::Engine::leave(RunVerdict what) {
  if (current->measuring) clock->spend(current->measuring->line_s());
  const bool is_new = folders.empty() || folders.back() != current->run.folder;
  if (current->recorder.begun() && is_new) folders.push_back(current->run.folder);
  slot.has_run = slot.has_run || current->recorder.begun();
  std::error_code failed;
  if (current->drop_plan && !current->recorder.begun()) fs::remove(options.folder / kPlanFile, failed);
  if (current->measuring) current->measuring->leave();
  current->measuring.reset();
  current->recorder.leave(false);
  current.reset();
  return what;
}

}  // namespace vqas
