#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "node/controller/round_plan.h"

namespace vqas {

class RunEngine;

/// How a round is asked for: at once, or when all that was asked for before has left and come.
enum class When { at_once, in_turn };

/// What is asked of the nodes, by direction.
struct RoundOrder {
  std::vector<std::vector<Planned>> due;
  When when = When::at_once;
};

/// Directions that take turns: a line with an echo, or whose echo is not known yet. The next turn is told to the nodes
/// while the one before lasts. The end that is to send begins when it has heard the last of the other end, so a change
/// of direction costs the end of that capture (0.36 s behind the last mark) and the line's delay, and no round trip.
/// For one thread.
class RunTurns {
 public:
  explicit RunTurns(RunEngine& run) : run_(run) {}

  /// Whether the directions take turns, or may have to.
  bool in_turn() const;
  /// By the plan, or when each end has heard whether its own mark comes back.
  void decide_duplex();
  /// A measurement of this direction has entered the results.
  void settled(std::size_t direction) { probed_.at(direction) = true; }
  /// Plans the next round in the ledger, `most` transmissions of a direction at most; false where nothing is wanted.
  bool plan_round(double used_s, std::size_t most);
  /// While a turn lasts: what is told to the nodes now; nothing where it is too early, or nothing is wanted.
  std::optional<RoundOrder> plan_ahead(double used_s);

 private:
  RunEngine& run_;
  std::array<bool, 2> probed_{};  // by direction, for its echo
  std::size_t turn_ = 1;          // the direction that was asked for last, where one is measured at a time
};

}  // namespace vqas
