#include "model/run_worker.h"

#include <QSysInfo>
#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "model/words.h"
#include "vqas/campaign/bench_line.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/run/session_record.h"
#include "vqas/score/score.h"
#include "vqas/store/notes.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

/// A snapshot of the results is made at most this often: faster than anyone reads, and cheap.
constexpr int kPublishMs = 100;

/// The window replaces nothing.
constexpr FolderAdvice kAdvice{
    "choose a new one, so that no earlier result is lost", "choose a new one, so that nothing in it is lost",
    "choose a new one, so that nothing in it is lost", "check rights and free space, or choose another one"};

}  // namespace

RunPlan plan_of(const RunSettings& settings, const MeasuringTools& tools) {
  RunPlan plan;
  plan.node_a = settings.node_a.toStdString();
  plan.node_b = settings.node_b.toStdString();
  plan.corpus = tools.corpus;
  for (const QString& id : settings.stimuli) plan.stimuli.push_back(id.toStdString());
  plan.a_to_b = settings.a_to_b;
  plan.b_to_a = settings.b_to_a;
  plan.mode = settings.mode;
  plan.narrowband_too = settings.narrowband_too;
  plan.sampling.goal_of = settings.goal;
  plan.cap_line_time_s = 60 * settings.minutes;
  if (settings.about.limit_mos) plan.sampling.limit = {*settings.about.limit_mos, model_error(settings.mode).mos};
  plan.sampling.cap_count = settings.cap;
  plan.seed = settings.seed;
  plan.folder = settings.folder.toStdString();
  plan.holder = "vqas-gui at " + QSysInfo::machineHostName().toStdString();
  // The nodes of a simulated line end with it, so there are none to wait for.
  if (settings.line == LineKind::simulated)
    plan.within_s = settings.conditions.delay_s + kBenchPatience_s;
  else
    plan.link_patience_s = kLinkPatience_s;
  return plan;
}

RunWorker::RunWorker(RunSettings settings, MeasuringTools tools)
    : settings_(std::move(settings)), tools_(std::move(tools)), publishing_(this) {
  publishing_.setSingleShot(true);
  publishing_.setInterval(kPublishMs);
  connect(&publishing_, &QTimer::timeout, this, &RunWorker::publish);
}

RunWorker::~RunWorker() {
  if (over_ || !recorder_) return;
  if (RecordedRun* const begun = run()) begun->close("the program was closed");
  if (bench_) bench_->leave();
  recorder_->leave(false);
}

void RunWorker::start() {
  if (over_) return;  // cancelled before it began
  emit phase_changed(RunPhase::preparing);
  if (settings_.resumes) return resume();
  Result<PreparedFolder> folder = prepare_run_folder(settings_.folder.toStdString(), false, kAdvice);
  if (!folder) return end(RunPhase::failed, folder.error());
  RecorderOptions recording;
  recording.about = settings_.about;
  recorder_.emplace(RunRecorder::create(*std::move(folder), std::move(recording)));
  if (settings_.line == LineKind::simulated) return start_bench();
  reach_nodes(plan_of(settings_, tools_));
}

void RunWorker::resume() {
  Result<EarlierRun> earlier = read_earlier_run(settings_.folder.toStdString());
  if (!earlier) return end(RunPhase::failed, earlier.error());
  RunPlan& plan = earlier->plan;
  const auto refuse = [&](const std::string& why) {
    plan.lock->release();  // before the end is reported
    end(RunPhase::failed, Error{ErrorCode::bad_input, "the run in " + plan.folder.string() + why});
  };
  if (earlier->complete) return refuse(" is complete, so there is nothing to resume; press Start for a new run");
  if (has_own_line(plan.folder, plan.holder))
    return refuse(" was made on a simulated line, which ended with it; press Start to measure it again");
  RecorderOptions recording;
  recording.about = plan.continues->so_far.about;
  recorder_.emplace(RunRecorder::resume(plan, std::move(recording)));
  if (!earlier->notice.empty()) emit noticed(QString::fromStdString(earlier->notice));
  reach_nodes(std::move(plan));
}

// Nodes over TLS are identified before the run connects to them.
void RunWorker::reach_nodes(RunPlan plan) {
  auto access = NodeAccessControl::open(plan, tools_.known_peers, settings_);
  if (!access) return end(RunPhase::failed, access.error());
  access_.emplace(*std::move(access));
  const Status seen = access_->see_nodes(plan);
  if (over_) return;  // cancelled meanwhile
  if (!seen) return end(RunPhase::failed, seen.error());
  const QString question = access_->question();
  if (question.isEmpty()) return start_run(std::move(plan));
  asking_ = std::move(plan);
  emit asked_to_trust(question);
}

void RunWorker::trust(bool yes) {
  if (over_ || !asking_) return;
  RunPlan plan = *std::exchange(asking_, std::nullopt);
  if (!yes)
    return end(RunPhase::cancelled,
               Error{ErrorCode::cancelled, "the nodes were not trusted; nothing was sent to them"});
  if (const Status kept = access_->trust_strangers(); !kept) return end(RunPhase::failed, kept.error());
  start_run(std::move(plan));
}

