#include "node/controller/run_rounds.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "node/controller/call_recovery.h"
#include "node/controller/node_links.h"
#include "node/controller/recording_fetcher.h"
#include "node/controller/round_break.h"
#include "node/controller/run_engine.h"

namespace vqas {
namespace {

// Time left for the current transmission when a run is cancelled: its duration in real time, and its score.
constexpr int kCancelMs = 15000;
constexpr int kAnswerMs = 3000;  // beyond two satellite hops and a busy machine

}  // namespace

double RunRounds::used_s() const {
  return static_cast<double>(std::max(nodes_[0].time.used_ns(), nodes_[1].time.used_ns())) * 1e-9;
}

void RunRounds::restore_line_time(double seconds) {
  for (NodeRound& node : nodes_) node.time.restore(std::llround(seconds * 1e9));
}

void RunRounds::told_total(std::size_t node, const Json& total_ns) {
  if (total_ns.is_number_unsigned()) nodes_.at(node).time.told_total(total_ns.get<std::int64_t>());
}

void RunRounds::node_done(std::size_t node) {
  nodes_.at(node).done = true;
  if (const auto direction = run_.direction_from(node)) run_.ledger().sender_finished(*direction);
}

void RunRounds::next_round() {
  if (run_.held()) {
    in_round_ = false;
    waits_for_operator_ = true;
    emit run_.owner().held();
    return;
  }
  // After a loss one measurement each way shows whether marks and level are back.
  const std::size_t most = run_.recovery().losing() ? 1 : kLongestRound;
  if (!turns_.plan_round(used_s(), most)) return run_.finish({}, std::nullopt);
  in_round_ = true;
  progress_.begin_round();
  RoundOrder order;
  for (std::size_t d = 0; d < run_.ledger().directions(); ++d) {
    const auto& due = run_.ledger().due(d);
    order.due.emplace_back(due.begin(), due.end());
  }
  run_round(order);
}

void RunRounds::carry_on() {
  if (std::exchange(waits_for_operator_, false)) next_round();
}

void RunRounds::try_line() {
  in_round_ = true;
  ask_round({std::vector<std::vector<Planned>>(run_.ledger().directions()), When::at_once}, Part::both, {});
}

void RunRounds::end_round() {
  in_round_ = false;
  progress_.tell(in_round_, used_s());
}

// The plan is on disk before a node is asked, so that no number is reused after a kill.
void RunRounds::run_round(const RoundOrder& order) {
  if (const Status kept = run_.keep_round(used_s()); !kept) return run_.fail(kept.error());
  if (run_.line().virtual_time) {
    ask_round(order, Part::both, {});
  } else {
    // A receiver must know of a transmission before it arrives.
    ask_round(order, Part::expect, [this, order] { ask_round(order, Part::send, {}); });
  }
  progress_.tell(in_round_, used_s());
}

void RunRounds::ask_round(const RoundOrder& order, Part part, const std::function<void()>& then) {
  ++number_;
  for (NodeRound& node : nodes_) node.done = false;
  const auto waiting = std::make_shared<int>(2);
  asked_ = number_;
  for (std::size_t n = 0; n < 2 && !run_.finished(); ++n) {
    run_.links().ask(n, "round.run", to_json(request_for(n, order, part)),
                     [this, waiting, then, number = number_](const Result<Json>& answer) {
                       if (run_.finished() || run_.broken_round().under_way() || number != number_) return;
                       if (!answer) return refused(answer.error());
                       if (--*waiting > 0) return;
                       if (then) return then();
                       asked_ = 0;
                       advance();
                     });
  }
}

void RunRounds::refused(const Error& why) {
  if (why.code != ErrorCode::line_lost) return run_.fail(why);
  if (run_.recovery().has_redial()) return run_.recovery().pause_for_call(why.message);
  run_.recovery().wait_for_line(why);
}

// On a line in real time the next transmissions wait at the node before the last ones have left.
void RunRounds::plan_ahead() {
  if (run_.line().virtual_time || asked() || run_.held() || run_.stopping() || run_.failing() ||
      run_.recovery().losing())
    return;
  if (turns_.in_turn()) {
    if (!run_.links().take_turns()) return;
    turns_.decide_duplex();
    if (turns_.in_turn()) {
      if (const auto order = turns_.plan_ahead(used_s())) run_round(*order);
      return;
    }
    progress_.begin_round();
  }
  RoundOrder order;
  if (run_.ledger().plan_ahead(kLead, order.due, used_s())) run_round(order);
}

RoundRequest RunRounds::request_for(std::size_t node, const RoundOrder& order, Part part) const {
  RoundRequest request;
  request.number = number_;
  request.in_turn = order.when == When::in_turn;
  const RunLedger& ledger = run_.ledger();
  const double patience_s = run_.plan().within_s;
  const auto outgoing = run_.direction_from(node), incoming = run_.direction_from(1 - node);
  if (outgoing && part != Part::expect) {
    for (const Planned& one : order.due[*outgoing])
      request.send.push_back({ledger.stimuli()[one.stimulus], one.sequence});
  }
  if (!incoming || part == Part::send) return request;
  for (const Planned& one : order.due[*incoming])
    request.expect.push_back({ledger.stimuli()[one.stimulus], one.sequence, patience_s});
  // The end that begins a turn may have waited in vain for each one still awaited from the previous turn.
  if (request.in_turn && !request.expect.empty()) {
    const double awaited = outgoing ? static_cast<double>(ledger.awaited_in(*outgoing)) : 0;
    const double within_s = awaited * (patience_s + ledger.longest_s()) + patience_s + 1;
    request.expect.front().within_s = std::min(within_s, kLongestWait_s);
  }
  return request;
}

void RunRounds::settle(bool last) {
  while (const auto place = run_.ledger().settle_next(last)) {
    turns_.settled(place->direction);
    run_.announce(*place);
    run_.recovery().watch(*place);
  }
}

// What a node reported when it was back is on disk.
bool RunRounds::has_caught_up() const {
  if (run_.recordings().writing() || run_.broken_round().any_listing()) return false;
  for (std::size_t d = 0; d < run_.ledger().directions(); ++d) {
    if (run_.ledger().unfetched(d) > 0) return false;
  }
  return !run_.links().any_gone();
}

// Everything that will arrive has arrived, and is on disk.
bool RunRounds::round_over() const {
  for (std::size_t n = 0; n < 2; ++n) {
    const bool gone = run_.links().gone(n);
    // Without patience the run waits for nothing; else the node comes back, or the run fails.
    if (gone && (run_.failing() || run_.plan().link_patience_s <= 0)) continue;
    if (gone) return false;
    const auto direction = run_.direction_from(1 - n);
    if (!nodes_.at(n).done || (direction && run_.ledger().unfetched(*direction) > 0)) return false;
  }
  return !run_.recordings().writing() && (!asked() || run_.failing() || run_.stopping());
}

void RunRounds::advance() {
  if (run_.finished() || !in_round_ || run_.broken_round().under_way()) return;
  const std::size_t before = run_.ledger().measured();
  settle(run_.failing().has_value() || round_over());
  if (run_.ledger().measured() != before) progress_.tell(in_round_, used_s());
  if (progress_.catching_up() && has_caught_up()) progress_.caught_up();
  if (run_.finished() || run_.broken_round().under_way()) return;
  // Not before both nodes have acknowledged the last request: each must know what it will not send or receive.
  if (run_.held() && !run_.stopping() && !run_.failing() && !asked() && cut_short_ != number_) stop_sending();
  plan_ahead();
  if (!run_.finished() && round_over()) end_or_continue();
}

void RunRounds::end_or_continue() {
  if (run_.failing()) return run_.finish(run_.failing()->message, run_.failing()->code);
  if (run_.stopping()) return run_.finish(run_.stopping()->message, run_.stopping()->code);
  // What a node did not send any more when the run was held is planned anew.
  if (cut_short_ == number_) run_.ledger().forget_missing();
  if (!run_.ledger().round_complete()) {
    return run_.fail({ErrorCode::protocol,
                      "a node reported a round as done without one of its measurements; resume the run, and install "
                      "the same release at both ends"});
  }
  run_.recovery().round_succeeded();
  next_round();
}

void RunRounds::stop_sending() {
  cut_short_ = number_;
  // When the run ends, a node that does not answer soon is dead or out of reach, and transmissions in progress to or
  // from it cannot be judged.
  const auto in_time = [this](int milliseconds) {
    if (run_.stopping()) run_.start_deadline(milliseconds, [this] { run_.stop(*run_.stopping()); });
  };
  in_time(kAnswerMs);
  const auto answered = std::make_shared<std::size_t>(0);
  for (std::size_t n = 0; n < 2; ++n) {
    run_.links().ask(n, "round.cancel", Json::object(), [this, n, in_time, answered](const Result<Json>& answer) {
      if (run_.finished() || run_.links().gone(1 - n)) return;
      if (++*answered == nodes_.size()) in_time(kCancelMs);
      const Json last = answer ? answer->value("last_sent", Json()) : Json();
      if (last.is_number_unsigned())
        return run_.links().ask(1 - n, "round.listen_until", {{"sequence", last}}, [](const auto&) {});
      if (run_.stopping()) run_.stop(*run_.stopping());
    });
  }
}

}  // namespace vqas
