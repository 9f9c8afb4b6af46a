// The slots of a campaign with repeats: what is measured when, and what becomes of each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "campaign/campaign_engine.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/report/report.h"
#include "vqas/store/utc_text.h"

namespace vqas {

namespace fs = std::filesystem;
using namespace campaign;

namespace {

// The system's clock may be set while a campaign waits. It then follows the new time within this many seconds.
constexpr double kLongestWait_s = 30;

/// What became of a slot whose last try ended so without a measurement.
SlotOutcome outcome_of(RunVerdict verdict) {
  return verdict == RunVerdict::line_lost ? SlotOutcome::line_away
         : verdict == RunVerdict::io      ? SlotOutcome::disk_full
                                          : SlotOutcome::failed;
}

/// The numbers of a run are there, and its report: nothing of it has to be looked at.
bool is_whole(const fs::path& folder) {
  std::error_code failed;
  const auto has = [&](const char* name) { return fs::is_regular_file(folder / name, failed); };
  return has("report.html") && (has(kJournalFile) || has(kResultsFile));
}

bool holds_a_measurement(const RunResults& results) {
  return std::ranges::any_of(results.directions, [](const DirectionRun& direction) {
    return std::ranges::any_of(direction.stimuli, [](const StimulusRun& one) { return !one.measurements.empty(); });
  });
}

}  // namespace

std::optional<double> Campaign::Engine::began_s() const {
  for (const std::size_t number : runs_with_folders(plan, options)) {
    const auto stored = read_stored_run(folder_of_run(plan, options, number));
    if (!stored) continue;
    if (const auto began = utc_from_text(stored->results.started_utc))
      return std::min(now(), *began - static_cast<double>(number - 1) * plan.every_s);
  }
  return std::nullopt;
}

Status Campaign::Engine::open_book() {
  std::error_code failed;
  const fs::path file = options.folder / kSlotsFile;
  if (!options.resume && fs::exists(file, failed)) {
    const auto log = read_slot_log(options.folder);
    const bool is_empty = log && *log && (*log)->records.empty() && !any_run_folder(plan, options);
    if (!is_empty && !options.force)
      return Error{
          ErrorCode::bad_input,
          fmt::format("the folder {} holds a campaign; resume its campaign if that is not complete: {}; or name "
                      "another folder, or use --force to replace it",
                      options.folder.string(), as_command({"vqas", "measure", "--resume", options.folder.string()}))};
    fs::remove(file, failed);
  }
  book_is_new = !fs::exists(file, failed);
  // Times of day do not follow from when a run began.
  if (book_is_new && options.resume && plan.every_s <= 0 && any_run_folder(plan, options))
    return Error{ErrorCode::bad_input, fmt::format("{} is missing, so the times of the slots are not known; restore it "
                                                   "from a copy, or begin the campaign in another folder",
                                                   file.string())};
  auto opened = SlotBook::open(options.folder, plan, now(), options.resume ? began_s() : std::nullopt);
  if (!opened) return opened.error();
  book.emplace(*std::move(opened));
  // Early, so that the folder says what it is for while the first slot is waited for; but not beside another plan's
  // results.
  if (!fs::exists(options.folder / kPlanFile, failed) && !holds_a_run(survey_folder(run_of(1).folder).state)) {
    if (const Status kept = keep_plan(options.folder, on_disk); !kept) return kept;
    plan_is_new = true;
  }
  // A changed plan counts also where nothing is left to measure.
  if (options.before &&
      (options.before->text != on_disk.text || options.before->profile_text != on_disk.profile_text)) {
    if (const Status kept = keep_plan(options.folder, on_disk); !kept) tell(events.noticed, kept.error().message);
  }
  if (book->damaged() > 0)
    tell(events.noticed,
         fmt::format("{} has {} damaged lines; what they said is taken from the runs where there are any",
                     file.string(), book->damaged()));
  // A simulated line's clock stands still while no process runs.
  if (is_simulated(plan) && !options.clock) clock = simulated_clock(book->schedule().due_s(book->next()));
  witness.started_s = now();
  witness.before = book->session_before();
  witness.boot = clock->boot();
  // A complete campaign may be started every few minutes for ever.
  if (book->next() <= book->schedule().count()) tell_unwritten(book->started(witness.started_s, witness.boot));
  const std::vector<SlotRecord> earlier = book->records();
  slots_known = earlier.size();
  for (const SlotRecord& one : earlier) recount(one);
  return success();
}

/// A slot of an earlier process counts as it was recorded; its run is not measured again. Who listens does not matter
/// here: the events that are asked for never change a verdict.
void Campaign::Engine::recount(const SlotRecord& slot_before) {
  const CampaignRun run = run_of(slot_before.number);
  if (options.unattended && (slot_before.run.empty() || is_whole(run.folder))) {
    verdict = worse(verdict, verdict_of(slot_before));
    if (!slot_before.run.empty()) {
      folders.push_back(run.folder);
      if (events.had_ended) {
        if (const auto stored = read_stored_run(run.folder)) events.had_ended(run, *stored);
      }
      look_back(run);
    }
    tell(events.slot_was_over, slot_before);
    if (!slot_before.not_stored) return;
  } else {
    recount_from_folder(slot_before);
    tell(events.slot_was_over, slot_before);
  }
  const Status kept = keep(run);
  if (!kept) verdict = worse(verdict, fail(kept.error()));
  if (!stood) return;
  look_after(run, verdict_of(slot_before), static_cast<bool>(kept));
}

/// The same, and what the run's folder lacks is mended or told.
void Campaign::Engine::recount_from_folder(const SlotRecord& slot_before) {
  const CampaignRun run = run_of(slot_before.number);
  const FolderSurvey survey = survey_folder(run.folder);
  verdict = worse(verdict, verdict_of(slot_before));
  if (survey.run && survey.state == FolderState::complete) {
    ended_before(run, *survey.run);
  } else if (survey.run && survey.state == FolderState::resumable) {
    folders.push_back(run.folder);
    verdict = worse(verdict, worse(RunVerdict::not_measured, as_it_stands(run, *survey.run)));
  } else if (survey.state == FolderState::foreign) {
    const auto refused = prepare_run_folder(run.folder, false);
    verdict = worse(verdict, refused ? RunVerdict::bad_input : fail(refused.error()));
    going = false;
  } else if (!slot_before.run.empty()) {
    verdict = worse(verdict, unresumed(run));
  }
}

void Campaign::Engine::step_slots() {
  for (;;) {
    look_at_clock();
    if (hooks && options.clock) hooks->look();
    if (slot.open.number != book->next()) {
      slot = {};
      fault.clear();
      slot.open.number = book->next();
      const bool is_left = slot.open.number <= book->schedule().count();
      if (!is_left) tell(events.next_slot, std::optional<double>());
      if (!is_left) return wind_up();
      if (options.resume && takes_over()) continue;
      tell(events.next_slot, std::optional(book->schedule().due_s(slot.open.number)));
    }
    const Move move = next_move(book->schedule(), {plan.late_s, plan.retry_s}, slot.open, now());
    switch (move.what) {
      case Move::What::end:
        return wind_up();
      case Move::What::wait:
        return clock->wait(std::min(move.wait_s, kLongestWait_s), [this] { step(); });
      case Move::What::measure:
        return attempt();
      case Move::What::close:
        close_slot();
        if (!going) return wind_up();
    }
  }
}

bool Campaign::Engine::takes_over() {
  const CampaignRun run = run_of(slot.open.number);
  const FolderSurvey survey = survey_folder(run.folder);
  slot.has_run = holds_a_run(survey.state);
  slot.open.begun = survey.state == FolderState::resumable;
  slot.tried_before = slot.has_run;
  // A simulated line's runs have times of their own.
  if (survey.run && slot.has_run && waits()) {
    slot.began_s = utc_from_text(survey.run->results.started_utc);
    slot.ended_s = utc_from_text(survey.run->results.finished_utc);  // nothing after a kill
  }
  if (slot.open.begun || !slot.has_run) return false;
  if (survey.run && survey.state == FolderState::complete) {
    const RunVerdict what = ended_before(run, *survey.run);
    verdict = worse(verdict, what);
    record(SlotOutcome::measured, what, {});
  } else {
    verdict = worse(verdict, unresumed(run));
    record(SlotOutcome::cut_short, RunVerdict::not_measured, survey.why);
  }
  return true;
}

void Campaign::Engine::attempt() {
  const CampaignRun run = run_of(slot.open.number);
  if (!slot.began_s) slot.began_s = now();
  ++slot.tries;
  witness.run_began_s = there_s = now();
  fault.clear();
  const auto at_once = !has_room(run)    ? std::optional(RunVerdict::io)
                       : slot.open.begun ? resume_run(run)
                                         : begin_run(run);
  if (!at_once) return;
  ended(run, *at_once);
  soon([this] { step(); });
}

void Campaign::Engine::tried(const CampaignRun& run, RunVerdict what) {
  slot.ended_s = witness.run_ended_s = now();
  slot.verdict = what;
  if (what == RunVerdict::cancelled) {
    verdict = worse(verdict, what);
    going = false;
    return;
  }
  if (is_complete(what)) {
    line_is_back();
    verdict = worse(verdict, what);
    return record(SlotOutcome::measured, what, {});
  }
  if (slot.has_run) {
    const FolderState state = survey_folder(run.folder).state;
    slot.open.begun = state == FolderState::resumable;
    if (holds_a_run(state) && !slot.open.begun) return close_slot();  // it cannot be continued
  }
  // The first run of a new campaign: a plan that cannot be measured is told at once.
  const bool is_first = book_is_new && book->records().empty() && !slot.open.begun;
  const bool may_mend = what == RunVerdict::line_lost || what == RunVerdict::io || !is_first;
  if (waits() && may_mend) {
    slot.open.retry_at_s = now() + plan.retry_s;
    if (what == RunVerdict::line_lost) line_is_away(fault);
    return;
  }
  verdict = worse(verdict, what);
  going = what != RunVerdict::io && what != RunVerdict::bad_input;
  if (going) close_slot();
}

void Campaign::Engine::close_slot() {
  const std::size_t number = slot.open.number;
  const CampaignRun run = run_of(number);
  const FolderSurvey survey = slot.has_run ? survey_folder(run.folder) : FolderSurvey();
  if (survey.run && holds_a_run(survey.state)) {
    const RunResults& results = survey.run->results;
    const std::string why = !fault.empty() ? fault : !survey.why.empty() ? survey.why : results.ended_because;
    if (folders.empty() || folders.back() != run.folder) folders.push_back(run.folder);
    mend(run.folder, *survey.run);
    // A run of this process was shown when it ended.
    const RunVerdict stands = slot.tries == 0 ? as_it_stands(run, *survey.run) : RunVerdict::no_limit;
    verdict = worse(verdict, worse(RunVerdict::not_measured, stands));
    const bool is_empty = slot.tries > 0 && !holds_a_measurement(results);
    return record(is_empty ? outcome_of(slot.verdict) : SlotOutcome::cut_short,
                  slot.tries > 0 ? slot.verdict : RunVerdict::not_measured, why);
  }
  if (slot.tries > 0) {
    verdict = worse(verdict, RunVerdict::not_measured);
    return record(outcome_of(slot.verdict), slot.verdict, fault);
  }
  if (book->is_passed(number)) {
    verdict = worse(verdict, unresumed(run));
    return record(SlotOutcome::not_recorded, RunVerdict::no_limit,
                  "its record is lost, and no run of it is in the folder");
  }
  const double due_s = book->schedule().due_s(number);
  const WhyMissed missed = why_missed(due_s, book->schedule().latest_s(number, plan.late_s), witness);
  record(missed.outcome, RunVerdict::no_limit, missed.why);
}

void Campaign::Engine::record(SlotOutcome outcome, RunVerdict what, std::string why) {
  const CampaignRun run = run_of(slot.open.number);
  SlotRecord one;
  one.number = run.number;
  one.due_s = book->schedule().due_s(one.number);
  one.outcome = outcome;
  one.began_s = slot.began_s;
  one.ended_s = slot.ended_s;
  one.tries = slot.tries + (slot.tried_before ? 1 : 0);
  one.why = std::move(why);
  const bool has_run = slot.has_run;
  if (has_run) {
    remove_copies_of_nodes(run.folder);
    one.run = run.folder.filename().string();
    one.verdict = to_string(outcome == SlotOutcome::measured ? what : RunVerdict::not_measured);
    if (const Status kept = keep(run); !kept) {
      verdict = worse(verdict, fail(kept.error()));
      one.not_stored = true;
      if (!waits()) going = false;
    }
  }
  // Before the record: a kill in between has the hooks told again, and not left out.
  if (has_run || slot.tries > 0) look_after(run, what, !one.not_stored);
  tell_unwritten(book->close(one));
  slot = {};
  tell(events.slot_over, one);
}

void Campaign::Engine::look_at_clock() {
  const double step_s = watch.look(*clock);
  if (step_s == 0) return;
  witness.step = ClockStep{now(), step_s};
  tell_unwritten(book->stepped(*witness.step));
  tell(events.noticed,
       fmt::format("the system's clock was set {} by {:.0f} s, to {} UTC; the slots keep their times",
                   step_s > 0 ? "forward (or the machine slept)" : "back", std::abs(step_s), utc_words(now())));
}

void Campaign::Engine::line_is_away(const std::string& why) {
  if (book->outage() != nullptr) return;
  // The first sign of an outage is its start; without one it began after the last score.
  if (!away_since_s) away_since_s = there_s;
  tell_unwritten(book->away(*away_since_s, why));
  if (hooks) hooks->line_away(why, *away_since_s);
  tell(events.away, why);
}

void Campaign::Engine::line_is_back() {
  away_since_s.reset();
  if (hooks) hooks->line_there();
  if (!book || book->outage() == nullptr) return;
  tell_unwritten(book->back(now()));
  tell(events.away, std::string());
}

void Campaign::Engine::tell_unwritten(const Status& written) {
  if (written) return;
  tell(events.failed, written.error());
  if (!waits()) {
    verdict = worse(verdict, verdict_of(written.error()));
    going = false;
  }
}

}  // namespace vqas
