#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "node/controller/node_line_time.h"
#include "node/controller/progress_report.h"
#include "node/controller/run_turns.h"
#include "node/wire/wire_json.h"

namespace vqas {

class RunEngine;

/// The rounds of a run: plans what the samplers need and requests it; the receivers' measurements come in and enter the
/// results. For one thread.
class RunRounds {
 public:
  explicit RunRounds(RunEngine& run) : run_(run), turns_(run), progress_(run, turns_) {}

  /// Plans and requests the next round; ends the run if nothing more is needed.
  void next_round();
  /// The same after a pause (Controller::hold()); does nothing unless next_round() was called in it.
  void carry_on();
  /// An empty round shows whether the line works.
  void try_line();
  /// Called after anything arrived: passes on what is complete, and continues when the round is over.
  void advance();
  /// Moves complete measurements to the results; `last`: also those without their departure.
  void settle(bool last);
  /// Ends the sending: each end finishes its transmission, and the other end then waits for no later one. For a run
  /// that is being stopped this has a deadline; one that is held waits for its nodes as always.
  void stop_sending();
  /// The current round is over, however it ended.
  void end_round();
  void begin_round() { in_round_ = true; }
  bool in_round() const { return in_round_; }

  /// The last requested round.
  std::uint64_t number() const { return number_; }
  /// The nodes know rounds up to this one.
  void number_from(std::uint64_t last) { number_ = std::max(number_, last); }
  /// A round was requested and not acknowledged.
  bool asked() const { return asked_ != 0; }
  void forget_request() { asked_ = 0; }
  void catch_up() { progress_.catch_up(); }

  /// Line time so far, of the end with the higher use, in s.
  double used_s() const;
  /// Line time of an earlier part of the run.
  void restore_line_time(double seconds);
  /// A node reported the total line time of its session; ignored if not a number.
  void told_total(std::size_t node, const Json& total_ns);
  /// Its part of the round is over.
  void node_done(std::size_t node);

  // run_rounds_intake.cpp. Those with a status fail with protocol when a node's report is impossible.
  void notified(std::size_t node, const std::string& method, const Json& params);
  /// `listed`: from a list, not a new notice, so departures may still be on their way.
  Status take_measurement(std::size_t node, const Json& params, bool listed = false);
  Status take_departure(std::size_t node, const Json& params);

 private:
  enum class Part { expect, send, both };
  struct NodeRound {
    bool done = true;
    NodeLineTime time;
  };

  void plan_ahead();
  void run_round(const RoundOrder& order);
  void ask_round(const RoundOrder& order, Part part, const std::function<void()>& then);
  RoundRequest request_for(std::size_t node, const RoundOrder& order, Part part) const;
  void refused(const Error& why);
  bool has_caught_up() const;
  bool round_over() const;
  void end_or_continue();

  Status take(std::size_t node, const std::string& method, const Json& params);
  Status take_played(std::size_t node, const Json& params);
  Status take_warning(std::size_t node, const Json& params);
  Status take_trace(std::size_t node, const Json& params);
  Status take_round_end(std::size_t node, const Json& params);
  Status take_silence(std::size_t node, const Json& params);
  void round_failed(std::size_t node, const RoundFailed& failed);
  void session_ended(std::size_t node, const Json& params);
  Status take_delay(std::size_t direction, std::uint32_t sequence);

  RunEngine& run_;
  RunTurns turns_;
  ProgressReport progress_;
  std::array<NodeRound, 2> nodes_;
  std::uint64_t number_ = 0;
  std::optional<std::uint64_t> cut_short_;  // the last round whose sending was ended
  std::uint64_t asked_ = 0;                 // requested and not acknowledged; 0: none
  bool in_round_ = false, waits_for_operator_ = false;
  bool signalling_lost_ = false;  // and told
  // By direction: report times of departures of which nothing has arrived.
  std::array<std::map<std::uint32_t, std::chrono::steady_clock::time_point>, 2> departed_;
  // By direction: the last overdue transmission during which its receiver heard what may be its speech.
  std::array<std::uint32_t, 2> sounded_{};
  std::array<double, 2> delay_s_{};  // of each direction's last transmission that has one; 0: not known yet
};

}  // namespace vqas
