#pragma once

#include <array>

#include "node/controller/run_pace.h"

namespace vqas {

class RunEngine;
class RunTurns;

/// Progress of a run and its time left, for its owner. For one thread.
class ProgressReport {
 public:
  ProgressReport(RunEngine& run, const RunTurns& turns) : run_(run), turns_(turns) {}

  /// A round begins, or the turns change.
  void begin_round();
  /// Measurements from here on were made by a node while it was out of reach: they say nothing about the pace.
  void catch_up() { catching_up_ = true; }
  bool catching_up() const { return catching_up_; }
  void caught_up() { catching_up_ = false; }
  /// Reports to the owner; `in_round`: a round is in progress. `used_s`: line time so far.
  void tell(bool in_round, double used_s);

 private:
  double together(double a, double b) const;
  WorkLeft work_left(double used_s) const;

  RunEngine& run_;
  const RunTurns& turns_;
  RunPace pace_;
  bool catching_up_ = false;
  std::array<double, 2> settled_before_s_{};  // by direction, at the beginning of the current round
};

}  // namespace vqas
