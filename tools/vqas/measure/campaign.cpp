#include "measure/campaign.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <QDateTime>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "corpus/corpus_folder.h"
#include "measure/measuring.h"
#include "node/line_options.h"
#include "results/earlier_run.h"
#include "results/stored_runs.h"
#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "terminal/shell_words.h"
#include "vqas/campaign/run_folder.h"
#include "vqas/campaign/run_uuid.h"
#include "vqas/channel/profile_library.h"
#include "vqas/node/run_lock.h"
#include "vqas/node/simulated_bench.h"
#include "vqas/report/findings.h"
#include "vqas/report/report.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

// A receiver waits for its first mark at least that much longer than a simulated line takes.
constexpr double kPatience_s = 10;
// Of a recording of the longest stimulus as FLAC, with what is before and after.
constexpr std::uint64_t kRecordingBytes = 150'000;
// As a plan's (libvqas/src/store/plan/plan.cpp).
constexpr std::size_t kLongestNotes = 4096;

bool is_simulated(const CampaignPlan& plan) {
  return plan.line == "sim:";
}

LineOptions line_of(const CampaignPlan& plan) {
  LineOptions line = default_line_options();
  line.conditions.ber = plan.ber;
  line.conditions.delay_s = plan.delay_s;
  line.conditions.gain_db = plan.gain_db;
  line.profile = plan.profile;
  return line;
}

// More than a campaign has runs, whose seeds follow each other.
constexpr std::uint64_t kSeedsApart = 1'000'003;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Worst first: what went wrong, then what the verdict says.
int worse(int one, int other) {
  const auto rank = [](int code) {
    constexpr int kOrder[] = {kOk, kUndecided, kFailed, kNotMeasured, kCancelled, kLineLost, kBadInput, kIo, kInternal};
    for (int i = 0; i < 9; ++i) {
      if (kOrder[i] == code) return i;
    }
    return 9;
  };
  return rank(other) > rank(one) ? other : one;
}

fs::path folder_of_run(const CampaignPlan& plan, const CampaignOptions& options, std::size_t number) {
  return count_of_runs(plan) == 1 ? options.folder : options.folder / fmt::format("run-{:04}", number);
}

/// Runs whose recordings are not on the disk yet.
std::size_t runs_to_come(const CampaignPlan& plan, const CampaignOptions& options) {
  const std::size_t runs = count_of_runs(plan);
  std::size_t begun = 0;
  for (std::size_t number = 1; options.resume && number <= runs; ++number)
    begun += was_begun(folder_of_run(plan, options, number)) ? 1 : 0;
  return runs - begun;
}

fs::path archive_of(const CampaignPlan& plan) {
  StoreOptions named;
  named.url = plan.store;
  return archive_folder(named);
}

Error nothing_begun(const fs::path& folder) {
  return {ErrorCode::bad_input,
          fmt::format("no run of a campaign was begun in {}; begin it: vqas measure PLAN --out {}", folder.string(),
                      folder.string())};
}

class Campaign {
 public:
  Campaign(const PlanOnDisk& plan, const CampaignOptions& options, fs::path corpus)
      : on_disk_(plan), plan_(plan.plan), options_(options), corpus_(std::move(corpus)) {
    loop_.on_interrupt([this] { interrupt(); });
  }

  int run() {
    const int exit_code = run_all();
    if (options_.json && several()) std::cout << (json_begun_ ? "]\n" : "[]\n") << std::flush;
    return exit_code;
  }

