#include "node/controller/run_engine.h"

#include <QDateTime>
#include <algorithm>
#include <utility>

#include "node/controller/call_recovery.h"
#include "node/controller/node_links.h"
#include "node/controller/recording_fetcher.h"
#include "node/controller/round_break.h"
#include "node/controller/run_preparation.h"
#include "node/controller/run_rounds.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

// Time to fetch the measurements of the remaining end.
constexpr int kDrainMs = 3000;

StopReason stop_reason_of(ErrorCode code) {
  if (code == ErrorCode::cancelled) return StopReason::cancelled;
  return code == ErrorCode::io ? StopReason::disk : StopReason::line_lost;
}

std::string now_utc() {
  return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

}  // namespace

RunEngine::RunEngine(Controller& owner, RunPlan plan)
    : owner_(owner),
      plan_(std::move(plan)),
      links_(std::make_unique<NodeLinks>(*this)),
      rounds_(std::make_unique<RunRounds>(*this)),
      break_(std::make_unique<RoundBreak>(*this)),
      recovery_(std::make_unique<CallRecovery>(*this)),
      recordings_(std::make_unique<RecordingFetcher>(*this)) {
  empty_results_.seed = plan_.seed;
  empty_results_.mode = plan_.mode;
  empty_results_.guard_s = plan_.guard_s;
  empty_results_.sampling = plan_.sampling;
  deadline_.setSingleShot(true);
}

RunEngine::~RunEngine() = default;

void RunEngine::start_later() {
  post([this] { start(); });
}

void RunEngine::start() {
  if (finished_) return;
  began_ = Clock::now();
  empty_results_.started_utc = now_utc();
  const Status prepared = prepare();
  if (!prepared) return finish(prepared.error().message, prepared.error().code);
  links_->connect();
}

Status RunEngine::prepare() {
  auto planned = check_plan(plan_);
  if (!planned) return planned.error();
  ledger_.emplace(plan_, planned->stimuli);
  ledger_->set_line_seconds(std::move(planned->line_seconds));
  ledger_->results().corpus_digest = planned->digest;
  ledger_->spare_lost(recovery_->can_recover());
  if (plan_.continues) {
    if (Status same = check_continuation(plan_, planned->digest); !same) return same;
    continue_run(*plan_.continues);
  } else {
    session_ = new_session(plan_);
  }
  if (Status writable = make_run_folder(plan_.folder); !writable) return writable;
  auto claim = plan_.lock ? Result<std::shared_ptr<RunLock>>(plan_.lock) : RunLock::take(plan_.folder);
  if (!claim) return claim.error();
  lock_ = *std::move(claim);
  return success();
}

void RunEngine::continue_run(const RunContinuation& earlier) {
  const RunResults& so_far = earlier.so_far;
  session_ = earlier.session;
  if (!session_.run_id) session_.run_id = run_id_of(plan_.seed);
  ledger_->restore(earlier);
  earlier_wall_s_ = session_.wall_seconds = std::max(so_far.wall_seconds, session_.wall_seconds);
  ledger_->results().lost_seconds = so_far.lost_seconds;
  ledger_->results().duplex = so_far.duplex;
  session_.line_seconds = std::max(so_far.line_seconds, session_.line_seconds);
  rounds_->restore_line_time(session_.line_seconds);
  if (!so_far.started_utc.empty()) empty_results_.started_utc = so_far.started_utc;
}

void RunEngine::begin_rounds() {
  deadline_.stop();
  rounds_->number_from(links_->last_round());
  // The session's record may have lost its last lines.
  for (std::size_t n = 0; n < 2; ++n) {
    if (const auto direction = direction_from(n)) ledger_->number_from(*direction, links_->last_sequence(n) + 1);
  }
  links_->begin_run();
  ledger_->results().started_utc = empty_results_.started_utc;
  emit owner_.paired();
  if (finished_) return;
  auto log = plan_.continues ? SessionLog::reopen(plan_.folder) : SessionLog::create(plan_.folder, session_);
  if (!log) return fail(log.error());
  session_log_ = *std::move(log);
  if (!plan_.continues) return rounds_->next_round();
  rounds_->begin_round();
  break_->take_up();
}

