// A campaign from its claim on the folder to its page.
#include "vqas/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
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

Campaign::Campaign(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Campaign::~Campaign() = default;

Result<std::unique_ptr<Campaign>> Campaign::open(const PlanOnDisk& plan, CampaignOptions options,
                                                 CampaignEvents events) {
  std::error_code failed;
  if (options.resume && !fs::exists(options.folder, failed)) return nothing_begun(options.folder);
  // First: what the folder holds is read below, and another process would change it meanwhile.
  auto claim = CampaignClaim::take(plan.plan, options.folder);
  // The other process may just have ended; the caller asks whether it still has the folder.
  if (!claim && !run_goes_on(options.folder)) claim = CampaignClaim::take(plan.plan, options.folder);
  if (!claim) return claim.error();
  if (options.unattended) {
    options.resume = any_run(plan.plan, options);
    // Without the copy nothing shows whether the same line is measured.
    if (auto before = kept_plan(options.folder); options.resume) {
      if (!before) return before.error();
      if (!*before)
        return Error{ErrorCode::bad_input, options.folder.string() +
                                               " holds runs, but not the copy of their plan, plan.json; restore it, or "
                                               "name a new folder"};
      options.before = *std::move(before);
    }
  }
  const auto changed = check_changes(plan, options);
  if (!changed) return changed.error();
  if (!changed->empty()) tell(events.noticed, *changed);
  if (options.corpus.empty() && options.find_corpus) {
    auto corpus = options.find_corpus(plan.plan.corpus);
    if (!corpus) return corpus.error();
    options.corpus = *std::move(corpus);
  }
  if (const Status fits = check_campaign(plan.plan, options.corpus); !fits) return fits.error();
  if (const Status fit = check_places(plan.plan, options); !fit) {
    // What an unattended campaign lacks may come back before its next slot.
    if (!options.unattended || !options.resume || verdict_of(fit.error()) != RunVerdict::io) return fit.error();
    tell(events.noticed, fit.error().message);
  }
  return std::unique_ptr<Campaign>(
      new Campaign(std::make_unique<Engine>(plan, std::move(options), std::move(events), *std::move(claim))));
}

void Campaign::start() {
  engine_->soon([engine = engine_.get()] { engine->start(); });
}

void Campaign::cancel() {
  engine_->cancel();
}

void Campaign::Engine::start() {
  Status fit = success();
  if (options.resume && !any_run(plan, options) && !nothing_measured_yet(plan, options))
    fit = nothing_begun(options.folder);
  if (fit) begin_upkeep();
  if (fit && several()) fit = open_book();
  if (!fit) {
    over = true;
    EndOfCampaign end;
    end.verdict = fail(fit.error());
    return tell(events.finished, end);
  }
  step();
}

void Campaign::Engine::cancel() {
  cancelled = true;
  if (ended_with) return finish(*std::exchange(ended_with, std::nullopt));
  if (current) {
    if (current->measuring) current->measuring->cancel();
    return;
  }
  clock->stop_waiting();
  soon([this] { step(); });
}

void Campaign::Engine::step() {
  if (over || current) return;
  if (!going || cancelled) return wind_up();
  several() ? step_slots() : step_single();
}

void Campaign::Engine::step_single() {
  if (std::exchange(single_begun, true)) return wind_up();
  const CampaignRun run = run_of(1);
  const FolderState state = options.resume ? survey_folder(run.folder).state : FolderState::empty;
  std::optional<RunVerdict> at_once;
  if (!holds_a_run(state)) {
    at_once = has_room(run) ? begin_run(run) : RunVerdict::io;
  } else if (state == FolderState::complete || state == FolderState::resumable) {
    at_once = resume_run(run);
  } else {
    at_once = unresumed(run);
  }
  if (!at_once) return;
  ended(run, *at_once);
  soon([this] { step(); });
}

void Campaign::Engine::ended(const CampaignRun& run, RunVerdict ended_as) {
  const RunVerdict what = verdict_of_try(run, ended_as);
  if (several()) return tried(run, what);
  verdict = worse(verdict, what);
  going = what != RunVerdict::cancelled && what != RunVerdict::io && what != RunVerdict::bad_input;
  if (going) {
    if (const Status kept = keep(run); !kept) verdict = worse(verdict, fail(kept.error()));
  }
  if (what != RunVerdict::cancelled) look_after(run, what);  // it is resumed, and then it ends
}

/// The store takes the run's journal. If it cannot, the run is still kept in its folder.
Status Campaign::Engine::keep(const CampaignRun& run) {
  if (plan.store.empty() || folders.empty() || folders.back() != run.folder) return success();
  auto store = RunStore::open(plan.store);
  if (!store) return store.error();
  auto archive = RecordingArchive::open(options.archive, plan.archive);
  if (!archive) return archive.error();
  const std::uint64_t before = archive->bytes();
  const auto taken = store->take(run.folder, &*archive);
  if (on_one_file_system(options.folder, options.archive))
    archived_bytes = archive->bytes() - std::min(before, archive->bytes());
  if (taken) tell(events.stored, run, *taken);
  return taken ? success() : Status(taken.error());
}

Status Campaign::Engine::write_page() const {
  std::vector<StoredRun> runs;
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    auto run = load_run(folder);
    if (!run) return run.error();
    runs.push_back(*std::move(run));
    names.push_back(folder.filename().string());
  }
  const std::vector<SlotRecord> none;
  return write_campaign_page(options.folder / "campaign.html", runs, names, false, book ? book->records() : none);
}

/// A clock that is wrong for one start may leave out every slot: such a campaign must not look like a good one.
void Campaign::Engine::look_at_slots(const EndOfCampaign& end) {
  if (end.records.size() < end.slots_in_all) return;
  if (folders.empty()) verdict = worse(verdict, RunVerdict::not_measured);
  const auto left_out =
      static_cast<std::size_t>(std::ranges::count_if(end.records, was_left_out, &SlotRecord::outcome));
  if (2 * left_out <= end.slots_in_all) return;
  tell(events.noticed, fmt::format("most slots have no run: {} of {} were left out; see why: {}", left_out,
                                   end.slots_in_all, as_command({"vqas", "plan", "status", options.folder.string()})));
}

void Campaign::Engine::wind_up() {
  if (std::exchange(over, true)) return;
  mend_reports();
  if (cancelled) verdict = worse(verdict, RunVerdict::cancelled);
  EndOfCampaign end;
  std::error_code failed;
  end.was_complete = !measured && !incomplete && going && !cancelled && !folders.empty();
  if (book) {
    if (book->records().empty() && book_is_new && folders.empty()) {
      // Nothing was begun, so nothing is left behind.
      book.reset();
      fs::remove(options.folder / kSlotsFile, failed);
      if (plan_is_new) fs::remove(options.folder / kPlanFile, failed);
    } else {
      if (cancelled) tell_unwritten(book->stopped(now()));
      end.records = book->records();
      end.slots_in_all = book->schedule().count();
      look_at_slots(end);
    }
  }
  end.verdict = verdict;
  const fs::path page = options.folder / "campaign.html";
  const bool has_page = folders.size() > 1 || end.records.size() > 1;
  const bool is_as_it_was = options.unattended && end.was_complete && fs::exists(page, failed);
  if (has_page && !is_as_it_was) {
    if (const Status written = write_page(); !written) {
      end.verdict = fail(written.error());
      return finish(end);
    }
  }
  if (has_page) {
    end.page = page;
  } else if (!folders.empty()) {
    end.page = folders.front() / "report.html";
  }
  finish(end);
}

}  // namespace vqas