 private:
  int run_all() {
    int exit_code = kOk;
    const auto one_run = [&](std::size_t number) {
      const int code = run_once(folder_of(number), number);
      exit_code = worse(exit_code, code);
      if (code == kCancelled || code == kIo || code == kBadInput) return false;
      const Status kept = keep(folder_of(number));
      if (!kept) exit_code = worse(exit_code, report_error(kept.error()));
      return static_cast<bool>(kept);
    };
    // What was begun comes first, whenever it was due.
    bool going = true;
    std::size_t begun = 0;
    if (options_.resume) {
      for (std::size_t number = 1; number <= count_of_runs(plan_); ++number) {
        if (left_something(folder_of(number))) begun = number;
      }
      if (begun == 0 && !nothing_measured_yet()) return report_error(nothing_begun(options_.folder));
      for (std::size_t number = 1; number <= begun; ++number) {
        if (was_begun(folder_of(number))) {
          going = going && !interrupted_ && one_run(number);
        } else {
          exit_code = worse(exit_code, without_journal(number));
        }
      }
    }
    RepeatSchedule schedule(plan_, begun == 0 ? now() : first_s(), begun);
    for (auto wait_s = schedule.wait_s(now()); wait_s && going && !interrupted_; wait_s = schedule.wait_s(now())) {
      if (!wait(*wait_s)) break;
      going = one_run(schedule.begin());
    }
    if (interrupted_) exit_code = worse(exit_code, kCancelled);
    if (schedule.missed() > 0)
      std::cerr << fmt::format("vqas: {} runs were left out, because the one before took too long.\n",
                               schedule.missed());
    if (folders_.size() > 1) {
      if (const Status written = write_page(); !written) return report_error(written.error());
    }
    if (!measured_ && !incomplete_ && going && !interrupted_ && !folders_.empty() && !options_.json &&
        !options_.json_lines) {
      const fs::path page = folders_.size() > 1 ? options_.folder / "campaign.html" : folders_.front() / "report.html";
      std::cout << fmt::format("The campaign in {} is complete: nothing is left to measure.\nReport: {}\n",
                               options_.folder.string(), page.string());
    }
    return exit_code;
  }

  bool several() const { return count_of_runs(plan_) > 1; }

  /// Of several runs one document: a list, one after the other.
  void print_json(const std::string& json) {
    if (several()) std::cout << (json_begun_ ? "," : "[") << "\n";
    std::cout << json << std::flush;
    json_begun_ = true;
  }

  /// A simulated line's clock stands still between two runs, so nothing is waited for there.
  double now() const { return is_simulated(plan_) ? virtual_s_ : now_s(); }

  /// When the first run began, by now(): where the clock stands still it began at 0.
  double first_s() const {
    if (is_simulated(plan_)) return 0;
    for (std::size_t number = 1; number <= count_of_runs(plan_); ++number) {
      if (!was_begun(folder_of(number))) continue;
      const auto stored = read_stored_run(folder_of(number));
      if (!stored) continue;
      const auto began = QDateTime::fromString(QString::fromStdString(stored->results.started_utc), Qt::ISODate);
      if (!began.isValid()) continue;
      const double ago_s = 1e-3 * static_cast<double>(began.msecsTo(QDateTime::currentDateTimeUtc()));
      return now() - std::max(0.0, ago_s) - static_cast<double>(number - 1) * plan_.every_s;
    }
    return now();
  }

  fs::path folder_of(std::size_t number) const { return folder_of_run(plan_, options_, number); }

  /// A kill before the first measurement leaves folders with locks, a copy of the plan, or nothing at all in them.
  bool nothing_measured_yet() const {
    if (!several()) return came_to_nothing(options_.folder);
    std::error_code fault;
    return came_to_nothing(options_.folder, folder_of(1).filename()) &&
           (!fs::exists(folder_of(1), fault) || came_to_nothing(folder_of(1)));
  }

