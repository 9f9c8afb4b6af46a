// Notifications from the nodes about a round.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "node/controller/call_recovery.h"
#include "node/controller/node_links.h"
#include "node/controller/recording_fetcher.h"
#include "node/controller/round_break.h"
#include "node/controller/run_engine.h"
#include "node/controller/run_rounds.h"
#include "receive/overdue_mark.h"
#include "run/measurement_limits.h"
#include "vqas/node/signalling_files.h"

namespace vqas {
namespace {

using Clock = std::chrono::steady_clock;

// After a departure: longer than the mark itself and the delay of most lines. The direction's own delay is added once
// it is known.
constexpr double kMarkDue_s = 4;

}  // namespace

void RunRounds::notified(std::size_t node, const std::string& method, const Json& params) {
  if (run_.finished()) return;
  if (method == "session.ended") return session_ended(node, params);
  if (method == "round.failed") {
    const auto failed = round_failed_from(params);
    if (failed) return round_failed(node, *failed);
    return run_.links().refuse(node, failed.error());
  }
  if (const Status lawful = take(node, method, params); !lawful) return run_.links().refuse(node, lawful.error());
  advance();
}

Status RunRounds::take(std::size_t node, const std::string& method, const Json& params) {
  if (method == "measurement") return take_measurement(node, params);
  if (method == "sent") return take_departure(node, params);
  if (method == "played") return take_played(node, params);
  if (method == "silence") return take_silence(node, params);
  if (method == "line.warning") return take_warning(node, params);
  if (method == "line.trace") return take_trace(node, params);
  if (method == "round.done") return take_round_end(node, params);
  return success();
}

void RunRounds::round_failed(std::size_t node, const RoundFailed& failed) {
  nodes_.at(node).done = true;  // it has reported its measurements
  if (failed.line_time_ns) nodes_.at(node).time.told_total(*failed.line_time_ns);
  const std::string why = run_.links().name(node) + ": " + failed.message;
  CallRecovery& recovery = run_.recovery();
  if (failed.line_lost && recovery.has_redial() && in_round_) return recovery.pause_for_call(why);
  recovery.wait_for_line({failed.line_lost ? ErrorCode::line_lost : ErrorCode::io, why});
}

void RunRounds::session_ended(std::size_t node, const Json& params) {
  const Json why = params.is_object() ? params.value("message", Json()) : Json();
  run_.links().session_ended(node);
  run_.fail_when_drained({ErrorCode::line_lost, run_.links().name(node) + " ended the session: " +
                                                    as_plain_text(why.is_string() ? why.get<std::string>()
                                                                                  : std::string("no reason given"))});
}

Status RunRounds::take_measurement(std::size_t node, const Json& params, bool listed) {
  const auto received = received_measurement_from(params);
  if (!received) return received.error();
  if (const auto why = on_other_scale(received->measurement, run_.plan().mode))
    return Error{ErrorCode::protocol, "it sent an impossible measurement: it " + *why};
  if (received->arrived_at_ns && !nodes_.at(node).done) nodes_.at(node).time.told(*received->arrived_at_ns);
  const auto direction = run_.direction_from(1 - node);
  // A repeated report counts once.
  const bool sender_tells = !listed && !run_.links().gone(1 - node);
  if (!direction || !run_.ledger().received(*direction, *received, sender_tells)) return success();
  run_.broken_round().news();
  auto& left = departed_.at(*direction);
  left.erase(left.begin(), left.upper_bound(received->measurement.sequence));
  // Listed measurements are fetched together.
  if (run_.broken_round().under_way()) return success();
  if (!received->measurement.recording.empty()) run_.recordings().fetch(*direction, node, *received);
  return take_delay(*direction, received->measurement.sequence);
}

Status RunRounds::take_departure(std::size_t node, const Json& params) {
  const auto departure = departure_from(params);
  if (!departure) return departure.error();
  if (!nodes_.at(node).done) nodes_.at(node).time.told(departure->left_at_ns);
  const auto direction = run_.direction_from(node);
  if (!direction) return success();
  run_.ledger().left(*direction, *departure);
  departed_.at(*direction).emplace(departure->sequence, Clock::now());
  return take_delay(*direction, departure->sequence);
}

Status RunRounds::take_played(std::size_t node, const Json& params) {
  const auto played = played_from(params);
  if (!played) return played.error();
  if (const auto direction = run_.direction_from(node)) run_.ledger().played(*direction, *played);
  return success();
}

Status RunRounds::take_warning(std::size_t node, const Json& params) {
  const auto warning = warning_from(params);
  if (!warning) return warning.error();
  run_.notice(run_.links().name(node) + ": " + *warning);
  return success();
}

// A run is worth more than the trace of its calls.
Status RunRounds::take_trace(std::size_t node, const Json& params) {
  const auto entries = trace_from(params);
  if (!entries) return entries.error();
  const Status kept = SignallingFiles(run_.plan().folder).add(node == 0 ? End::a : End::b, *entries);
  if (!kept && !std::exchange(signalling_lost_, true)) run_.notice(kept.error().message);
  return success();
}

Status RunRounds::take_delay(std::size_t direction, std::uint32_t sequence) {
  const auto delay_ms = run_.ledger().delay_ms(direction, sequence);
  if (!delay_ms) return success();
  if (std::abs(*delay_ms) <= kLongestDelay_ms) {
    delay_s_.at(direction) = std::max(0.0, *delay_ms / 1000);
    return success();
  }
  // Each node reports its own clock; clocks that do not follow one another are no breach of the protocol, and the
  // ledger gives no delay.
  if (run_.ledger().delay_basis() == DelayBasis::synchronised) return success();
  return Error{ErrorCode::protocol, fmt::format("by its times transmission {} took {:.3g} ms, which is impossible; "
                                                "check whether its clock was set during the run",
                                                sequence, *delay_ms)};
}

// Only the sender reports when the mark was due: a receiver may wait long before that.
Status RunRounds::take_silence(std::size_t node, const Json& params) {
  const auto silence = silence_from(params);
  if (!silence) return silence.error();
  const auto direction = run_.direction_from(1 - node);
  if (!direction) return success();
  auto& left = departed_.at(*direction);
  left.erase(left.begin(), left.lower_bound(silence->sequence));
  if (left.empty()) return success();
  const std::chrono::duration<double> since = Clock::now() - left.begin()->second;
  if (since.count() < kMarkDue_s + delay_s_.at(*direction)) return success();
  const DirectionRun& run = run_.ledger().results().directions[*direction];
  // Where marks have come before, one of them may be spoilt while the speech behind it arrives. A dead line carries
  // no more than its noise.
  if (run_.ledger().ever_heard(*direction)) {
    std::uint32_t& sounded = sounded_.at(*direction);
    if (may_be_speech(silence->heard, run)) sounded = silence->sequence;
    if (sounded == silence->sequence) return success();
  }
  emit run_.owner().waiting({run.from, since.count(), silence->left_s, silence->heard});
  return success();
}

Status RunRounds::take_round_end(std::size_t node, const Json& params) {
  const auto done = round_done_from(params);
  if (!done) return done.error();
  nodes_.at(node).time.add_round(done->line_time_ns);
  if (done->number != number_) return success();
  node_done(node);
  run_.broken_round().news();
  nodes_.at(node).time.end_round();
  return success();
}

}  // namespace vqas
