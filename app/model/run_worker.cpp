#include "model/run_worker.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "model/words.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/run/session_record.h"
#include "vqas/store/notes.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

/// A picture of the results is made at most this often: faster than anybody reads, slow enough to cost nothing.
constexpr int kPublishMs = 100;

/// A receiver on a simulated line waits for its first mark that much longer than the line takes, as in
/// `vqas quickstart`.
constexpr double kPatienceS = 10;

}  // namespace

RunPlan plan_of(const RunSettings& settings, const MeasuringTools& tools) {
  RunPlan plan;
  plan.node_a = settings.node_a.toStdString();
  plan.node_b = settings.node_b.toStdString();
  plan.corpus = tools.corpus;
  for (const QString& id : settings.stimuli) plan.stimuli.push_back(id.toStdString());
  plan.a_to_b = settings.a_to_b;
  plan.b_to_a = settings.b_to_a;
  plan.sampling.cap_count = settings.cap;
  plan.seed = settings.seed;
  plan.folder = settings.folder.toStdString();
  plan.holder = "vqas-gui";
  // The nodes of a simulated line end with it; no others are worth waiting for there.
  if (settings.line == LineKind::simulated)
    plan.within_s = settings.conditions.delay_s + kPatienceS;
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
  RunResults results = controller_ ? controller_->results() : RunResults{};
  results.ended_because = "the program was closed";
  if (bench_) bench_->stop();
  (void)recorder_->finish(results, false);  // the journal holds everything even if this cannot be written
}

void RunWorker::start() {
  if (over_) return;  // cancelled before it began
  emit phase_changed(RunPhase::preparing);
  if (settings_.resumes) return resume();
  Result<RunRecorder> recorder = RunRecorder::prepare(settings_.folder.toStdString());
  if (!recorder) return end(RunPhase::failed, recorder.error());
  recorder_.emplace(std::move(recorder).value());
  if (settings_.line == LineKind::simulated) return start_bench();
  reach_nodes(plan_of(settings_, tools_));
}

void RunWorker::resume() {
  Result<EarlierRun> earlier = read_earlier_run(settings_.folder.toStdString());
  if (!earlier) return end(RunPhase::failed, earlier.error());
  RunPlan& plan = earlier->plan;
  const auto refuse = [&](const std::string& why) {
    plan.lock->release();  // before the end is told
    end(RunPhase::failed, Error{ErrorCode::bad_input, "the run in " + plan.folder.string() + why});
  };
  const RunResults& so_far = plan.continues->so_far;
  // A note that something sounds different asks for more measurements.
  if (so_far.ended_because.empty() && std::ranges::none_of(so_far.notes, &OperatorNote::sounds_different))
    return refuse(" is complete, so there is nothing to resume; press Start for a new run");
  if (has_own_line(plan))
    return refuse(" was made on a simulated line, which ended with it; press Start to measure it again");
  recorder_.emplace(RunRecorder::resume(plan));
  if (!earlier->notice.empty()) emit noticed(QString::fromStdString(earlier->notice));
  reach_nodes(std::move(plan));
}

// Nodes over TLS are asked who they are before anything is said to them.
void RunWorker::reach_nodes(RunPlan plan) {
  auto desk = NodeAccessDesk::open(plan, tools_.known_peers, settings_.access_a.toStdString(),
                                   settings_.access_b.toStdString());
  if (!desk) return end(RunPhase::failed, desk.error());
  access_.emplace(*std::move(desk));
  const Status seen = access_->see_nodes(plan);
  if (over_) return;  // cancelled meanwhile
  if (!seen) return end(RunPhase::failed, seen.error());
  const QString question = access_->question();
  if (question.isEmpty()) return start_controller(std::move(plan));
  asking_ = std::move(plan);
  emit asked_to_trust(question);
}

void RunWorker::trust(bool yes) {
  if (over_ || !asking_) return;
  RunPlan plan = *std::exchange(asking_, std::nullopt);
  if (!yes)
    return end(RunPhase::cancelled,
               Error{ErrorCode::cancelled, "the nodes were not trusted; nothing was said to them"});
  if (const Status kept = access_->trust_strangers(); !kept) return end(RunPhase::failed, kept.error());
  start_controller(std::move(plan));
}

void RunWorker::start_bench() {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(tools_.program, unknown)) {
    const std::string name = tools_.program.empty() ? "" : " " + tools_.program.string();
    return end(RunPhase::failed,
               Error{ErrorCode::bad_input, "the vqas command" + name +
                                               ", which makes the simulated line, was not found; start vqas-gui with "
                                               "--vqas and its place, or measure two nodes"});
  }
  BenchOptions options;
  options.program = tools_.program;
  options.corpus = tools_.corpus;
  options.data = recorder_->node_data();
  options.line = symmetric_line(settings_.conditions, settings_.clock_a_ppm, settings_.clock_b_ppm, settings_.seed);
  bench_ = std::make_unique<SimulatedBench>(options);
  connect(bench_.get(), &SimulatedBench::ready, this, [this] {
    RunPlan plan = plan_of(settings_, tools_);
    plan.node_a = bench_->node_a();
    plan.node_b = bench_->node_b();
    start_controller(std::move(plan));
  });
  connect(bench_.get(), &SimulatedBench::failed, this, &RunWorker::bench_failed);
  bench_->start();
}