  bool wait(double seconds) {
    if (is_simulated(plan_)) {
      virtual_s_ += seconds;
      return true;
    }
    if (seconds <= 0) return true;
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, [] { EventLoop::end(kOk); });
    timer.start(std::chrono::milliseconds(std::llround(1000 * seconds)));
    return loop_.run() == kOk && !interrupted_;
  }

  void interrupt() {
    interrupted_ = true;
    if (measuring_) return measuring_->cancel();
    EventLoop::end(kCancelled);
  }

  RunAbout about() const {
    RunAbout about;
    about.uuid = new_run_uuid();
    about.campaign = plan_.name;
    about.notes = plan_.notes;
    about.tags = plan_.tags;
    about.limit_mos = plan_.limit_mos;
    about.echo_loss_db = plan_.echo_loss_db;
    return about;
  }

  /// What the run belonged to, by the plan as it is now, with a word on what was changed meanwhile.
  RunAbout about_of_earlier(const RunResults& so_far) const {
    RunAbout about = so_far.about;
    const std::vector<std::string> changes =
        options_.before ? changes_between(*options_.before, on_disk_).others : std::vector<std::string>();
    if (changes.empty()) return about;
    const std::string uuid = about.uuid, notes = about.notes, noted = options_.before->plan.notes;
    about = this->about();
    about.uuid = uuid;
    if (notes.starts_with(noted)) about.notes += notes.substr(noted.size());
    std::size_t measured = 0;
    for (const DirectionRun& direction : so_far.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) measured += stimulus.measurements.size();
    }
    const std::string word =
        fmt::format("The plan was changed after {} measurements: {}.", measured, fmt::join(changes, "; "));
    if (about.notes.size() + word.size() < kLongestNotes) about.notes += (about.notes.empty() ? "" : " ") + word;
    return about;
  }

  RunPlan run_plan(const PreparedFolder& prepared, std::size_t number) const {
    RunPlan run;
    run.lock = prepared.lock;
    run.node_a = plan_.node_a;
    run.node_b = plan_.node_b;
    run.corpus = corpus_;
    run.stimuli = plan_.stimuli;
    run.a_to_b = plan_.a_to_b;
    run.b_to_a = plan_.b_to_a;
    run.sampling = plan_.sampling;
    run.cap_line_time_s = plan_.cap_line_time_s;
    run.seed = plan_.seed + number - 1;
    run.folder = prepared.folder;
    run.within_s = plan_.within_s;
    run.guard_s = plan_.guard_s;
    return run;
  }

  /// What a run that goes on takes from the plan, too.
  void set_link(RunPlan& run) const {
    run.link_patience_s = plan_.link_patience_s;
    run.redial = plan_.redial;
    run.redial_s = plan_.redial_s;
    run.duplex = plan_.duplex == "both" ? Duplex::both : plan_.duplex == "one" ? Duplex::one : Duplex::automatic;
  }

  Showing showing_for(const fs::path& folder, const RunAbout& about) {
    Showing showing;
    showing.json = options_.json;
    showing.json_lines = options_.json_lines;
    showing.take_json = [this](const std::string& json) { print_json(json); };
    showing.about = about;
    showing.next_command = as_command({"vqas", "report", folder.string()});
    showing.without_score = showing.next_command;
    showing.after_failure =
        as_command({"vqas", "measure", "--resume", options_.folder.string()}) + trust_arguments(options_.trust);
    showing.keep_beside = [this] { return keep_plan(options_.folder, on_disk_); };
    return showing;
  }

  int run_once(const fs::path& folder, std::size_t number) {
    if (options_.resume && was_begun(folder)) return go_on(folder, number);
    // Without a journal nothing was measured; what its nodes left is in the way.
    const auto prepared =
        prepare_run_folder(folder, options_.force || (options_.resume && !fs::exists(folder / "results.json")));
    if (!prepared) return report_error(prepared.error());
    announce(folder, number, "");
    Showing showing = showing_for(folder, about());
    // At once, so that a kill at any time can be resumed without the plan; but not beside what another plan measured.
    std::error_code fault;
    const fs::path copy = options_.folder / kPlanFile;
    const bool copied_before = fs::exists(copy, fault);
    if (!left_something(folder)) {
      if (const Status kept = keep_plan(options_.folder, on_disk_); !kept) return report_error(kept.error());
      showing.plan_is_kept = true;
    }
    const int code = carry_out(run_plan(*prepared, number), showing);
    if (folders_.empty() || folders_.back() != folder) {
      if (showing.plan_is_kept && !copied_before) fs::remove(copy, fault);
      abandon_run_folder(*prepared);
    }
    return code;
  }

  /// A run that ended is not measured again; its verdict counts.
  int go_on(const fs::path& folder, std::size_t number) {
    const auto stored = load_run(folder);
    if (!stored) return report_error(stored.error());
    if (stored->results.ended_because.empty()) {
      folders_.push_back(folder);
      if (const auto lock = RunLock::take(folder)) remove_unfinished_files(folder);
      if (const Status mended = mend_report(folder, *stored); !mended) return report_error(mended.error());
      if (options_.json) print_json(results_json(stored->results, stored->provenance));
      return exit_code_of(stored->results, stored->provenance);
    }
    RunPlan run;
    run.folder = folder;
    if (const Status found = plan_of_earlier_run(run); !found) return report_error(found.error());
    announce(folder, number, ", which was broken off");
    if (options_.before) {
      run.sampling = plan_.sampling;
      run.cap_line_time_s = plan_.cap_line_time_s;
    }
    const RunAbout about = about_of_earlier(run.continues->so_far);
    return carry_out(std::move(run), showing_for(folder, about));
  }

  /// A run that a journal or a report of shows that it was begun.
  static bool left_something(const fs::path& folder) {
    std::error_code fault;
    return was_begun(folder) || fs::exists(folder / "results.json", fault);
  }

  /// One before the last that was begun. Its report may be left, which counts as it stands.
  int without_journal(std::size_t number) {
    const fs::path folder = folder_of(number);
    std::error_code fault;
    incomplete_ = true;
    if (!fs::exists(folder / "results.json", fault)) {
      const bool passed_over = !is_simulated(plan_) && !fs::exists(folder, fault);
      std::cerr << fmt::format("vqas: nothing is left of run {} of {} ({}): it was {}; it is not measured again.\n",
                               number, count_of_runs(plan_), folder.string(),
                               passed_over ? "left out when its time came, or taken away since" : "taken away");
      return passed_over ? kOk : kNotMeasured;
    }
    const auto stored = load_run(folder);
    if (!stored) return report_error(stored.error());
    const std::string& ended_because = stored->results.ended_because;
    std::cerr << fmt::format(
        "vqas: {} is not there; the run is taken from results.json as it stands{}, and not gone on with.\n",
        (folder / kJournalFile).string(),
        ended_because.empty() ? "" : fmt::format(" (not complete: {})", ended_because));
    folders_.push_back(folder);
    if (options_.json) print_json(results_json(stored->results, stored->provenance));
    return worse(ended_because.empty() ? kOk : kNotMeasured, exit_code_of(stored->results, stored->provenance));
  }

  void announce(const fs::path& folder, std::size_t number, const char* what) const {
    const std::size_t runs = count_of_runs(plan_);
    if (options_.json_lines) {
      const nlohmann::ordered_json line = {
          {"event", "run"}, {"number", number}, {"runs", runs}, {"folder", folder.string()}};
      std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
      return;
    }
    if (runs > 1 && !options_.json) std::cout << fmt::format("Run {} of {}{}\n", number, runs, what) << std::flush;
  }

  int carry_out(RunPlan run, const Showing& showing) {
    measured_ = true;
    const fs::path folder = run.folder;
    const int code = is_simulated(plan_) ? simulate(std::move(run), showing) : command(std::move(run), showing);
    if (measuring_ && measuring_->begun()) folders_.push_back(folder);
    measuring_.reset();
    return code;
  }

  int command(RunPlan run, const Showing& showing) {
    if (const int fault = establish_trust(options_.trust, run); fault != kOk) return fault;
    set_link(run);
    measuring_.emplace(run, showing);
    measuring_->start();
    return loop_.run();
  }

  int simulate(RunPlan run, const Showing& showing) {
    LineOptions options = line_of(plan_);
    options.conditions.end_silence_s = end_silence_for_guard(run.guard_s);
    // A line that is begun again must not repeat the errors that it made before.
    std::uint64_t measured = 0;
    if (run.continues) {
      for (const DirectionRun& direction : run.continues->so_far.directions) {
        for (const StimulusRun& stimulus : direction.stimuli) measured += stimulus.measurements.size();
      }
    }
    const auto line = simulated_line(options, run.seed + kSeedsApart * measured);
    if (!line) return report_error(line.error());
    run.within_s = std::max(run.within_s, line->a_to_b.delay_s + kPatience_s);
    run.holder = kOwnLine;
    std::error_code fault;
    const fs::path program = fs::read_symlink("/proc/self/exe", fault);
    if (fault) return report_error({ErrorCode::io, "cannot find this program's own file: " + fault.message()});
    SimulatedBench bench({program, run.corpus, run.folder / "nodes", *line, {}, {}});
    QObject::connect(&bench, &SimulatedBench::ready, &bench, [&] {
      run.node_a = bench.node_a();
      run.node_b = bench.node_b();
      measuring_.emplace(run, showing);
      measuring_->start();
    });
    QObject::connect(&bench, &SimulatedBench::failed, &bench, [&](const QString& message) {
      if (measuring_) return measuring_->note(message.toStdString());
      EventLoop::end(report_error({ErrorCode::line_lost, message.toStdString()}));
    });
    bench.start();
    const int code = loop_.run();
    bench.stop();
    if (measuring_) virtual_s_ += measuring_->line_seconds();
    if (!measuring_ || !measuring_->begun() || measuring_->fetched()) fs::remove_all(run.folder / "nodes", fault);
    return code;
  }

  /// The store takes what the run's journal holds; a run that was begun is never lost for want of it.
  Status keep(const fs::path& folder) const {
    if (plan_.store.empty() || folders_.empty() || folders_.back() != folder) return success();
    auto store = RunStore::open(plan_.store);
    if (!store) return store.error();
    auto archive = RecordingArchive::open(archive_of(plan_), plan_.archive);
    if (!archive) return archive.error();
    const auto taken = store->take(folder, &*archive);
    if (taken) tell_left_out(folder.string(), *taken);
    return taken ? success() : Status(taken.error());
  }

  Status write_page() const {
    std::vector<StoredRun> runs;
    std::vector<std::string> names;
    for (const fs::path& folder : folders_) {
      auto run = load_run(folder);
      if (!run) return run.error();
      runs.push_back(*std::move(run));
      names.push_back(folder.filename().string());
    }
    return write_campaign_page(options_.folder / "campaign.html", runs, names);
  }

  EventLoop loop_;
  const PlanOnDisk& on_disk_;
  const CampaignPlan& plan_;
  const CampaignOptions options_;
  const fs::path corpus_;
  double virtual_s_ = 0;
  std::optional<Measuring> measuring_;
  std::vector<fs::path> folders_;
  bool interrupted_ = false;
  bool json_begun_ = false;
  bool measured_ = false;    // or tried to, in this process
  bool incomplete_ = false;  // of a run that cannot be gone on with
};

