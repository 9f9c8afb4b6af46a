#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "node/controller/run_ledger.h"

namespace vqas {

class RunEngine;

/// What a run does when the call or the line is gone: stops, has it made again or waits for it, tries one measurement,
/// continues. Keeps how long that took. For one thread.
class CallRecovery {
 public:
  using Clock = std::chrono::steady_clock;

  explicit CallRecovery(RunEngine& run) : run_(run) {}

  /// There is a program that makes the call again.
  bool has_redial() const;
  /// Without one the operators make the call again, and the run waits for them.
  bool can_recover() const;

  /// After each measurement that has entered the results.
  void watch(const RunLedger::Place& place);
  /// What is under way says nothing of a line any more; what was heard of it as a whole still counts.
  void pause_for_call(const std::string& why);
  /// A line that a node cannot use any more: the next round opens it again.
  void wait_for_line(const Error& why);
  /// The call is gone, and is being made again.
  bool pausing() const { return pausing_; }
  /// The same of one that has not been there yet: nothing of it can be lost.
  bool pausing_before_first_mark() const { return pausing_ && never_heard_; }
  /// Nothing is under way any more: has the call made again.
  void make_call();

  /// The line, or a node, is out of use until a round succeeds.
  bool losing() const { return lost_since_.has_value(); }
  /// From when a node that is still out of reach was lost, if there is one; else from now on.
  void begin_loss();
  void begin_loss_at(std::optional<Clock::time_point> since);
  void count_lost_time();
  /// A whole round was measured without a loss.
  void round_succeeded();

 private:
  void watch_call(const RunLedger::Place& place);
  void watch_level(const RunLedger::Place& place);
  double patience_left_s() const;
  void run_redial();
  void redialled(const std::string& fault);
  void wait_for_call();
  void try_call_in(double seconds);
  void tell_paused(const std::string& message);

  RunEngine& run_;
  bool pausing_ = false;
  bool waits_told_ = false;                      // to the operators, for line or call
  bool never_heard_ = false;                     // what is waited for has not been there yet
  std::string what_is_wrong_;                    // as the operators were told last
  std::optional<Clock::time_point> lost_since_;  // until a round succeeds
  int redials_ = 0;                              // since
  std::array<std::uint32_t, 2> level_told_{};    // by direction, the call whose level was told
};

}  // namespace vqas
