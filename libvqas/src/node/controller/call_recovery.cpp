#include "node/controller/call_recovery.h"

#include <fmt/format.h>

#include <QProcess>
#include <algorithm>
#include <utility>

#include "node/controller/node_links.h"
#include "node/controller/round_break.h"
#include "node/controller/run_engine.h"
#include "node/controller/run_rounds.h"
#include "vqas/run/call_levels.h"

namespace vqas {
namespace {

constexpr int kRedialMs = 120000;

}  // namespace

bool CallRecovery::has_redial() const {
  return !run_.plan().redial.empty() && run_.plan().most_redials > 0;
}

bool CallRecovery::can_recover() const {
  return has_redial() || run_.plan().link_patience_s > 0;
}

void CallRecovery::tell_paused(const std::string& message) {
  emit run_.owner().paused(QString::fromStdString(message));
  run_.links().tell_operators({{"message", message}});
}

void CallRecovery::watch(const RunLedger::Place& place) {
  watch_call(place);
  watch_level(place);
}

// A redialled call may take another route, with another level. The run continues, but says that its scores are not all
// of one line.
void CallRecovery::watch_level(const RunLedger::Place& place) {
  const RunLedger& ledger = run_.ledger();
  const DirectionRun& direction = ledger.results().directions[place.direction];
  if (ledger.call() == 1 || level_told_.at(place.direction) == ledger.call()) return;
  const CallLevel level = call_levels(direction).back();
  const auto words = level.call == ledger.call() ? level_change_in_words(level) : std::nullopt;
  if (!words) return;
  level_told_.at(place.direction) = ledger.call();
  const std::string message =
      fmt::format("{}: the level of the redialled call is {}", direction_words(direction.from), *words);
  run_.notice(message);
  run_.links().tell_operators({{"message", message}, {"waits", false}});
}

void CallRecovery::watch_call(const RunLedger::Place& place) {
  const Measurement& measured =
      run_.ledger().results().directions[place.direction].stimuli[place.stimulus].measurements.back();
  const bool lost = measured.outcome == Outcome::line_lost && !place.broken_off;
  if ((!lost && !place.never_heard) || !can_recover()) return;
  never_heard_ = place.never_heard;
  pause_for_call(measured.reason);
}

void CallRecovery::begin_loss(std::optional<Clock::time_point> since) {
  if (!lost_since_) lost_since_ = since.value_or(Clock::now());
}

void CallRecovery::count_lost_time() {
  if (!lost_since_) return;
  const std::chrono::duration<double> lost = Clock::now() - *lost_since_;
  run_.ledger().results().lost_seconds += lost.count();
  lost_since_.reset();
}

void CallRecovery::round_succeeded() {
  if (!lost_since_) return;
  count_lost_time();
  redials_ = 0;
  if (std::exchange(waits_told_, false)) tell_paused({});
}

void CallRecovery::wait_for_line(const Error& why) {
  const bool waits = run_.plan().link_patience_s > 0 && why.code == ErrorCode::line_lost;
  if (waits && !run_.failing() && !run_.stopping() && !run_.finished() && !std::exchange(waits_told_, true))
    tell_paused(why.message);
  run_.broken_round().broken(why);
}

void CallRecovery::pause_for_call(const std::string& why) {
  if (pausing_ || run_.failing() || run_.stopping() || run_.finished()) return;
  // A missing node sends nothing; that is not the end of a call.
  if (run_.links().any_gone()) return run_.broken_round().broken({ErrorCode::line_lost, why});
  pausing_ = true;
  begin_loss();
  // A known reason need not be repeated in full; the time left is news.
  const bool known = std::exchange(waits_told_, true) && !has_redial();
  what_is_wrong_ = why;
  if (known) {
    run_.notice(fmt::format("still {}; {:.0f} s left", why, patience_left_s()));
  } else if (has_redial()) {
    tell_paused(why + "; the command of --redial is run to redial it");
  } else {
    tell_paused(fmt::format("{}; trying again for {:.0f} s (--link-patience)", why, patience_left_s()));
  }
  run_.broken_round().begin_soon(why);
}

double CallRecovery::patience_left_s() const {
  const std::chrono::duration<double> gone = Clock::now() - *lost_since_;
  return std::max(0.0, run_.plan().link_patience_s - gone.count());
}

void CallRecovery::try_call_in(double seconds) {
  run_.start_deadline(static_cast<int>(seconds * 1000), [this] {
    pausing_ = false;
    run_.ledger().begin_call();
    run_.rounds().next_round();
  });
}

// Repeats single measurements; their marks show when an operator has redialled.
void CallRecovery::wait_for_call() {
  const RunPlan& plan = run_.plan();
  if (patience_left_s() > 0) return try_call_in(plan.redial_s);
  if (never_heard_) {
    return run_.fail(
        {ErrorCode::line_lost, fmt::format("{}, for {:g} s (--link-patience); run \"vqas line check\" to see which "
                                           "end hears nothing and what to check",
                                           what_is_wrong_, plan.link_patience_s)});
  }
  run_.fail({ErrorCode::line_lost,
             fmt::format(
                 "the line is gone: the call did not return within {:g} s (--link-patience); use --redial to redial it",
                 plan.link_patience_s)});
}

void CallRecovery::make_call() {
  if (!has_redial()) return wait_for_call();
  const int most = run_.plan().most_redials;
  if (++redials_ > most) {
    return run_.fail(
        {ErrorCode::line_lost, fmt::format("the call is gone, and {} attempts to redial it failed", most)});
  }
  run_redial();
}

void CallRecovery::run_redial() {
  QObject* const context = run_.context();
  auto* const program = new QProcess(context);
  const auto ended = [this, program](const QString& fault) {
    program->disconnect();
    program->deleteLater();
    redialled(fault.toStdString());
  };
  QObject::connect(program, &QProcess::finished, context, [ended](int code, QProcess::ExitStatus status) {
    const bool well = status == QProcess::NormalExit && code == 0;
    ended(well ? QString() : QString("ended with code %1").arg(code));
  });
  QObject::connect(program, &QProcess::errorOccurred, context, [ended](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended("could not be started");
  });
  run_.start_deadline(kRedialMs, [ended] { ended("did not end"); });
  program->setStandardOutputFile(QProcess::nullDevice());
  program->start("/bin/sh", {"-c", QString::fromStdString(run_.plan().redial)});
}

void CallRecovery::redialled(const std::string& fault) {
  if (run_.finished()) return;
  if (!fault.empty())
    return run_.fail({ErrorCode::line_lost, "the call is gone, and the command of --redial " + fault});
  try_call_in(run_.plan().redial_s);
}

}  // namespace vqas