/// The campaign's own folder, for all of its runs and the waits between them; a single run has its lock alone.
class CampaignClaim {
 public:
  static Result<std::unique_ptr<CampaignClaim>> take(const CampaignPlan& plan, const fs::path& folder) {
    if (count_of_runs(plan) == 1) return std::unique_ptr<CampaignClaim>();
    std::error_code fault;
    const bool made = !fs::exists(folder, fault);
    auto lock = RunLock::take(folder);
    if (!lock) return lock.error();
    return std::unique_ptr<CampaignClaim>(new CampaignClaim(folder, *std::move(lock), made));
  }
  CampaignClaim(const CampaignClaim&) = delete;
  CampaignClaim& operator=(const CampaignClaim&) = delete;
  ~CampaignClaim() {
    lock_->release();
    std::error_code fault;
    if (made_) fs::remove(folder_, fault);  // only where nothing came of it
  }

 private:
  CampaignClaim(fs::path folder, std::shared_ptr<RunLock> lock, bool made)
      : folder_(std::move(folder)), lock_(std::move(lock)), made_(made) {}
  const fs::path folder_;
  const std::shared_ptr<RunLock> lock_;
  const bool made_;
};

bool on_one_file_system(const fs::path& one, const fs::path& other) {
  const auto device_of = [](fs::path path) {
    std::error_code failed;
    path = fs::absolute(path, failed);
    while (!fs::exists(path, failed) && path != path.parent_path()) path = path.parent_path();
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 ? found.st_dev : dev_t{};
  };
  return device_of(one) == device_of(other);
}