Status RunEngine::keep_round(double used_s) {
  ledger_->describe(session_);
  session_.line_seconds = used_s;
  session_.wall_seconds = earlier_wall_s_ + elapsed_s();
  return session_log_->add_round(session_);
}

std::optional<std::size_t> RunEngine::direction_from(std::size_t sender) const {
  return vqas::direction_from(plan_, sender);
}

void RunEngine::measure_more(End from, std::uint32_t sequence) {
  if (ledger_ && !finished_) ledger_->ask_for_more(from, sequence);
}

void RunEngine::hold() {
  if (finished_ || stopping_ || failing_ || held_) return;
  held_ = true;
  rounds_->advance();
}

void RunEngine::carry_on() {
  if (!std::exchange(held_, false) || finished_ || stopping_ || failing_) return;
  rounds_->carry_on();
}

void RunEngine::stop(const Error& why) {
  if (finished_) return;
  if (stopping_ || !rounds_->in_round() || failing_)
    return finish(stopping_.value_or(why).message, stopping_.value_or(why).code);
  stopping_ = why;
  rounds_->stop_sending();
}

void RunEngine::fail(const Error& error) {
  if (!finished_ && !failing_) finish(error.message, error.code);
}

void RunEngine::fail_when_drained(const Error& error) {
  if (!rounds_->in_round() || finished_) return fail(error);
  break_->cancel();
  if (!failing_) {
    failing_ = error;
    start_deadline(kDrainMs, [this] { finish(failing_->message, failing_->code); });
  }
  rounds_->advance();
}

void RunEngine::lose_what_is_under_way(const std::string& why) {
  for (const auto& [direction, planned] : ledger_->under_way())
    announce(ledger_->lose(direction, planned, as_plain_text("this was in progress when the run ended: " + why)));
}

void RunEngine::finish(const std::string& reason, std::optional<ErrorCode> code) {
  if (finished_) return;
  const std::string why = as_sentence_part(reason);
  finished_ = true;
  deadline_.stop();
  if (!links_->paired()) lock_.reset();  // nothing will be written
  if (ledger_) {
    ledger_->give_up_recordings();
    rounds_->settle(true);
    if (code == ErrorCode::line_lost) lose_what_is_under_way(why);
    if (code) ledger_->stop(stop_reason_of(*code));
    ledger_->conclude();
    if (const auto since = links_->gone_since()) recovery_->begin_loss(since);
    recovery_->count_lost_time();
  }
  RunResults& results = ledger_ ? ledger_->results() : empty_results_;
  results.ended_because = why;
  results.started_utc = empty_results_.started_utc;
  results.finished_utc = now_utc();
  results.wall_seconds = earlier_wall_s_ + elapsed_s();
  results.line_seconds = std::max(results.line_seconds, rounds_->used_s());
  links_->close();
  post([this, why, code] { emit owner_.finished(QString::fromStdString(why), code ? static_cast<int>(*code) : 0); });
}

void RunEngine::notice(const std::string& what) {
  emit owner_.noticed(QString::fromStdString(what));
}

void RunEngine::announce(const RunLedger::Place& place) {
  emit owner_.measured(static_cast<int>(place.direction), static_cast<int>(place.stimulus));
}

void RunEngine::post(std::function<void()> task) {
  QMetaObject::invokeMethod(&context_, std::move(task), Qt::QueuedConnection);
}

void RunEngine::after_ms(int milliseconds, std::function<void()> task) {
  QTimer::singleShot(milliseconds, &context_, std::move(task));
}

void RunEngine::start_deadline(int milliseconds, std::function<void()> task) {
  deadline_.stop();
  deadline_.disconnect();
  QObject::connect(&deadline_, &QTimer::timeout, &context_, std::move(task));
  deadline_.start(milliseconds);
}

double RunEngine::elapsed_s() const {
  return std::chrono::duration<double>(Clock::now() - began_).count();
}

}  // namespace vqas
