#include "node/controller/controller_engine.h"

#include <QDateTime>
#include <algorithm>
#include <cmath>

#include "node/play/outgoing.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

// Time to fetch from the end that is left what it has measured.
constexpr int kDrainMs = 3000;

StopReason stop_reason_of(ErrorCode code) {
  if (code == ErrorCode::cancelled) return StopReason::cancelled;
  return code == ErrorCode::io ? StopReason::disk : StopReason::line_lost;
}

std::string now_utc() {
  return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

}  // namespace

Controller::Controller(RunPlan plan, QObject* parent)
    : QObject(parent), engine_(std::make_unique<Engine>(*this, std::move(plan))) {}
Controller::~Controller() = default;

void Controller::start() {
  QMetaObject::invokeMethod(
      &engine_->context, [this] { engine_->start(); }, Qt::QueuedConnection);
}

void Controller::cancel() {
  engine_->stop({ErrorCode::cancelled, "the run was cancelled; what was measured until then is kept"});
}

void Controller::stop(const Error& why) {
  engine_->stop(why);
}

void Controller::measure_more(const std::string& from, const std::string& to, std::uint32_t sequence) {
  if (engine_->ledger && !engine_->finished) engine_->ledger->ask_for_more(from, to, sequence);
}

const RunResults& Controller::results() const {
  return engine_->ledger ? engine_->ledger->results() : engine_->empty_results;
}

std::optional<std::uint32_t> Controller::run_id() const {
  return engine_->session.run_id;
}

Controller::Engine::Engine(Controller& controller, RunPlan given) : owner(controller), plan(std::move(given)) {
  empty_results.seed = plan.seed;
  empty_results.guard_s = plan.guard_s;
  empty_results.sampling = plan.sampling;
  deadline.setSingleShot(true);
  writer = std::make_unique<Worker>();
}

void ControlledNode::told(std::int64_t time_ns) {
  first_ns = std::min(first_ns.value_or(time_ns), time_ns);
  last_ns = std::max(last_ns.value_or(time_ns), time_ns);
}

void ControlledNode::told_total(std::int64_t total_ns) {
  line_time_ns += total_ns >= counted_ns ? total_ns - counted_ns : total_ns;
  counted_ns = total_ns;
  first_ns.reset();
  last_ns.reset();
}

std::int64_t ControlledNode::used_ns() const {
  return line_time_ns + (last_ns ? *last_ns - *first_ns + std::llround(kGap_s * 1e9) : 0);
}

void Controller::Engine::start() {
  if (finished) return;
  began = std::chrono::steady_clock::now();
  empty_results.started_utc = now_utc();
  const Status prepared = prepare();
  if (!prepared) return finish(prepared.error().message, prepared.error().code);
  connect_nodes();
}

void Controller::Engine::post(std::function<void()> task) {
  QMetaObject::invokeMethod(&context, std::move(task), Qt::QueuedConnection);
}

void Controller::Engine::start_deadline(int milliseconds, std::function<void()> task) {
  deadline.stop();
  deadline.disconnect();
  QObject::connect(&deadline, &QTimer::timeout, &context, std::move(task));
  deadline.start(milliseconds);
}

double Controller::Engine::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

std::optional<std::size_t> Controller::Engine::direction_from(std::size_t sender) const {
  if (sender == 0) return plan.a_to_b ? std::optional<std::size_t>(0) : std::nullopt;
  if (!plan.b_to_a) return std::nullopt;
  return plan.a_to_b ? 1 : 0;
}

void Controller::Engine::stop(const Error& why) {
  if (finished) return;
  if (stopping || !in_round || failing) return finish(stopping.value_or(why).message, stopping.value_or(why).code);
  stopping = why;
  stop_sending();
}

void Controller::Engine::fail(const Error& error) {
  if (!finished && !failing) finish(error.message, error.code);
}

// The run is over, but what was measured and told before is still fetched from whoever is left.
void Controller::Engine::fail_when_drained(const Error& error) {
  if (!in_round || finished) return fail(error);
  breaking = false;
  if (!failing) {
    failing = error;
    start_deadline(kDrainMs, [this] { finish(failing->message, failing->code); });
  }
  advance();
}

void Controller::Engine::lose_what_is_under_way(const std::string& why) {
  for (const auto& [direction, planned] : ledger->under_way()) {
    const auto place = ledger->lose(direction, planned, as_plain_text("this was under way when the run ended: " + why));
    emit owner.measured(static_cast<int>(place.direction), static_cast<int>(place.stimulus));
  }
}

void Controller::Engine::finish(const std::string& reason, std::optional<ErrorCode> code) {
  if (finished) return;
  const std::string why = as_sentence_part(reason);
  finished = true;
  deadline.stop();
  if (!paired) lock.reset();  // nothing will be written
  if (ledger) {
    ledger->give_up_recordings();
    settle(true);
    if (code == ErrorCode::line_lost) lose_what_is_under_way(why);
    if (code) ledger->stop(stop_reason_of(*code));
    ledger->conclude();
    if (std::ranges::any_of(nodes, [](const ControlledNode& node) { return node.gone_since.has_value(); }))
      begin_loss();
    count_lost_time();
  }
  RunResults& results = ledger ? ledger->results() : empty_results;
  results.ended_because = why;
  results.started_utc = empty_results.started_utc;
  results.finished_utc = now_utc();
  results.wall_seconds = earlier_wall_s + elapsed_s();
  for (ControlledNode& node : nodes) {
    results.line_seconds = std::max(results.line_seconds, static_cast<double>(node.used_ns()) * 1e-9);
    if (!node.client) continue;
    if (!node.gone && node.session_open) node.client->request("session.close", Json::object(), [](const auto&) {});
    node.client->close();
  }
  post([this, why, code] { emit owner.finished(QString::fromStdString(why), code ? static_cast<int>(*code) : 0); });
}

}  // namespace vqas