/// What is known before line time is spent: the store and its archive can be written, and there is room for what may
/// come of all runs.
Status check_places(const CampaignPlan& plan, const CampaignOptions& options, std::size_t stimuli) {
  const std::size_t directions = (plan.a_to_b ? 1 : 0) + (plan.b_to_a ? 1 : 0);
  const std::uint64_t bytes =
      kRecordingBytes * stimuli * directions * plan.sampling.cap_count * runs_to_come(plan, options);
  if (Status room = check_room(options.folder, bytes); !room) return room;
  if (plan.store.empty()) return success();
  if (const auto store = RunStore::open(plan.store); !store) return store.error();
  const fs::path archive_at = archive_of(plan);
  if (const auto archive = RecordingArchive::open(archive_at, plan.archive); !archive) return archive.error();
  if (plan.archive.keep == KeepRecordings::none) return success();
  const std::uint64_t copies = plan.archive.cap_bytes > 0 ? std::min(bytes, plan.archive.cap_bytes) : bytes;
  return check_room(archive_at, on_one_file_system(options.folder, archive_at) ? bytes + copies : copies);
}

}  // namespace

Status check_campaign(const CampaignPlan& plan) {
  const auto corpus = corpus_folder(plan.corpus.string());
  if (!corpus) return corpus.error();
  if (Status known = check_stimuli(*corpus, plan.stimuli, plan.stimuli_at); !known) return known;
  if (!is_simulated(plan)) return success();
  const auto line = simulated_line(line_of(plan), plan.seed);
  return line ? success() : Status(line.error());
}

