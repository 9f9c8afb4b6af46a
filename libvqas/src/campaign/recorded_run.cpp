#include "vqas/campaign/recorded_run.h"

#include <QTimer>
#include <algorithm>
#include <utility>

#include "campaign/tell.h"
#include "vqas/campaign/operator_note.h"
#include "vqas/node/controller.h"
#include "vqas/store/notes.h"

namespace vqas {

using campaign::tell;

namespace {

constexpr int kLookMs = 1000;

EndOfRun used_before(const RunPlan& plan) {
  EndOfRun end;
  if (!plan.continues) return end;
  const auto& [so_far, session] = *plan.continues;
  end.resumed = true;
  end.earlier_line_s = std::max(so_far.line_seconds, session.line_seconds);
  end.earlier_wall_s = std::max(so_far.wall_seconds, session.wall_seconds);
  return end;
}

}  // namespace

RecordedRun::RecordedRun(RunPlan plan, RunRecorder& recorder, RunEvents events)
    : recorder_(recorder),
      events_(std::move(events)),
      end_(used_before(plan)),
      looking_(std::make_unique<QTimer>()),
      controller_(std::make_unique<Controller>(std::move(plan))) {
  const auto on = [this](auto told, auto&& task) {
    QObject::connect(controller_.get(), told, controller_.get(), task);
  };
  QObject::connect(looking_.get(), &QTimer::timeout, controller_.get(), [this] {
    if (cancelled_ > 0 || !take_stop_request(recorder_.folder())) return;
    events_.stop_requested ? events_.stop_requested() : cancel();
  });
  on(&Controller::paired, [this] { begin(); });
  on(&Controller::measured, [this](int direction, int stimulus) { record(direction, stimulus); });
  on(&Controller::progressed,
     [this](const RunProgress& progress) { tell(events_.progressed, controller_->results(), progress); });
  on(&Controller::waiting, [this](const MarkWait& wait) { tell(events_.waiting, wait); });
  on(&Controller::paused, [this](const QString& why) { tell(events_.paused, why.toStdString()); });
  on(&Controller::held, [this] { tell(events_.held); });
  on(&Controller::out_of_reach, [this](const QString& node) { tell(events_.out_of_reach, node.toStdString()); });
  on(&Controller::noticed, [this](const QString& what) { tell(events_.noticed, what.toStdString()); });
  on(&Controller::finished, [this](const QString& error, int code) { finish(error.toStdString(), code); });
}

RecordedRun::~RecordedRun() = default;

void RecordedRun::start() {
  looking_->start(kLookMs);
  controller_->start();
}

void RecordedRun::cancel() {
  if (++cancelled_ == 1 && recorder_.begun()) tell(events_.stopping);
  controller_->cancel();
}

void RecordedRun::hold() {
  controller_->hold();
}

void RecordedRun::carry_on() {
  controller_->carry_on();
}

const RunResults& RecordedRun::results() const {
  return controller_->results();
}

void RecordedRun::line_lost_because(const std::string& cause) {
  if (cause_.empty()) cause_ = cause;
}

void RecordedRun::give_up(const Error& why) {
  fault_ = why;
  controller_->stop(why);
}

void RecordedRun::begin() {
  if (const Status begun = recorder_.begin(controller_->results()); !begun) return give_up(begun.error());
  // A resumed run takes all notes again; measurements already made for them count.
  heed_notes();
  tell(events_.begun, controller_->results());
}

void RecordedRun::record(int direction, int stimulus) {
  if (fault_ || !recorder_.begun()) return;
  const auto way = static_cast<std::size_t>(direction), one = static_cast<std::size_t>(stimulus);
  const Status kept = recorder_.record(controller_->results(), way, one);
  if (!kept) return give_up(kept.error());
  const DirectionRun& run = controller_->results().directions.at(way);
  tell(events_.measured, run, run.stimuli.at(one));
  heed_notes();
}

void RecordedRun::heed_notes() {
  const std::vector<OperatorNote> notes = read_notes(recorder_.folder());
  for (; notes_heeded_ < notes.size(); ++notes_heeded_) {
    const OperatorNote& note = notes[notes_heeded_];
    if (note.sounds_different) controller_->measure_more(note.from, note.sequence);
  }
}

void RecordedRun::close(const std::string& why) {
  if (std::exchange(over_, true)) return;
  RunResults results = controller_->results();
  results.ended_because = why;
  (void)recorder_.finish(results);  // the journal holds everything even if this cannot be written
}

void RecordedRun::finish(const std::string& error, int code) {
  if (std::exchange(over_, true)) return;
  looking_->stop();
  (void)take_stop_request(recorder_.folder());  // which came too late
  EndOfRun end = end_;
  end.fault = fault_;
  end.error = error;
  if (!end.fault && !error.empty())
    end.fault = Error{static_cast<ErrorCode>(code), cause_.empty() ? error : error + " (" + cause_ + ")"};
  if (end.fault) end.verdict = verdict_of(*end.fault);
  end.fetched = !end.fault || (end.verdict == RunVerdict::cancelled && cancelled_ == 1);
  end.begun = recorder_.begun();
  end.run_id = controller_->run_id();
  end.results = controller_->results();
  if (const Status written = recorder_.finish(end.results); !written) {
    end.not_written = written.error();
    if (end.verdict != RunVerdict::io) end.verdict = verdict_of(*end.not_written);
  }
  if (end.begun && !end.fault && !end.not_written)
    end.verdict = verdict_of(end.results, current_provenance(end.results.mode));
  tell(events_.finished, end);
}

}  // namespace vqas
