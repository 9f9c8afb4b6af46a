// Rounds: what the samplers want goes out, what the receivers measured comes in.
#include <fmt/format.h>

#include <QByteArray>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "node/controller/controller_engine.h"
#include "node/wire/node_archive.h"
#include "run/measurement_limits.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

// What is under way when a run is cancelled: a transmission in real time, and its score.
constexpr int kCancelMs = 15000;
constexpr int kAnswerMs = 3000;  // beyond two satellite hops and a busy machine
constexpr int kFetchTries = 60, kFetchAgainMs = 1000;
// Behind a departure: longer than any line's delay and the mark itself.
constexpr double kMarkDue_s = 4;

}  // namespace

double Controller::Engine::used_s() const {
  return static_cast<double>(std::max(nodes[0].used_ns(), nodes[1].used_ns())) * 1e-9;
}

void Controller::Engine::next_round() {
  if (!plan_round()) return finish({}, std::nullopt);
  in_round = true;
  begin_pace();
  std::vector<std::vector<Planned>> due;
  for (std::size_t d = 0; d < ledger->directions(); ++d) due.emplace_back(ledger->due(d).begin(), ledger->due(d).end());
  run_round(due);
}

// What is planned is on the disk before anybody is asked for it, so that no number is used again after a kill.
void Controller::Engine::run_round(const std::vector<std::vector<Planned>>& due, When when) {
  ledger->describe(session);
  session.line_seconds = used_s();
  session.wall_seconds = earlier_wall_s + elapsed_s();
  if (const Status kept = session_log->add_round(session); !kept) return fail(kept.error());
  if (virtual_time) {
    ask_round(due, Part::both, when, {});
  } else {
    // A receiver has to know what comes before it comes.
    ask_round(due, Part::expect, when, [this, due, when] { ask_round(due, Part::send, when, {}); });
  }
  report_progress();
}

void Controller::Engine::ask_round(const std::vector<std::vector<Planned>>& due, Part part, When when,
                                   const std::function<void()>& then) {
  ++round_number;
  for (ControlledNode& node : nodes) node.round_done = false;
  const auto waiting = std::make_shared<int>(2);
  asked = round_number;
  for (std::size_t n = 0; n < 2 && !finished; ++n) {
    ask(n, "round.run", to_json(request_for(n, due, part, when)),
        [this, waiting, then, number = round_number](const Result<Json>& answer) {
          if (finished || breaking || number != round_number) return;
          if (!answer) return refused(answer.error());
          if (--*waiting > 0) return;
          if (then) return then();
          asked = 0;
          advance();
        });
  }
}

void Controller::Engine::refused(const Error& why) {
  if (why.code != ErrorCode::line_lost) return fail(why);
  if (has_redial()) return pause_for_call(why.message);
  wait_for_line(why);
}

// On a line in real time the next transmissions wait at the node before the last ones are out.
void Controller::Engine::plan_ahead() {
  if (virtual_time || asked != 0 || stopping || failing || lost_since) return;
  if (in_turn()) return plan_next_turn();
  std::vector<std::vector<Planned>> more;
  if (ledger->plan_ahead(kLead, more, used_s())) run_round(more);
}

RoundRequest Controller::Engine::request_for(std::size_t node, const std::vector<std::vector<Planned>>& due, Part part,
                                             When when) const {
  RoundRequest request;
  request.number = round_number;
  request.in_turn = when == When::in_turn;
  const auto outgoing = direction_from(node), incoming = direction_from(1 - node);
  if (outgoing && part != Part::expect) {
    for (const Planned& one : due[*outgoing]) request.send.push_back({ledger->stimuli()[one.stimulus], one.sequence});
  }
  if (incoming && part != Part::send) {
    for (const Planned& one : due[*incoming]) {
      request.expect.push_back({ledger->stimuli()[one.stimulus], one.sequence, plan.within_s});
    }
    // Whoever begins a turn may have waited in vain for each that was still awaited of the one before.
    if (request.in_turn && !request.expect.empty()) {
      const double awaited = outgoing ? static_cast<double>(ledger->awaited_in(*outgoing)) : 0;
      const double within_s = awaited * (plan.within_s + ledger->longest_s()) + plan.within_s + 1;
      request.expect.front().within_s = std::min(within_s, kLongestWait_s);
    }
  }
  return request;
}