void RunWorker::start_bench() {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(tools_.program, unknown)) {
    const std::string name = tools_.program.empty() ? "" : " " + tools_.program.string();
    return end(RunPhase::failed,
               Error{ErrorCode::bad_input, "the vqas command" + name +
                                               ", which makes the simulated line, was not found; start vqas-gui with "
                                               "--vqas and its path, or measure two nodes"});
  }
  const auto line = simulated_line({settings_.conditions, settings_.profile.toStdString(), settings_.codec,
                                    settings_.clock_a_ppm, settings_.clock_b_ppm},
                                   settings_.seed);
  if (!line) return end(RunPhase::failed, line.error());
  RunPlan plan = plan_of(settings_, tools_);
  plan.lock = recorder_->lock();
  bench_.emplace(tools_.program, *line, std::move(plan), *recorder_, events(),
                 [this](const Error& why) { end(RunPhase::failed, why); });
  bench_->start();
}

void RunWorker::start_run(RunPlan plan) {
  plan.lock = recorder_->lock();
  between_nodes_.emplace(std::move(plan), *recorder_, events());
  between_nodes_->start();
}

RecordedRun* RunWorker::run() {
  if (bench_) return bench_->run();
  return between_nodes_ ? &*between_nodes_ : nullptr;
}

RunEvents RunWorker::events() {
  RunEvents events;
  events.begun = [this](const RunResults&) {
    if (held_) run()->hold();
    publish();  // shows the stimuli to come
    if (!cancelled_) emit phase_changed(RunPhase::measuring);
  };
  events.measured = [this](const DirectionRun& way, const StimulusRun& stimulus) {
    current_ = u"%1, %2"_s.arg(QString::fromStdString(stimulus.stimulus), direction_label(way.from));
    if (!publishing_.isActive()) publishing_.start();
  };
  events.progressed = [this](const RunResults&, const RunProgress& progress) { emit progressed(progress, current_); };
  events.noticed = [this](const std::string& what) { emit noticed(QString::fromStdString(what)); };
  events.waiting = [this](const MarkWait& wait) { emit silent(wait.from, QString::fromStdString(in_words(wait))); };
  events.paused = [this](const std::string& why) {
    emit waiting(why.empty() ? QString() : u"the line"_s);
    emit noticed(why.empty() ? u"the line is there again; the run continues"_s
                             : u"the run waits: "_s + QString::fromStdString(why));
  };
  events.held = [this] {
    if (held_) emit held(true);
  };
  events.out_of_reach = [this](const std::string& node) { emit waiting(QString::fromStdString(node)); };
  events.stop_requested = [this] {
    emit noticed(u"another program asked to stop"_s);
    cancel();
  };
  events.finished = [this](const EndOfRun& end) { run_finished(end); };
  return events;
}

void RunWorker::cancel() {
  if (over_) return;
  cancelled_ = true;
  emit phase_changed(RunPhase::stopping);
  if (RecordedRun* const begun = run()) return begun->cancel();
  end(RunPhase::cancelled, std::nullopt);
}

void RunWorker::hold(bool yes) {
  if (over_) return;
  held_ = yes;
  RecordedRun* const begun = run();
  if (begun != nullptr && yes) begun->hold();
  if (begun != nullptr && !yes) begun->carry_on();
  if (!yes) emit held(false);
}

void RunWorker::note(const OperatorNote& note) {
  if (over_ || !recorder_ || !recorder_->begun())
    return emit noted(
        u"the run has ended; \"vqas note FOLDER NUMBER --text TEXT\" adds notes to a run that has ended"_s);
  const Status kept = append_note(recorder_->folder(), note);
  if (kept) run()->heed_notes();
  emit noted(kept ? QString() : QString::fromStdString(kept.error().message));
}

void RunWorker::run_finished(const EndOfRun& run) {
  if (!run.fault) return end(RunPhase::finished, std::nullopt, run);
  // What the user asked for is not a fault.
  if (cancelled_ && run.fault->code == ErrorCode::cancelled) return end(RunPhase::cancelled, std::nullopt, run);
  end(RunPhase::failed, run.fault, run);
}

void RunWorker::publish() {
  if (over_ || run() == nullptr) return;
  emit updated(std::make_shared<const RunResults>(run()->results()));
}

void RunWorker::end(RunPhase phase, const std::optional<Error>& error, const EndOfRun& run) {
  if (over_) return;
  over_ = true;
  publishing_.stop();
  if (bench_) bench_->leave();
  RunEnd how;
  how.phase = run.not_written ? RunPhase::failed : phase;
  how.verdict = run.verdict;
  if (run.begun) {
    how.folder = QString::fromStdString(recorder_->folder().string());
    how.resumable = how.phase != RunPhase::finished && settings_.line == LineKind::nodes;
    if (!run.not_written) how.report = QString::fromStdString(recorder_->report().string());
  }
  if (recorder_) recorder_->leave(phase == RunPhase::finished);
  if (const std::optional<Error>& fault = error ? error : run.not_written) {
    how.code = fault->code;
    how.message = QString::fromStdString(fault->message);
  }
  emit finished(how, std::make_shared<const RunResults>(run.results));
}

}  // namespace vqas::app
