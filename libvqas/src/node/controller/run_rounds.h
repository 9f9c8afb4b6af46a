#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "node/controller/node_line_time.h"
#include "node/controller/progress_report.h"
#include "node/controller/run_turns.h"
#include "node/wire/wire_json.h"

namespace vqas {

class RunEngine;

/// The rounds of a run: what the samplers want is planned and asked for, what the receivers measured comes in and
/// enters the results. For one thread.
class RunRounds {
 public:
  explicit RunRounds(RunEngine& run) : run_(run), turns_(run), progress_(run, turns_) {}

  /// Plans the next round and asks for it; ends the run where nothing is wanted any more.
  void next_round();
  /// An empty round shows whether the line is there.
  void try_line();
  /// After anything came: hands on what is complete, and continues when the round is over.
  void advance();
  /// Moves what is complete to the results; `last`: also what lacks its departure.
  void settle(bool last);
  /// Ends the sending: each end finishes its transmission, and the other one then waits for nothing later.
  void stop_sending();
  /// The round under way is over, however it ended.
  void end_round();
  void begin_round() { in_round_ = true; }
  bool in_round() const { return in_round_; }

  /// The round that was asked for last.
  std::uint64_t number() const { return number_; }
  /// Rounds up to this one are known to the nodes.
  void number_from(std::uint64_t last) { number_ = std::max(number_, last); }
  /// A round was asked for and not acknowledged.
  bool asked() const { return asked_ != 0; }
  void forget_request() { asked_ = 0; }
  void catch_up() { progress_.catch_up(); }

  /// Line time so far, of the end that used more, in s.
  double used_s() const;
  /// What an earlier part of the run used.
  void restore_line_time(double seconds);
  /// A node told how long its session has used the line; ignored where it is no number.
  void told_total(std::size_t node, const Json& total_ns);
  /// Its part of the round is over.
  void node_done(std::size_t node);

  // run_rounds_intake.cpp. Those with a status fail with protocol when what the node told cannot be.
  void notified(std::size_t node, const std::string& method, const Json& params);
  /// `listed`: it is no news, and departures may still be on their way.
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
  Status take_round_end(std::size_t node, const Json& params);
  Status take_silence(std::size_t node, const Json& params);
  void round_failed(std::size_t node, const RoundFailed& failed);
  void session_ended(std::size_t node, const Json& params);
  Status check_delay(std::size_t direction, std::uint32_t sequence) const;

  RunEngine& run_;
  RunTurns turns_;
  ProgressReport progress_;
  std::array<NodeRound, 2> nodes_;
  std::uint64_t number_ = 0;
  std::uint64_t asked_ = 0;  // the round that was asked for and not acknowledged; 0: none
  bool in_round_ = false;
  // By direction: when transmissions were told to have left of which nothing has come.
  std::array<std::map<std::uint32_t, std::chrono::steady_clock::time_point>, 2> departed_;
};

}  // namespace vqas