void Controller::Engine::notified(std::size_t node, const std::string& method, const Json& params) {
  if (finished) return;
  Status lawful = success();
  if (method == "measurement") {
    lawful = take_measurement(node, params);
  } else if (method == "sent") {
    lawful = take_departure(node, params);
  } else if (method == "played") {
    const auto played = played_from(params);
    const auto direction = direction_from(node);
    if (played && direction) ledger->played(*direction, *played);
    if (!played) lawful = played.error();
  } else if (method == "silence") {
    lawful = take_silence(node, params);
  } else if (method == "line.warning") {
    const auto warning = warning_from(params);
    if (warning) emit owner.noticed(QString::fromStdString(nodes[node].client->name() + ": " + *warning));
    if (!warning) lawful = warning.error();
  } else if (method == "round.done") {
    lawful = take_round_end(node, params);
  } else if (method == "round.failed") {
    const auto failed = round_failed_from(params);
    if (failed) {
      nodes[node].round_done = true;  // it has told what it measured
      if (failed->line_time_ns) nodes[node].told_total(*failed->line_time_ns);
      const std::string why = nodes[node].client->name() + ": " + failed->message;
      if (failed->line_lost && has_redial() && in_round) return pause_for_call(why);
      return wait_for_line({failed->line_lost ? ErrorCode::line_lost : ErrorCode::io, why});
    }
    lawful = failed.error();
  } else if (method == "session.ended") {
    const Json why = params.is_object() ? params.value("message", Json()) : Json();
    nodes[node].session_open = false;
    return fail_when_drained(
        {ErrorCode::line_lost,
         nodes[node].client->name() + " ended the session: " +
             as_plain_text(why.is_string() ? why.get<std::string>() : std::string("no reason given"))});
  }
  if (!lawful) return nodes[node].client->give_up(lawful.error());
  advance();
}

Status Controller::Engine::take_measurement(std::size_t node, const Json& params, bool listed) {
  const auto received = received_measurement_from(params);
  if (!received) return received.error();
  if (received->arrived_at_ns && !nodes[node].round_done) nodes[node].told(*received->arrived_at_ns);
  const auto direction = direction_from(1 - node);
  // One that is told twice counts once.
  if (!direction || !ledger->received(*direction, *received, !listed && !nodes[1 - node].gone)) return success();
  trouble_since.reset();
  // What is listed is fetched together.
  if (breaking) return success();
  if (!received->measurement.recording.empty()) fetch(*direction, node, *received);
  return check_delay(*direction, received->measurement.sequence);
}

Status Controller::Engine::take_departure(std::size_t node, const Json& params) {
  const auto departure = departure_from(params);
  if (!departure) return departure.error();
  if (!nodes[node].round_done) nodes[node].told(departure->left_at_ns);
  const auto direction = direction_from(node);
  if (!direction) return success();
  ledger->left(*direction, *departure);
  if (!ledger->ever_heard(*direction))
    departed.at(*direction).emplace(departure->sequence, std::chrono::steady_clock::now());
  return check_delay(*direction, departure->sequence);
}

Status Controller::Engine::check_delay(std::size_t direction, std::uint32_t sequence) const {
  const auto delay_ms = ledger->delay_ms(direction, sequence);
  if (!delay_ms || std::abs(*delay_ms) <= kLongestDelay_ms) return success();
  // Each node tells its own clock; that they do not follow one another is nobody's breach, and the ledger gives no
  // delay.
  if (ledger->delay_basis() == DelayBasis::synchronised) return success();
  return Error{
      ErrorCode::protocol,
      fmt::format(
          "by its times transmission {} took {:.3g} ms, which cannot be; see whether its clock was set during the run",
          sequence, *delay_ms)};
}

