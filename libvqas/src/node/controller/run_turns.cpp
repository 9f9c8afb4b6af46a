#include "node/controller/run_turns.h"

#include "node/controller/run_engine.h"

namespace vqas {

bool RunTurns::in_turn() const {
  return run_.line().real && run_.ledger().directions() == 2 && run_.ledger().results().duplex != Duplex::both;
}

bool RunTurns::plan_round(double used_s, std::size_t most) {
  RunLedger& ledger = run_.ledger();
  if (in_turn()) decide_duplex();
  if (!in_turn()) return ledger.plan_next_round(used_s, most);
  const bool probing = ledger.results().duplex == Duplex::automatic;
  if (ledger.plan_next_round(used_s, probing ? 1 : most, 1 - turn_)) {
    turn_ = 1 - turn_;
    return true;
  }
  return ledger.plan_next_round(used_s, most, turn_);
}

// Announces one turn ahead, when the current one is about to end; by then all results of the next direction are there.
// If that direction needs nothing more, the other one continues.
std::optional<RoundOrder> RunTurns::plan_ahead(double used_s) {
  RunLedger& ledger = run_.ledger();
  const std::size_t next = 1 - turn_;
  // If transmissions are not found, the wait at the end of a turn is unknown.
  const std::size_t lead = ledger.last_found(turn_) && ledger.last_found(next) ? kLead : 0;
  if (ledger.awaited_in(next) > 0 || ledger.awaited_in(turn_) > lead) return std::nullopt;
  const bool probing = ledger.results().duplex == Duplex::automatic;
  // After the probe of each direction the first one has another turn; the results known by then decide about both.
  if (probing && next == 1 && (probed_[1] || !ledger.due(1).empty())) return std::nullopt;
  const std::size_t most = !probing ? kLongestRound : next == 0 ? kLead : 1;
  RoundOrder order;
  if (ledger.plan_turn(next, most, order.due, used_s)) {
    turn_ = next;
    order.when = When::in_turn;
    return order;
  }
  return ledger.plan_ahead(kLead, order.due, used_s, turn_) ? std::optional(order) : std::nullopt;
}

void RunTurns::decide_duplex() {
  // An echo 40 dB lower is masked by the partner's speech, and affects no mark or score.
  constexpr double kHarmless_db = 40;
  Duplex& duplex = run_.ledger().results().duplex;
  if (duplex == Duplex::automatic) duplex = run_.plan().duplex;
  if (duplex != Duplex::automatic || !probed_[0] || !probed_[1]) return;
  bool echo = false;
  for (const DirectionRun& direction : run_.ledger().results().directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        echo = echo || one.echo_return_loss_db.value_or(kHarmless_db) < kHarmless_db;
      }
    }
  }
  duplex = echo ? Duplex::one : Duplex::both;
}

}  // namespace vqas
