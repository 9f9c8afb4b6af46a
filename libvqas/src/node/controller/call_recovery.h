#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "node/controller/run_ledger.h"

namespace vqas {

class RunEngine;

/// What a run does when the call or the line is lost: it stops, or waits while the call is redialled, tries one
/// measurement, and continues. Counts the time that this took. For one thread.
class CallRecovery {
 public:
  using Clock = std::chrono::steady_clock;

  explicit CallRecovery(RunEngine& run) : run_(run) {}

  /// There is a command that redials the call.
  bool has_redial() const;
  /// Without one the operators redial, and the run waits for them.
  bool can_recover() const;

  /// Called after each measurement that has entered the results.
  void watch(const RunLedger::Place& place);
  /// Transmissions in progress no longer say anything about the line; those completely received still count.
  void pause_for_call(const std::string& why);
  /// A node cannot use the line any more: the next round opens it again.
  void wait_for_line(const Error& why);
  /// The call is lost and is being redialled.
  bool pausing() const { return pausing_; }
  /// The same for a call that never existed: nothing of it can be lost.
  bool pausing_before_first_mark() const { return pausing_ && never_heard_; }
  /// No transmission is in progress: redials the call.
  void make_call();

  /// The line, or a node, is unusable until a round succeeds.
  bool losing() const { return lost_since_.has_value(); }
  /// Counts the lost time from `since`, or else from now; ignored while it is counted.
  void begin_loss(std::optional<Clock::time_point> since = {});
  void count_lost_time();
  /// A complete round was measured without a loss.
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
  bool never_heard_ = false;                     // the awaited call or line has never worked so far
  std::string what_is_wrong_;                    // as last reported to the operators
  std::optional<Clock::time_point> lost_since_;  // until a round succeeds
  int redials_ = 0;                              // since
  std::array<std::uint32_t, 2> level_told_{};    // by direction, the call whose level was reported
};

}  // namespace vqas