void RunWorker::start_controller(RunPlan plan) {
  if (over_ || controller_) return;
  plan.lock = recorder_->lock();
  controller_ = std::make_unique<Controller>(std::move(plan));
  connect(controller_.get(), &Controller::paired, this, &RunWorker::take_plan);
  connect(controller_.get(), &Controller::measured, this, &RunWorker::take_measurement);
  connect(controller_.get(), &Controller::progressed, this, &RunWorker::take_progress);
  connect(controller_.get(), &Controller::noticed, this, &RunWorker::noticed);
  connect(controller_.get(), &Controller::paused, this, [this](const QString& why) {
    emit waiting(why.isEmpty() ? QString() : u"the call"_s);
    emit noticed(why.isEmpty() ? u"the call is there again; the run goes on"_s : u"the run waits: "_s + why);
  });
  connect(controller_.get(), &Controller::out_of_reach, this, &RunWorker::waiting);
  connect(controller_.get(), &Controller::finished, this, &RunWorker::controller_finished);
  controller_->start();
}

void RunWorker::bench_failed(const QString& message) {
  if (over_) return;
  // With a controller at work the end comes from there, when it has saved what can be saved.
  if (!controller_) return end(RunPhase::failed, Error{ErrorCode::line_lost, message.toStdString()});
  if (bench_cause_.isEmpty()) bench_cause_ = message;
}

void RunWorker::cancel() {
  if (over_) return;
  cancelled_ = true;
  emit phase_changed(RunPhase::stopping);
  if (controller_)
    controller_->cancel();
  else
    end(RunPhase::cancelled, std::nullopt);
}

void RunWorker::take_plan() {
  const Status begun = recorder_->begin(controller_->results());
  if (begun) {
    publish();  // which stimuli there will be
    // Of a run that is gone on with; what was measured for its notes counts already.
    if (settings_.resumes) heed_notes();
    if (!cancelled_) emit phase_changed(RunPhase::measuring);
  } else {
    fault_ = begun.error();
    controller_->stop(*fault_);
  }
}

void RunWorker::take_measurement(int direction, int stimulus) {
  const RunResults& results = controller_->results();
  const DirectionRun& way = results.directions.at(static_cast<std::size_t>(direction));
  current_ = u"%1, %2"_s.arg(QString::fromStdString(way.stimuli.at(static_cast<std::size_t>(stimulus)).stimulus),
                             direction_words(way.from, way.to));
  if (!fault_) {
    const Status kept =
        recorder_->record(results, static_cast<std::size_t>(direction), static_cast<std::size_t>(stimulus));
    if (!kept) {
      fault_ = kept.error();
      controller_->stop(*fault_);
    }
  }
  if (!fault_) heed_notes();
  if (!publishing_.isActive()) publishing_.start();
}

void RunWorker::note(const OperatorNote& note) {
  if (over_ || !recorder_ || !recorder_->begun())
    return emit noted(
        u"the run has ended; \"vqas note FOLDER NUMBER --text TEXT\" adds notes to a run that has ended"_s);
  const Status kept = append_note(recorder_->folder(), note);
  if (kept) heed_notes();
  emit noted(kept ? QString() : QString::fromStdString(kept.error().message));
}

// What `vqas note` writes beside a run that goes on: where something sounds different more is measured.
void RunWorker::heed_notes() {
  const std::vector<OperatorNote> notes = read_notes(recorder_->folder());
  for (; notes_heeded_ < notes.size(); ++notes_heeded_) {
    const OperatorNote& note = notes[notes_heeded_];
    if (note.sounds_different) controller_->measure_more(note.from, note.to, note.sequence);
  }
}

void RunWorker::take_progress(const RunProgress& progress) {
  emit progressed(progress, current_);
}

void RunWorker::controller_finished(const QString& error, int code) {
  if (fault_) return end(RunPhase::failed, fault_);
  if (error.isEmpty()) return end(RunPhase::finished, std::nullopt);
  if (cancelled_ && code == static_cast<int>(ErrorCode::cancelled)) return end(RunPhase::cancelled, std::nullopt);
  const QString message = bench_cause_.isEmpty() ? error : u"%1 (%2)"_s.arg(error, bench_cause_);
  end(RunPhase::failed, Error{static_cast<ErrorCode>(code), message.toStdString()});
}

void RunWorker::publish() {
  if (controller_ && !over_) emit updated(std::make_shared<const RunResults>(controller_->results()));
}

void RunWorker::end(RunPhase phase, const std::optional<Error>& error) {
  if (over_) return;
  over_ = true;
  publishing_.stop();
  RunEnd how;
  how.phase = phase;
  std::optional<Error> fault = error;
  RunResults last = controller_ ? controller_->results() : RunResults{};
  if (recorder_ && recorder_->begun()) last.notes = read_notes(recorder_->folder());
  const auto results = std::make_shared<const RunResults>(std::move(last));
  if (bench_) bench_->stop();
  if (recorder_) {
    const Status written = recorder_->finish(*results, phase == RunPhase::finished);
    if (!written && !fault) fault = written.error();
    if (!written) how.phase = RunPhase::failed;
    if (recorder_->begun()) how.folder = QString::fromStdString(recorder_->folder().string());
    how.resumable = recorder_->begun() && how.phase != RunPhase::finished && settings_.line == LineKind::nodes;
    if (recorder_->begun() && written) how.report = QString::fromStdString(recorder_->report().string());
  }
  if (fault) {
    how.code = fault->code;
    how.message = QString::fromStdString(fault->message);
  }
  emit finished(how, results);
}

}  // namespace vqas::app
