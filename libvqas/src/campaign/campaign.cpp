// The order of a campaign's runs, its page and its verdict.
#include "vqas/campaign/campaign.h"

#include <QDateTime>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <system_error>
#include <utility>

#include "campaign/campaign_engine.h"
#include "vqas/report/report.h"

namespace vqas {

namespace fs = std::filesystem;
using namespace campaign;

Campaign::Campaign(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Campaign::~Campaign() = default;

Result<std::unique_ptr<Campaign>> Campaign::open(const PlanOnDisk& plan, CampaignOptions options,
                                                 CampaignEvents events) {
  std::error_code failed;
  if (options.resume && !fs::exists(options.folder, failed)) return nothing_begun(options.folder);
  const auto changed = check_changes(plan, options);
  if (!changed) return changed.error();
  if (!changed->empty()) tell(events.noticed, *changed);
  if (options.corpus.empty() && options.find_corpus) {
    auto corpus = options.find_corpus(plan.plan.corpus);
    if (!corpus) return corpus.error();
    options.corpus = *std::move(corpus);
  }
  if (const Status fits = check_campaign(plan.plan, options.corpus); !fits) return fits.error();
  auto claim = CampaignClaim::take(plan.plan, options.folder);
  if (!claim) return claim.error();
  std::vector<FolderState> begun = survey_runs(plan.plan, options);
  if (const Status fit = check_places(plan.plan, options); !fit) return fit.error();
  return std::unique_ptr<Campaign>(new Campaign(
      std::make_unique<Engine>(plan, std::move(options), std::move(events), *std::move(claim), std::move(begun))));
}

void Campaign::start() {
  engine_->soon([engine = engine_.get()] { engine->start(); });
}

void Campaign::cancel() {
  engine_->cancel();
}

void Campaign::Engine::start() {
  if (options.resume && begun_before.empty() && !nothing_measured_yet(plan, options)) {
    over = true;
    return tell(events.finished, EndOfCampaign{fail(nothing_begun(options.folder)), false, {}});
  }
  begin_upkeep();
  step();
}

void Campaign::Engine::cancel() {
  cancelled = true;
  if (ended_with) return finish(*std::exchange(ended_with, std::nullopt));
  if (current) return current->cancel();
  if (waiting.isActive()) {
    waiting.stop();
    soon([this] { step(); });
  }
}

void Campaign::Engine::step() {
  while (next_earlier <= begun_before.size()) {
    const FolderState state = begun_before[next_earlier - 1];
    const CampaignRun run = run_of(next_earlier++);
    if (state != FolderState::complete && state != FolderState::resumable) {
      verdict = worse(verdict, unresumed(run));
    } else if (going && !cancelled) {
      const auto at_once = resume_run(run);
      if (!at_once) return;
      count(run, *at_once);
    }
  }
  if (!schedule) schedule.emplace(plan, begun_before.empty() ? now() : first_s(), begun_before.size());
  const auto wait_s = schedule->wait_s(now());
  if (!wait_s || !going || cancelled) return wind_up();
  if (is_simulated(plan)) virtual_s += *wait_s;
  if (is_simulated(plan) || *wait_s <= 0) return run_due();
  waiting.start(std::chrono::milliseconds(std::llround(1000 * *wait_s)));
}

void Campaign::Engine::run_due() {
  const CampaignRun run = run_of(schedule->begin());
  if (!has_room(run)) return soon([this] { step(); });
  const auto at_once = begin_run(run);
  if (!at_once) return;
  count(run, *at_once);
  soon([this] { step(); });
}

double Campaign::Engine::now() const {
  if (is_simulated(plan)) return virtual_s;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double Campaign::Engine::first_s() const {
  if (is_simulated(plan)) return 0;
  for (const std::size_t number : runs_with_folders(plan, options)) {
    const auto stored = read_stored_run(folder_of_run(plan, options, number));
    if (!stored) continue;
    const auto began = QDateTime::fromString(QString::fromStdString(stored->results.started_utc), Qt::ISODate);
    if (!began.isValid()) continue;
    const double ago_s = 1e-3 * static_cast<double>(began.msecsTo(QDateTime::currentDateTimeUtc()));
    return now() - std::max(0.0, ago_s) - static_cast<double>(number - 1) * plan.every_s;
  }
  return now();
}

void Campaign::Engine::count(const CampaignRun& run, RunVerdict what) {
  verdict = worse(verdict, what);
  going = what != RunVerdict::cancelled && what != RunVerdict::io && what != RunVerdict::bad_input;
  if (going) {
    const Status kept = keep(run);
    if (!kept) verdict = worse(verdict, fail(kept.error()));
    going = static_cast<bool>(kept);
  }
  look_after(run, what);
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
  return write_campaign_page(options.folder / "campaign.html", runs, names);
}

void Campaign::Engine::wind_up() {
  if (std::exchange(over, true)) return;
  if (cancelled) verdict = worse(verdict, RunVerdict::cancelled);
  if (schedule->missed() > 0) tell(events.left_out, schedule->missed());
  EndOfCampaign last{verdict, false, {}};
  if (folders.size() > 1) {
    if (const Status written = write_page(); !written) {
      last.verdict = fail(written.error());
      return finish(last);
    }
  }
  if (!folders.empty())
    last.page = folders.size() > 1 ? options.folder / "campaign.html" : folders.front() / "report.html";
  last.was_complete = !measured && !incomplete && going && !cancelled && !folders.empty();
  finish(last);
}

}  // namespace vqas
