#include "vqas/campaign/campaign.h"

#include <fmt/format.h>

#include <QDateTime>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <system_error>
#include <utility>

#include "campaign/campaign_places.h"
#include "campaign/campaign_plan.h"
#include "vqas/campaign/bench_run.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/report/report.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using namespace campaign;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename... Parameters, typename... Values>
void tell(const std::function<void(Parameters...)>& event, const Values&... values) {
  if (event) event(values...);
}

/// The run that is measured.
struct CurrentRun {
  CurrentRun(CampaignRun one, RunRecorder kept_by, RunEvents events, bool drop)
      : run(std::move(one)), recorder(std::move(kept_by)), told(std::move(events)), drop_plan(drop) {}

  const CampaignRun run;
  RunRecorder recorder;
  RunEvents told;
  const bool drop_plan;  ///< the copy of the plan was put there for a run that has not begun
  std::optional<RecordedRun> between_nodes;
  std::optional<BenchRun> on_bench;

  void cancel() {
    if (on_bench) on_bench->cancel();
    if (between_nodes) between_nodes->cancel();
  }
};

}  // namespace

struct Campaign::Engine {
  Engine(const PlanOnDisk& by, CampaignOptions how, CampaignEvents told, std::unique_ptr<CampaignClaim> taken)
      : on_disk(by), options(std::move(how)), events(std::move(told)), claim(std::move(taken)) {
    waiting.setSingleShot(true);
    QObject::connect(&waiting, &QTimer::timeout, &context, [this] { run_due(); });
  }

  void start();
  void cancel();
  void step();
  void run_due();
  /// The verdict of a run that is over at once; nothing while it is measured.
  std::optional<RunVerdict> run_once(const CampaignRun& run);
  std::optional<RunVerdict> begin_run(const CampaignRun& run);
  std::optional<RunVerdict> resume_run(CampaignRun run);
  RunVerdict without_journal(const CampaignRun& run);
  RunVerdict as_it_stands(const CampaignRun& run, const StoredRun& stored);
  /// Measures with the current run's recorder.
  std::optional<RunVerdict> measure(RunPlan plan);
  /// Tidies up behind the current run.
  RunVerdict leave(RunVerdict verdict);
  void count(const CampaignRun& run, RunVerdict verdict);
  Status keep(const CampaignRun& run);
  Status write_page() const;
  void wind_up();

  /// When the stack is unwound: what told an event is destroyed by what comes of it.
  void soon(std::function<void()> task) { QTimer::singleShot(0, &context, std::move(task)); }
  RunVerdict fail(const Error& error) const {
    tell(events.failed, error);
    return verdict_of(error);
  }
  CampaignRun run_of(std::size_t number) const {
    return {number, count_of_runs(plan), folder_of_run(plan, options, number), false};
  }
  /// A simulated line's clock stands still between two runs, so nothing is waited for there.
  double now() const { return is_simulated(plan) ? virtual_s : now_s(); }
  double first_s() const;

  const PlanOnDisk on_disk;
  const CampaignPlan& plan = on_disk.plan;
  const CampaignOptions options;
  const CampaignEvents events;
  const std::unique_ptr<CampaignClaim> claim;
  QObject context;
  QTimer waiting;
  std::optional<CurrentRun> current;
  std::optional<RepeatSchedule> schedule;
  std::size_t begun_before = 0, next_earlier = 1;  ///< runs of another process come first, whenever they were due
  double virtual_s = 0;
  std::vector<fs::path> folders;
  RunVerdict verdict = RunVerdict::pass;
  bool going = true, cancelled = false, over = false;
  bool measured = false;    ///< or tried to, in this process
  bool incomplete = false;  ///< of a run that cannot be resumed
};

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
  if (const Status fit = check_places(plan.plan, options); !fit) return fit.error();
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
  for (std::size_t number = 1; options.resume && number <= count_of_runs(plan); ++number) {
    if (left_something(folder_of_run(plan, options, number))) begun_before = number;
  }
  if (options.resume && begun_before == 0 && !nothing_measured_yet(plan, options)) {
    over = true;
    return tell(events.finished, EndOfCampaign{fail(nothing_begun(options.folder)), false, {}});
  }
  step();
}

void Campaign::Engine::cancel() {
  cancelled = true;
  if (current) return current->cancel();
  if (waiting.isActive()) {
    waiting.stop();
    soon([this] { step(); });
  }
}

void Campaign::Engine::step() {
  while (next_earlier <= begun_before) {
    const CampaignRun run = run_of(next_earlier++);
    if (!was_begun(run.folder)) {
      verdict = worse(verdict, without_journal(run));
    } else if (going && !cancelled) {
      const auto at_once = run_once(run);
      if (!at_once) return;
      count(run, *at_once);
    }
  }
  if (!schedule) schedule.emplace(plan, begun_before == 0 ? now() : first_s(), begun_before);
  const auto wait_s = schedule->wait_s(now());
  if (!wait_s || !going || cancelled) return wind_up();
  if (is_simulated(plan)) virtual_s += *wait_s;
  if (is_simulated(plan) || *wait_s <= 0) return run_due();
  waiting.start(std::chrono::milliseconds(std::llround(1000 * *wait_s)));
}

void Campaign::Engine::run_due() {
  const CampaignRun run = run_of(schedule->begin());
  const auto at_once = run_once(run);
  if (!at_once) return;
  count(run, *at_once);
  soon([this] { step(); });
}

