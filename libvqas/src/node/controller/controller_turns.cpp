// Directions that take turns: a line with an echo, or whose echo is not known yet. The next turn is told to the nodes
// while the one before lasts. Whoever is to send begins when it has heard the last of the other end, so a change of
// direction costs the end of that capture (0.36 s behind the last mark) and the line's delay, and no round trip.
#include "node/controller/controller_engine.h"

namespace vqas {

bool Controller::Engine::in_turn() const {
  return real_line && ledger->directions() == 2 && ledger->results().duplex != "both";
}

bool Controller::Engine::plan_round() {
  // After a loss one measurement each way shows whether marks and level are there again.
  const std::size_t most = lost_since ? 1 : kLongestRound;
  if (in_turn()) decide_duplex();
  if (!in_turn()) return ledger->plan_next_round(used_s(), most);
  const bool probing = ledger->results().duplex.empty();
  if (ledger->plan_next_round(used_s(), probing ? 1 : most, 1 - turn)) {
    turn = 1 - turn;
    return true;
  }
  return ledger->plan_next_round(used_s(), most, turn);
}

// One turn is told ahead, when the one under way is about to end; results of the direction whose turn it will be are
// all there by then. Where that direction wants nothing more the other one goes on.
void Controller::Engine::plan_next_turn() {
  if (!nodes_take_turns()) return;
  decide_duplex();
  if (!in_turn()) {
    begin_pace();
    return plan_ahead();
  }
  const std::size_t next = 1 - turn;
  // Where transmissions are not found nobody knows how long the end of a turn will be waited for.
  const std::size_t lead = ledger->last_found(turn) && ledger->last_found(next) ? kLead : 0;
  if (ledger->awaited_in(next) > 0 || ledger->awaited_in(turn) > lead) return;
  const bool probing = ledger->results().duplex.empty();
  // Behind the probe of each direction the first one goes on for a while; what is known by then decides about both.
  if (probing && next == 1 && (probed[1] || !ledger->due(1).empty())) return;
  const std::size_t most = !probing ? kLongestRound : next == 0 ? kLead : 1;
  std::vector<std::vector<Planned>> more;
  if (ledger->plan_turn(next, most, more, used_s())) {
    turn = next;
    return run_round(more, When::in_turn);
  }
  if (ledger->plan_ahead(kLead, more, used_s(), turn)) run_round(more);
}

// By the plan, or when each end has heard whether its own mark comes back.
void Controller::Engine::decide_duplex() {
  // What comes back 40 dB lower is masked by the partner's speech, and no mark or score is moved by it.
  constexpr double kHarmless_db = 40;
  std::string& duplex = ledger->results().duplex;
  if (!duplex.empty()) return;
  if (plan.duplex != Duplex::automatic) {
    duplex = plan.duplex == Duplex::both ? "both" : "one";
    return;
  }
  if (!probed[0] || !probed[1]) return;
  bool echo = false;
  for (const DirectionRun& direction : ledger->results().directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        echo = echo || one.echo_return_loss_db.value_or(kHarmless_db) < kHarmless_db;
      }
    }
  }
  duplex = echo ? "one" : "both";
}

}  // namespace vqas
