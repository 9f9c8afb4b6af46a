// What a controller does when the call is gone: stops, has it made again, tries one measurement, goes on.
#include <fmt/format.h>

#include <QProcess>
#include <algorithm>
#include <utility>

#include "node/controller/controller_engine.h"
#include "run/measurement_limits.h"
#include "vqas/run/call_levels.h"

namespace vqas {
namespace {

constexpr int kRedialMs = 120000;

}  // namespace

bool Controller::Engine::has_redial() const {
  return !plan.redial.empty() && plan.most_redials > 0;
}

// Without a program the operators make the call again, and the run waits for them.
bool Controller::Engine::can_recover() const {
  return has_redial() || plan.link_patience_s > 0;
}

void Controller::Engine::ask_to_tell(const Json& params) {
  for (ControlledNode& node : nodes) {
    if (!node.gone && node.session_open) node.client->request("operator.tell", params, [](const auto&) {});
  }
}

void Controller::Engine::tell_operators(const std::string& message) {
  emit owner.paused(QString::fromStdString(message));
  ask_to_tell({{"message", message}});
}

// A call that was made again may have taken another way, with another level: the run goes on, but nobody is left to
// believe that its scores are of one line.
void Controller::Engine::watch_level(const RunLedger::Place& place) {
  const DirectionRun& direction = ledger->results().directions[place.direction];
  if (ledger->call() == 1 || level_told.at(place.direction) == ledger->call()) return;
  const CallLevel level = call_levels(direction).back();
  const auto words = level.call == ledger->call() ? level_change_in_words(level) : std::nullopt;
  if (!words) return;
  level_told.at(place.direction) = ledger->call();
  const std::string message =
      fmt::format("{} to {}: the level of the call that was made again is {}", direction.from, direction.to, *words);
  emit owner.noticed(QString::fromStdString(message));
  ask_to_tell({{"message", message}, {"waits", false}});
}

// After each measurement that has entered the results.
void Controller::Engine::watch_call(const RunLedger::Place& place) {
  const Measurement& measured =
      ledger->results().directions[place.direction].stimuli[place.stimulus].measurements.back();
  const bool lost = measured.outcome == Outcome::line_lost && !place.broken_off;
  if ((!lost && !place.never_heard) || !can_recover()) return;
  never_heard = place.never_heard;
  pause_for_call(measured.reason);
}

// From when a node that is still out of reach was lost, if there is one.
void Controller::Engine::begin_loss() {
  if (lost_since) return;
  lost_since = std::chrono::steady_clock::now();
  for (const ControlledNode& node : nodes) {
    if (node.gone_since) lost_since = std::min(*lost_since, *node.gone_since);
  }
}

void Controller::Engine::count_lost_time() {
  if (!lost_since) return;
  const std::chrono::duration<double> lost = std::chrono::steady_clock::now() - *lost_since;
  ledger->results().lost_seconds += lost.count();
  lost_since.reset();
}

// A whole round was measured without a loss.
void Controller::Engine::call_is_back() {
  count_lost_time();
  redials = 0;
  if (std::exchange(waits_told, false)) tell_operators({});
}

// A line that a node cannot use any more: the next round opens it again.
void Controller::Engine::wait_for_line(const Error& why) {
  const bool waits = plan.link_patience_s > 0 && why.code == ErrorCode::line_lost;
  if (waits && !failing && !stopping && !finished && !std::exchange(waits_told, true)) tell_operators(why.message);
  broken(why);
}

// What is under way says nothing of a line any more; what was heard of it as a whole still counts.
void Controller::Engine::pause_for_call(const std::string& why) {
  if (pausing || failing || stopping || finished) return;
  // Whoever is not there sends nothing; that is no call's end.
  if (std::ranges::any_of(nodes, &ControlledNode::gone)) return broken({ErrorCode::line_lost, why});
  pausing = true;
  begin_loss();
  // What they know need not be told in full again; how long they still have is news.
  const bool known = std::exchange(waits_told, true) && !has_redial();
  what_is_wrong = why;
  if (known) {
    emit owner.noticed(QString::fromStdString(fmt::format("still {}; {:.0f} s left", why, patience_left_s())));
  } else if (has_redial()) {
    tell_operators(why + "; the command of --redial is run to make it again");
  } else {
    tell_operators(fmt::format("{}; it is tried again for {:.0f} s (--link-patience)", why, patience_left_s()));
  }
  broken_because = why;
  if (breaking) return;
  begin_break();
  post([this] { break_round(); });
}

double Controller::Engine::patience_left_s() const {
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - *lost_since;
  return std::max(0.0, plan.link_patience_s - gone.count());
}

void Controller::Engine::try_call_in(double seconds) {
  start_deadline(static_cast<int>(seconds * 1000), [this] {
    pausing = false;
    ledger->begin_call();
    next_round();
  });
}

// The marks of one measurement after another tell when somebody has made the call again.
void Controller::Engine::wait_for_call() {
  if (patience_left_s() > 0) return try_call_in(plan.redial_s);
  if (never_heard) {
    return fail({ErrorCode::line_lost, fmt::format("{}, for {:g} s (--link-patience); \"vqas line check\" says which "
                                                   "end hears nothing and what to look at",
                                                   what_is_wrong, plan.link_patience_s)});
  }
  fail({ErrorCode::line_lost,
        fmt::format(
            "the line is gone: the call was not there again within {:g} s (--link-patience; --redial makes it again)",
            plan.link_patience_s)});
}

// Nothing is under way any more.
void Controller::Engine::redial() {
  if (!has_redial()) return wait_for_call();
  if (++redials > plan.most_redials) {
    return fail({ErrorCode::line_lost,
                 fmt::format("the call is gone, and {} attempts to make it again did not help", plan.most_redials)});
  }
  auto* const program = new QProcess(&context);
  const auto ended = [this, program](const QString& fault) {
    program->disconnect();
    program->deleteLater();
    if (finished) return;
    if (!fault.isEmpty())
      return fail(
          {ErrorCode::line_lost, "the call is gone, and the command that makes it again " + fault.toStdString()});
    try_call_in(plan.redial_s);
  };
  QObject::connect(program, &QProcess::finished, &context, [ended](int code, QProcess::ExitStatus status) {
    const bool well = status == QProcess::NormalExit && code == 0;
    ended(well ? QString() : QString("ended with code %1").arg(code));
  });
  QObject::connect(program, &QProcess::errorOccurred, &context, [ended](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended("could not be started");
  });
  start_deadline(kRedialMs, [ended] { ended("did not end"); });
  program->setStandardOutputFile(QProcess::nullDevice());
  program->start("/bin/sh", {"-c", QString::fromStdString(plan.redial)});
}

}  // namespace vqas
