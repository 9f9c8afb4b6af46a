#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "vqas/calls/call_outcome.h"
#include "vqas/calls/calls_plan.h"
#include "vqas/calls/calls_summary.h"

namespace vqas {

/// One step of a rising number of calls.
struct RampStep {
  std::size_t at_once = 0;
  CallsSummary summary;  ///< of the calls that began and ended in the step, once so many were up
  bool held = false;
  std::string why;  ///< it did not hold, one sentence part
};

/// What a rising load showed.
struct RampFound {
  std::vector<RampStep> steps;
  std::optional<std::size_t> held;      ///< the last step that held; nothing: none did
  std::optional<std::size_t> not_held;  ///< the first that did not; nothing: the last step held
  bool by_this_machine = false;         ///< it did not hold because of this end's own lateness
  /// "held at 50 calls at a time, not at 100: …".
  std::string in_words() const;
};

/// Raises the number of calls in steps (1, 2, 5, 10, …) until one does not hold: its mean lies below the plan's limit,
/// more of its calls have no score than the plan allows, or this machine was late. For one thread.
class CallsRamp {
 public:
  /// `plan` has a ramp and passed validate().
  explicit CallsRamp(const CallsPlan& plan);

  /// Calls at a time that are wanted now.
  std::size_t at_once() const { return steps_[step_]; }
  /// So many calls are up at `now_s`. `usual_s`: how long a call lasts. Ends the step when enough calls have ended.
  void up(std::size_t calls, double now_s, double usual_s);
  void ended(const CallOutcome& call);
  bool done() const { return done_; }
  const RampFound& found() const { return found_; }

 private:
  void conclude();

  const CallsPlan plan_;
  std::vector<std::size_t> steps_;
  std::size_t step_ = 0;
  bool full_ = false, done_ = false;
  std::optional<double> began_s_;
  std::vector<CallOutcome> calls_;  // of this step; once it is full, without those that had ended well before
  RampFound found_;
};

}  // namespace vqas