/// When the first run began, by now(): where the clock stands still it began at 0.
double Campaign::Engine::first_s() const {
  if (is_simulated(plan)) return 0;
  for (std::size_t number = 1; number <= count_of_runs(plan); ++number) {
    const fs::path folder = folder_of_run(plan, options, number);
    if (!was_begun(folder)) continue;
    const auto stored = read_stored_run(folder);
    if (!stored) continue;
    const auto began = QDateTime::fromString(QString::fromStdString(stored->results.started_utc), Qt::ISODate);
    if (!began.isValid()) continue;
    const double ago_s = 1e-3 * static_cast<double>(began.msecsTo(QDateTime::currentDateTimeUtc()));
    return now() - std::max(0.0, ago_s) - static_cast<double>(number - 1) * plan.every_s;
  }
  return now();
}

std::optional<RunVerdict> Campaign::Engine::run_once(const CampaignRun& run) {
  return options.resume && was_begun(run.folder) ? resume_run(run) : begin_run(run);
}

std::optional<RunVerdict> Campaign::Engine::begin_run(const CampaignRun& run) {
  std::error_code fault;
  // Without a journal nothing was measured; what its nodes left is in the way.
  const bool in_the_way = options.resume && !fs::exists(run.folder / kResultsFile, fault);
  const auto prepared = prepare_run_folder(run.folder, options.force || in_the_way);
  if (!prepared) return fail(prepared.error());
  RunEvents told = events.run_begins ? events.run_begins(run) : RunEvents();
  RecorderOptions how;
  how.about = about(plan);
  how.keep_beside = [this] { return keep_plan(options.folder, on_disk); };
  // At once, so that a kill at any time can be resumed without the plan; but not beside what another plan measured.
  const bool copied_before = fs::exists(options.folder / kPlanFile, fault);
  if (!left_something(run.folder)) {
    if (const Status kept = how.keep_beside(); !kept) return fail(kept.error());
    how.plan_is_kept = true;
  }
  const bool drop_plan = how.plan_is_kept && !copied_before;
  current.emplace(run, RunRecorder::create(*prepared, std::move(how)), std::move(told), drop_plan);
  return measure(run_plan(plan, options, *prepared, run.number));
}

/// A run that ended is not measured again; its verdict counts.
std::optional<RunVerdict> Campaign::Engine::resume_run(CampaignRun run) {
  const auto stored = load_run(run.folder);
  if (!stored) return fail(stored.error());
  if (stored->results.ended_because.empty()) {
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

/// One before the last that was begun. Its report may be left, which counts as it stands.
RunVerdict Campaign::Engine::without_journal(const CampaignRun& run) {
  std::error_code fault;
  incomplete = true;
  if (!fs::exists(run.folder / kResultsFile, fault)) {
    const bool passed_over = !is_simulated(plan) && !fs::exists(run.folder, fault);
    tell(events.noticed, fmt::format("nothing is left of run {} of {} ({}): it was {}; it is not measured again",
                                     run.number, run.runs, run.folder.string(),
                                     passed_over ? "left out when its time came, or taken away since" : "taken away"));
    return passed_over ? RunVerdict::pass : RunVerdict::not_measured;
  }
  const auto stored = load_run(run.folder);
  if (!stored) return fail(stored.error());
  const std::string& ended_because = stored->results.ended_because;
  tell(events.noticed,
       fmt::format("{} is not there; the run is taken from results.json as it stands{}, and not gone on with",
                   (run.folder / kJournalFile).string(),
                   ended_because.empty() ? "" : fmt::format(" (not complete: {})", ended_because)));
  folders.push_back(run.folder);
  return worse(ended_because.empty() ? RunVerdict::pass : RunVerdict::not_measured, as_it_stands(run, *stored));
}

RunVerdict Campaign::Engine::as_it_stands(const CampaignRun& run, const StoredRun& stored) {
  tell(events.had_ended, run, stored);
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
  RunEvents told = std::move(current->told);
  told.finished = [ended, finished = std::move(told.finished)](const EndOfRun& end) {
    tell(finished, end);
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
  if (current->on_bench) virtual_s += current->on_bench->line_seconds();
  if (current->recorder.begun()) folders.push_back(current->run.folder);
  std::error_code fault;
  if (current->drop_plan && !current->recorder.begun()) fs::remove(options.folder / kPlanFile, fault);
  if (current->on_bench) current->on_bench->leave();
  current->between_nodes.reset();
  current->recorder.leave(false);
  current.reset();
  return what;
}

void Campaign::Engine::count(const CampaignRun& run, RunVerdict what) {
  verdict = worse(verdict, what);
  going = what != RunVerdict::cancelled && what != RunVerdict::io && what != RunVerdict::bad_input;
  if (!going) return;
  const Status kept = keep(run);
  if (!kept) verdict = worse(verdict, fail(kept.error()));
  going = static_cast<bool>(kept);
}

/// The store takes what the run's journal holds; a run that was begun is never lost for want of it.
Status Campaign::Engine::keep(const CampaignRun& run) {
  if (plan.store.empty() || folders.empty() || folders.back() != run.folder) return success();
  auto store = RunStore::open(plan.store);
  if (!store) return store.error();
  auto archive = RecordingArchive::open(options.archive, plan.archive);
  if (!archive) return archive.error();
  const auto taken = store->take(run.folder, &*archive);
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
  EndOfCampaign end{verdict, false, {}};
  if (folders.size() > 1) {
    if (const Status written = write_page(); !written) {
      end.verdict = fail(written.error());
      return tell(events.finished, end);
    }
  }
  if (!folders.empty())
    end.page = folders.size() > 1 ? options.folder / "campaign.html" : folders.front() / "report.html";
  end.was_complete = !measured && !incomplete && going && !cancelled && !folders.empty();
  tell(events.finished, end);
}

}  // namespace vqas