namespace {

/// Refuses a plan that would measure something else than was begun; tells what else was changed.
Status check_changes(const PlanOnDisk& plan, const CampaignOptions& options) {
  if (!options.before) return success();
  const PlanChanges changes = changes_between(*options.before, plan);
  if (!changes.of_measurement.empty()) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the campaign in {} was begun by another plan: {}; what was measured until then would not "
                             "be comparable; measure this plan into a new folder: vqas measure {} --out {}",
                             options.folder.string(), fmt::join(changes.of_measurement, "; "), plan.file.string(),
                             folder_beside(options.folder, "-2"))};
  }
  if (!changes.others.empty())
    std::cerr << fmt::format(
        "vqas: the plan was changed since the campaign was begun: {}. From here on it holds as it "
        "is now; runs that ended stay as they are.\n",
        fmt::join(changes.others, "; "));
  return success();
}

}  // namespace

int measure_campaign(const PlanOnDisk& on_disk, const CampaignOptions& options) {
  const CampaignPlan& plan = on_disk.plan;
  std::error_code failed;
  if (options.resume && !fs::exists(options.folder, failed)) return report_error(nothing_begun(options.folder));
  if (const Status same = check_changes(on_disk, options); !same) return report_error(same.error());
  if (const Status fits = check_campaign(plan); !fits) return report_error(fits.error());
  const auto corpus = corpus_folder(plan.corpus.string());
  if (!corpus) return report_error(corpus.error());
  const auto claim = CampaignClaim::take(plan, options.folder);
  if (!claim) return report_error(claim.error());
  Campaign campaign(on_disk, options, *corpus);
  const std::size_t stimuli = plan.stimuli.empty() ? count_of_stimuli(*corpus) : plan.stimuli.size();
  if (const Status fit = check_places(plan, options, stimuli); !fit) return report_error(fit.error());
  return campaign.run();
}

}  // namespace vqas::cli
