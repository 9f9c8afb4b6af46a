#pragma once

#include <array>

#include "node/controller/run_pace.h"

namespace vqas {

class RunEngine;
class RunTurns;

/// How far a run has come and how long it will take, for its owner. For one thread.
class ProgressReport {
 public:
  ProgressReport(RunEngine& run, const RunTurns& turns) : run_(run), turns_(turns) {}

  /// A round begins, or another way of taking turns.
  void begin_round();
  /// What comes from here on a node measured while it was out of reach: it says nothing of the pace.
  void catch_up() { catching_up_ = true; }
  bool catching_up() const { return catching_up_; }
  void caught_up() { catching_up_ = false; }
  /// Tells the owner; `in_round`: a round is under way. `used_s`: line time so far.
  void tell(bool in_round, double used_s);

 private:
  double together(double a, double b) const;
  WorkLeft work_left(double used_s) const;

  RunEngine& run_;
  const RunTurns& turns_;
  RunPace pace_;
  bool catching_up_ = false;
  std::array<double, 2> settled_before_s_{};  // by direction, when the round under way began
};

}  // namespace vqas