// Only the sender tells when the mark was due: a receiver may wait long before that.
Status Controller::Engine::take_silence(std::size_t node, const Json& params) {
  const auto silence = silence_from(params);
  if (!silence) return silence.error();
  const auto direction = direction_from(1 - node);
  if (!direction || ledger->ever_heard(*direction)) return success();
  auto& left = departed.at(*direction);
  left.erase(left.begin(), left.lower_bound(silence->sequence));
  if (left.empty()) return success();
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - left.begin()->second;
  if (since.count() < kMarkDue_s) return success();
  const DirectionRun& run = ledger->results().directions[*direction];
  emit owner.waiting({run.from, run.to, since.count(), silence->left_s, silence->heard});
  return success();
}

Status Controller::Engine::take_round_end(std::size_t node, const Json& params) {
  const auto done = round_done_from(params);
  if (!done) return done.error();
  nodes[node].line_time_ns += done->line_time_ns;
  nodes[node].counted_ns += done->line_time_ns;
  if (done->number != round_number) return success();
  nodes[node].round_done = true;
  if (const auto direction = direction_from(node)) ledger->sender_finished(*direction);
  trouble_since.reset();
  nodes[node].first_ns.reset();
  nodes[node].last_ns.reset();
  return success();
}

void Controller::Engine::fetch(std::size_t direction, std::size_t node, const ReceivedMeasurement& received,
                               int tries) {
  ask(node, "recording.get", {{"name", received.measurement.recording}},
      [this, direction, node, received, tries](const Result<Json>& answer) {
        if (finished) return;
        // The node has it, and its system does not let it be read now.
        if (!answer && answer.error().code == ErrorCode::io && tries < kFetchTries) {
          QTimer::singleShot(kFetchAgainMs, &context, [this, direction, node, received, tries] {
            const auto wanted = ledger->to_fetch(direction);
            const auto sequence = received.measurement.sequence;
            if (std::ranges::any_of(wanted, [&](const auto& one) { return one.measurement.sequence == sequence; }))
              fetch(direction, node, received, tries + 1);
          });
          return;
        }
        if (!answer) return fail(answer.error());
        const Json encoded = answer->value("base64", Json());
        if (!encoded.is_string()) return nodes[node].client->give_up({ErrorCode::protocol, "it sent no recording"});
        const auto bytes = QByteArray::fromBase64(QByteArray::fromStdString(encoded.get<std::string>()));
        keep(direction, received, bytes.toStdString());
      });
}

void Controller::Engine::keep(std::size_t direction, const ReceivedMeasurement& received, std::string bytes) {
  const DirectionRun& run = ledger->results().directions[direction];
  const std::uint32_t sequence = received.measurement.sequence;
  const std::string name =
      fmt::format("recordings/{}-to-{}-{}-{:04}.flac", run.from, run.to, as_file_name(received.stimulus), sequence);
  ++writing;
  writer->post([this, direction, sequence, name, path = plan.folder / name, bytes = std::move(bytes)] {
    const Status written = write_file_atomically(path, bytes);
    post([this, direction, sequence, name, written] {
      --writing;
      if (finished) return;
      if (!written) return fail(written.error());
      ledger->fetched(direction, sequence, name);
      if (breaking) return end_break();
      advance();
    });
  });
}

void Controller::Engine::settle(bool last) {
  while (const auto place = ledger->settle_next(last)) {
    probed.at(place->direction) = true;
    emit owner.measured(static_cast<int>(place->direction), static_cast<int>(place->stimulus));
    watch_call(*place);
    watch_level(*place);
  }
}

WorkLeft Controller::Engine::work_left() const {
  std::array<WorkLeft, 2> of;
  for (std::size_t d = 0; d < ledger->directions(); ++d) of.at(d) = ledger->work_left(d);
  WorkLeft work;
  work.round_s = together(of[0].round_s, of[1].round_s);
  work.later_s = std::max(0.0, together(of[0].round_s + of[0].later_s, of[1].round_s + of[1].later_s) - work.round_s);
  if (plan.cap_line_time_s > 0)
    work.later_s = std::min(work.later_s, std::max(0.0, plan.cap_line_time_s - used_s() - work.round_s));
  // On a line in real time the next round begins before the last one is over.
  if (work.later_s > 0 && (virtual_time || (in_turn() && !nodes_take_turns())))
    work.later_rounds =
        in_turn() ? of[0].later_rounds + of[1].later_rounds : std::max(of[0].later_rounds, of[1].later_rounds);
  return work;
}

