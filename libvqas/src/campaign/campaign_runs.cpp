// One run of a campaign: begins, resumes, measures and stores it.
#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "campaign/campaign_engine.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/report/report.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas {

namespace fs = std::filesystem;
using namespace campaign;

std::optional<RunVerdict> Campaign::Engine::begin_run(const CampaignRun& run) {
  std::error_code fault;
  FolderAdvice advice;
  // A campaign may also be broken off between two runs, when its first one is complete.
  const std::string resume_or_replace =
      fmt::format("resume its campaign if that is not complete: {}; or {}",
                  as_command({"vqas", "measure", "--resume", options.folder.string()}), advice.for_a_run);
  if (fs::exists(options.folder / kPlanFile, fault)) advice.for_a_run = resume_or_replace.c_str();
  const auto prepared = prepare_run_folder(run.folder, options.force, advice);
  if (!prepared) return fail(prepared.error());
  RunEvents told = events.run_begins ? events.run_begins(run) : RunEvents();
  RecorderOptions how;
  how.about = about(plan);
  how.keep_beside = [this] { return keep_plan(options.folder, on_disk); };
  // Early, so that a campaign killed at any time can be resumed without the plan; but not beside another plan's
  // results.
  const bool copied_before = fs::exists(options.folder / kPlanFile, fault);
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
  if (stored && survey.state == FolderState::complete) {
    folders.push_back(run.folder);
    if (const auto lock = RunLock::take(run.folder)) remove_unfinished_files(run.folder);
    const auto noticed = [this](const std::string& what) { tell(events.noticed, what); };
    if (const Status mended = mend_report(run.folder, *stored, noticed); !mended) return fail(mended.error());
    return as_it_stands(run, *stored);
  }
  auto earlier = read_earlier_run(run.folder);
  if (!earlier) return fail(earlier.error());
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

/// A run that cannot be resumed, or one before the last that was begun. What can be read of it counts unchanged.
RunVerdict Campaign::Engine::unresumed(const CampaignRun& run) {
  std::error_code fault;
  incomplete = true;
  const FolderSurvey survey = survey_folder(run.folder);
  if (!holds_a_run(survey.state)) {
    const bool passed_over = !is_simulated(plan) && !fs::exists(run.folder, fault);
    tell(events.noticed,
         fmt::format("run {} of {} ({}) has no results: it was {}; it is not measured again", run.number, run.runs,
                     run.folder.string(), passed_over ? "left out when it was due, or removed since" : "removed"));
    return passed_over ? RunVerdict::pass : RunVerdict::not_measured;
  }
  if (!survey.run) return fail({ErrorCode::bad_input, fmt::format("run {}: {}", run.number, survey.why)});
  const bool has_journal = fs::exists(run.folder / kJournalFile, fault);
  const RunResults& results = survey.run->results;
  tell(events.noticed,
       fmt::format("{}; the run is taken from {} as it stands{}, and is not resumed", survey.why,
                   has_journal ? kJournalFile : kResultsFile,
                   results.is_complete() ? "" : fmt::format(" (not complete: {})", results.ended_because)));
  folders.push_back(run.folder);
  return worse(results.is_complete() ? RunVerdict::pass : RunVerdict::not_measured, as_it_stands(run, *survey.run));
}

RunVerdict Campaign::Engine::as_it_stands(const CampaignRun& run, const StoredRun& stored) {
  tell(events.had_ended, run, stored);
  run_end = run_end_of(stored.results, stored.provenance);
  stood = true;
  return verdict_of(stored.results, stored.provenance);
}

std::optional<RunVerdict> Campaign::Engine::measure(RunPlan run) {
  measured = true;
  const auto ended = [this](RunVerdict what) {
    soon([this, what] {
      const CampaignRun ended_run = current->run;
      count(ended_run, leave(what));
      step();
    });
  };
  RunEvents told = watched(std::move(current->told));
  told.finished = [this, ended, finished = std::move(told.finished)](const EndOfRun& end) {
    tell(finished, end);
    run_end = run_end_of(end.results, current_provenance());
    if (end.fault) run_end->ended_because = end.fault->message;
    ended(end.verdict);
  };
  if (!is_simulated(plan)) {
    if (options.admit) {
      if (const auto refused = options.admit(run)) return leave(*refused);
      if (cancelled) return leave(RunVerdict::cancelled);  // meanwhile
    }
    set_link(plan, run);
    current->between_nodes.emplace(std::move(run), current->recorder, std::move(told));
    current->between_nodes->start();
    return std::nullopt;
  }
  const auto line = line_of_run(plan, run);
  if (!line) return leave(fail(line.error()));
  const auto not_begun = [this, ended](const Error& why) { ended(cancelled ? verdict_of(why) : fail(why)); };
  current->on_bench.emplace(options.program, *line, std::move(run), current->recorder, std::move(told), not_begun);
  current->on_bench->start();
  return std::nullopt;
}

RunVerdict Campaign::Engine::leave(RunVerdict what) {
  if (current->on_bench && current->on_bench->run() != nullptr)
    virtual_s += current->on_bench->run()->results().line_seconds;
  if (current->recorder.begun()) folders.push_back(current->run.folder);
  std::error_code fault;
  if (current->drop_plan && !current->recorder.begun()) fs::remove(options.folder / kPlanFile, fault);
  if (current->on_bench) current->on_bench->leave();
  current->between_nodes.reset();
  current->recorder.leave(false);
  current.reset();
  return what;
}

}  // namespace vqas
