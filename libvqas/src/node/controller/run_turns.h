#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "node/controller/round_plan.h"

namespace vqas {

class RunEngine;

/// When a round begins: immediately, or when everything requested before has left and arrived.
enum class When { at_once, in_turn };

/// Requests to the nodes, by direction.
struct RoundOrder {
  std::vector<std::vector<Planned>> due;
  When when = When::at_once;
};

/// Directions that take turns: for a line with an echo, or with an unknown one. The next turn is announced to the nodes
/// during the current one. The end that sends next begins when it has received the end of the other's turn. A change of
/// direction thus costs the end of that capture (0.36 s after the last mark) and the line's delay, but no round trip.
/// For one thread.
class RunTurns {
 public:
  explicit RunTurns(RunEngine& run) : run_(run) {}

  /// Whether the directions take turns, or may have to.
  bool in_turn() const;
  /// Decides by the plan, or after each end has listened for an echo of its own mark.
  void decide_duplex();
  /// A measurement of this direction has entered the results.
  void settled(std::size_t direction) { probed_.at(direction) = true; }
  /// Plans the next round in the ledger, at most `most` transmissions of a direction; false if nothing is needed.
  bool plan_round(double used_s, std::size_t most);
  /// During a turn: requests to send to the nodes now; nothing if it is too early, or nothing is needed.
  std::optional<RoundOrder> plan_ahead(double used_s);

 private:
  RunEngine& run_;
  std::array<bool, 2> probed_{};  // by direction, for its echo
  std::size_t turn_ = 1;          // the last requested direction, if one is measured at a time
};

}  // namespace vqas