void Controller::Engine::begin_pace() {
  catching_up = false;
  pace.round_begun(elapsed_s());
  for (std::size_t d = 0; d < ledger->directions(); ++d) settled_before_s.at(d) = ledger->settled_s(d);
}

void Controller::Engine::report_progress() {
  std::array<double, 2> settled{};
  for (std::size_t d = 0; d < ledger->directions(); ++d) settled.at(d) = ledger->settled_s(d) - settled_before_s.at(d);
  // What is fetched behind a break or from a node that was out of reach says nothing of the pace.
  if (catching_up) {
    pace.resumed(elapsed_s(), together(settled[0], settled[1]));
  } else if (in_round) {
    pace.came(elapsed_s(), together(settled[0], settled[1]));
  }
  RunProgress progress;
  progress.measured = ledger->measured();
  progress.expected_total = ledger->expected_total();
  progress.remaining_s = pace.left_s(elapsed_s(), work_left()).value_or(-1);
  emit owner.progressed(progress);
}

// Whatever a node told when it was there again is on the disk.
bool Controller::Engine::has_caught_up() const {
  if (writing > 0 || std::ranges::any_of(nodes, &ControlledNode::listing)) return false;
  for (std::size_t d = 0; d < ledger->directions(); ++d) {
    if (ledger->unfetched(d) > 0) return false;
  }
  return std::ranges::none_of(nodes, &ControlledNode::gone);
}

// Everything that will come has come, and is on the disk.
bool Controller::Engine::round_over() const {
  for (std::size_t n = 0; n < 2; ++n) {
    // Without patience nothing is waited for; else it comes back, or the run fails.
    if (nodes[n].gone && (failing || plan.link_patience_s <= 0)) continue;
    if (nodes[n].gone) return false;
    const auto direction = direction_from(1 - n);
    if (!nodes[n].round_done || (direction && ledger->unfetched(*direction) > 0)) return false;
  }
  return writing == 0 && (asked == 0 || failing || stopping);
}

// After anything came: hands on what is complete, and goes on when the round is over.
void Controller::Engine::advance() {
  if (finished || !in_round || breaking) return;
  const std::size_t before = ledger->measured();
  settle(failing.has_value() || round_over());
  if (ledger->measured() != before) report_progress();
  if (catching_up && has_caught_up()) catching_up = false;
  if (finished || breaking) return;
  plan_ahead();
  if (finished || !round_over()) return;
  if (failing) return finish(failing->message, failing->code);
  if (stopping) return finish(stopping->message, stopping->code);
  if (!ledger->round_complete())
    return fail({ErrorCode::protocol,
                 "a node reported a round as done without one of its measurements; resume the run, and install the "
                 "same release at both ends"});
  if (lost_since) call_is_back();
  next_round();
}

// Each end finishes what it is sending; the other end then waits for nothing later.
void Controller::Engine::stop_sending() {
  // A node that does not answer at once is dead or out of reach, and what is under way to or from it cannot be judged.
  start_deadline(kAnswerMs, [this] { stop(*stopping); });
  const auto answered = std::make_shared<std::size_t>(0);
  for (std::size_t n = 0; n < 2; ++n) {
    if (nodes[n].gone) continue;
    nodes[n].client->request("round.cancel", Json::object(), [this, n, answered](const Result<Json>& answer) {
      if (finished || nodes[1 - n].gone) return;
      if (++*answered == nodes.size()) start_deadline(kCancelMs, [this] { stop(*stopping); });
      const Json last = answer ? answer->value("last_sent", Json()) : Json();
      if (!last.is_number_unsigned()) return stop(*stopping);
      nodes[1 - n].client->request("round.listen_until", {{"sequence", last}}, [](const auto&) {});
    });
  }
}

}  // namespace vqas
