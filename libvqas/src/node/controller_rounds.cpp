// Rounds: what the samplers want goes out, what the receivers measured comes in.
#include <fmt/format.h>

#include <QByteArray>
#include <algorithm>
#include <cmath>
#include <utility>

#include "node/controller_engine.h"
#include "node/measurement_limits.h"
#include "node/node_archive.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

// What is under way when a run is cancelled: a transmission in real time, and its score.
constexpr int kCancelMs = 15000;

}  // namespace

void Controller::Engine::next_round() {
  const double used_s = static_cast<double>(std::max(nodes[0].used_ns(), nodes[1].used_ns())) * 1e-9;
  if (!ledger->plan_next_round(used_s)) return finish({}, std::nullopt);
  ++round_number;
  in_round = true;
  for (ControlledNode& node : nodes) node.round_done = false;
  for (std::size_t n = 0; n < 2 && !finished; ++n) {
    nodes[n].client->request("round.run", to_json(request_for(n)), [this](const Result<Json>& answer) {
      if (!answer) fail(answer.error());
    });
  }
  report_progress();
}

RoundRequest Controller::Engine::request_for(std::size_t node) const {
  RoundRequest request;
  request.number = round_number;
  if (const auto direction = direction_from(node)) {
    for (const Planned& one : ledger->due(*direction)) {
      request.send.push_back({ledger->stimuli()[one.stimulus], one.sequence});
    }
  }
  if (const auto direction = direction_from(1 - node)) {
    for (const Planned& one : ledger->due(*direction)) {
      request.expect.push_back({ledger->stimuli()[one.stimulus], one.sequence, plan.within_s});
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
  } else if (method == "round.done") {
    lawful = take_round_end(node, params);
  } else if (method == "round.failed") {
    const auto failed = round_failed_from(params);
    if (failed) {
      nodes[node].round_done = true;  // it has told what it measured
      return fail_when_drained({failed->line_lost ? ErrorCode::line_lost : ErrorCode::io,
                                nodes[node].client->name() + ": " + failed->message});
    }
    lawful = failed.error();
  }
  if (!lawful) return nodes[node].client->give_up(lawful.error());
  advance();
}

Status Controller::Engine::take_measurement(std::size_t node, const Json& params) {
  const auto received = received_measurement_from(params);
  if (!received) return received.error();
  if (received->arrived_at_ns && !nodes[node].round_done) nodes[node].told(*received->arrived_at_ns);
  const auto direction = direction_from(1 - node);
  // One that is told twice counts once.
  if (!direction || !ledger->received(*direction, *received)) return success();
  if (!received->measurement.recording.empty()) fetch(*direction, node, *received);
  return check_delay(*direction, received->measurement.sequence);
}

Status Controller::Engine::take_departure(std::size_t node, const Json& params) {
  const auto departure = departure_from(params);
  if (!departure) return departure.error();
  if (!nodes[node].round_done) nodes[node].told(departure->left_at_ns);
  const auto direction = direction_from(node);
  if (!direction) return success();
  ledger->left(*direction, departure->sequence, departure->left_at_ns);
  return check_delay(*direction, departure->sequence);
}

Status Controller::Engine::check_delay(std::size_t direction, std::uint32_t sequence) const {
  const auto delay_ms = ledger->delay_ms(direction, sequence);
  if (!delay_ms || std::abs(*delay_ms) <= kLongestDelay_ms) return success();
  return Error{ErrorCode::protocol,
               fmt::format("it told a time that makes the delay of transmission {} {:.3g} ms", sequence, *delay_ms)};
}

Status Controller::Engine::take_round_end(std::size_t node, const Json& params) {
  const auto done = round_done_from(params);
  if (!done) return done.error();
  if (done->number != round_number) return success();
  nodes[node].round_done = true;
  nodes[node].line_time_ns += done->line_time_ns;
  nodes[node].first_ns.reset();
  nodes[node].last_ns.reset();
  return success();
}

void Controller::Engine::fetch(std::size_t direction, std::size_t node, const ReceivedMeasurement& received) {
  nodes[node].client->request("recording.get", {{"name", received.measurement.recording}},
                              [this, direction, node, received](const Result<Json>& answer) {
                                if (finished) return;
                                if (!answer) return fail(answer.error());
                                const Json encoded = answer->value("base64", Json());
                                if (!encoded.is_string())
                                  return nodes[node].client->give_up({ErrorCode::protocol, "it sent no recording"});
                                const auto bytes =
                                    QByteArray::fromBase64(QByteArray::fromStdString(encoded.get<std::string>()));
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
      advance();
    });
  });
}

void Controller::Engine::settle(bool last) {
  while (const auto place = ledger->settle_next(last)) {
    emit owner.measured(static_cast<int>(place->direction), static_cast<int>(place->stimulus));
  }
}

void Controller::Engine::report_progress() {
  RunProgress progress;
  progress.measured = ledger->measured();
  progress.expected_total = ledger->expected_total();
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - measuring_since).count();
  progress.remaining_s = -1;
  if (progress.measured > 0) {
    progress.remaining_s = spent * static_cast<double>(progress.expected_total - progress.measured) /
                           static_cast<double>(progress.measured);
  }
  emit owner.progressed(progress);
}

// Everything that will come has come, and is on the disk.
bool Controller::Engine::round_over() const {
  for (std::size_t n = 0; n < 2; ++n) {
    if (nodes[n].gone) continue;
    const auto direction = direction_from(1 - n);
    if (!nodes[n].round_done || (direction && ledger->unfetched(*direction) > 0)) return false;
  }
  return writing == 0;
}

// After anything came: hands on what is complete, and goes on when the round is over.
void Controller::Engine::advance() {
  if (finished || !in_round) return;
  const std::size_t before = ledger->measured();
  settle(failing.has_value());
  if (ledger->measured() != before) report_progress();
  if (finished) return;
  if (!round_over()) return;
  if (failing) return finish(failing->message, failing->code);
  if (cancelling) return finish("the run was cancelled; what was measured until then is kept", ErrorCode::cancelled);
  if (!ledger->round_complete()) return fail({ErrorCode::protocol, "a node left out a measurement that was due"});
  next_round();
}

// Each end finishes what it is sending; the other end then waits for nothing later.
void Controller::Engine::stop_sending() {
  start_deadline(kCancelMs, [this] { cancel(); });
  for (std::size_t n = 0; n < 2; ++n) {
    if (nodes[n].gone) continue;
    nodes[n].client->request("round.cancel", Json::object(), [this, n](const Result<Json>& answer) {
      if (finished || nodes[1 - n].gone) return;
      const Json last = answer ? answer->value("last_sent", Json()) : Json();
      if (!last.is_number_unsigned()) return cancel();
      nodes[1 - n].client->request("round.listen_until", {{"sequence", last}}, [](const auto&) {});
    });
  }
}

}  // namespace vqas
