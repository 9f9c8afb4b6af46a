#pragma once

#include <QObject>
#include <QTimer>
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "node/controller/node_client.h"
#include "node/controller/run_ledger.h"
#include "node/controller/run_pace.h"
#include "node/play/worker.h"
#include "run/session_log.h"
#include "vqas/node/controller.h"

namespace vqas {

/// What the two ends are, to the controller.
struct ControlledNode {
  std::unique_ptr<NodeClient> client;
  std::string hello;         ///< what it says of itself, as text (destroying Json may throw); empty: nothing yet
  bool takes_turns = false;  ///< by itself, as it says
  std::uint64_t last_round = 0;
  bool session_open = false;
  bool round_done = true;
  bool gone = false;     ///< its connection is closed
  bool listing = false;  ///< it is there again, and was asked what it has
  bool listed = false;   ///< since the round was broken off, it told all that it has
  std::optional<std::chrono::steady_clock::time_point> gone_since;
  bool gone_told = false;                         ///< to the operators, that it is out of reach
  int tries = 0;                                  ///< to reach it again
  std::int64_t line_time_ns = 0;                  ///< of the rounds that it has finished
  std::int64_t counted_ns = 0;                    ///< of what it told of its session's whole
  std::optional<std::int64_t> first_ns, last_ns;  ///< least and greatest time it told in a round that is not finished

  void told(std::int64_t time_ns);
  /// It told how long its session has used the line in all; it counts from 0 again after it was started anew.
  void told_total(std::int64_t total_ns);
  /// Line time used so far. Of a round that is not finished only what was told can be known: from the silence before
  /// its first transmission to the beginning of its last one.
  std::int64_t used_ns() const;
};

/// The work of Controller: connects, pairs, runs rounds, ends.
struct Controller::Engine {
  Engine(Controller& owner, RunPlan plan);

  void start();
  void stop(const Error& why);

  // controller_pairing.cpp
  Status prepare();
  Status prepare_session();
  void hello(std::size_t node);
  Json hello_of(std::size_t node) const;
  void pair();
  Status check_pair() const;
  std::uint32_t choose_run_id() const;
  void open_sessions();
  Status describe_line();
  void describe_clocks(const Json& a, const Json& b);
  double compare_clocks(const Json& a, const Json& b);

  // controller_link.cpp
  void connect_nodes();
  void open_client(std::size_t node);
  bool waits_for_start(std::size_t node, const Error& error);
  void lost(std::size_t node, const Error& error);
  void reach_again(std::size_t node);
  void tell_out_of_reach(std::size_t node, const std::string& why);
  void tell_there_again(std::size_t node, bool lost_the_round);
  void came_back(std::size_t node);
  void ask(std::size_t node, const std::string& method, const Json& params, NodeClient::Reply reply);
  void synchronise(std::size_t node, const Json& listed);
  bool has_round(const Json& listed) const;
  void broken(const Error& why);
  void begin_break();
  void break_round();
  void list_results(std::size_t node);
  void end_break();
  void lose_what_left();

  // controller_rounds.cpp
  Json session_params() const;
  void begin_rounds();
  double used_s() const;  ///< line time so far, of the end that used more
  void next_round();
  /// How a round is asked for: at once, or when all that was asked for before has left and come.
  enum class When { at_once, in_turn };
  void run_round(const std::vector<std::vector<Planned>>& due, When when = When::at_once);
  void plan_ahead();
  enum class Part { expect, send, both };
  void ask_round(const std::vector<std::vector<Planned>>& due, Part part, When when, const std::function<void()>& then);
  void refused(const Error& why);
  RoundRequest request_for(std::size_t node, const std::vector<std::vector<Planned>>& due, Part part, When when) const;
  void notified(std::size_t node, const std::string& method, const Json& params);
  // These fail with protocol when what the node told cannot be.
  /// `listed`: it is no news, and departures may still be on their way.
  Status take_measurement(std::size_t node, const Json& params, bool listed = false);
  Status take_departure(std::size_t node, const Json& params);
  Status take_round_end(std::size_t node, const Json& params);
  Status take_silence(std::size_t node, const Json& params);
  Status check_delay(std::size_t direction, std::uint32_t sequence) const;
  void fetch(std::size_t direction, std::size_t node, const ReceivedMeasurement& received, int tries = 0);
  void keep(std::size_t direction, const ReceivedMeasurement& received, std::string bytes);
  void advance();
  bool has_caught_up() const;
  bool round_over() const;
  void settle(bool last);
  /// Line time of a round by that of its directions: of two at a time the one that has more to do decides.
  double together(double a, double b) const { return in_turn() ? a + b : std::max(a, b); }
  WorkLeft work_left() const;
  void begin_pace();
  void report_progress();
  void stop_sending();

  // controller_turns.cpp
  /// Whether the directions take turns, or may have to.
  bool in_turn() const;
  /// The nodes begin a turn by themselves when the one before is over.
  bool nodes_take_turns() const { return std::ranges::all_of(nodes, &ControlledNode::takes_turns); }
  bool plan_round();
  void plan_next_turn();
  void decide_duplex();

  // controller_recovery.cpp
  bool has_redial() const;
  bool can_recover() const;
  void watch_call(const RunLedger::Place& place);
  void watch_level(const RunLedger::Place& place);
  void pause_for_call(const std::string& why);
  double patience_left_s() const;
  void wait_for_line(const Error& why);
  void begin_loss();
  void redial();
  void wait_for_call();
  void try_call_in(double seconds);
  void call_is_back();
  void count_lost_time();
  void tell_operators(const std::string& message);
  void ask_to_tell(const Json& params);

  // controller_engine.cpp
  void fail(const Error& error);
  void fail_when_drained(const Error& error);
  void lose_what_is_under_way(const std::string& why);
  void finish(const std::string& reason, std::optional<ErrorCode> code);
  std::optional<std::size_t> direction_from(std::size_t sender) const;
  /// A task for this thread, from another; dropped when the engine is gone.
  void post(std::function<void()> task);
  void start_deadline(int milliseconds, std::function<void()> task);
  double elapsed_s() const;

  Controller& owner;
  const RunPlan plan;
  std::optional<RunLedger> ledger;
  std::array<ControlledNode, 2> nodes;
  std::string corpus_digest;
  std::uint64_t round_number = 0;
  bool in_round = false, finished = false, paired = false;
  std::optional<Error> stopping;  // after what is in flight, and why
  bool virtual_time = true;       // the line's clock waits for the controller
  bool breaking = false;          // the round is given up; what the nodes have of it is fetched
  std::uint64_t asked = 0;        // the round that was asked for and not acknowledged; 0: none
  std::optional<std::chrono::steady_clock::time_point> trouble_since;  // nothing has come since
  SessionRecord session;
  std::shared_ptr<RunLock> lock;  // until whoever commands has written what came of the run
  std::unique_ptr<SessionLog> session_log;
  std::vector<std::unique_ptr<NodeClient>> buried;  // lost clients, whose callbacks may still run
  double earlier_wall_s = 0;
  bool taking_up = false;    // what an earlier controller left at the nodes
  bool line_failed = false;  // by what a node tells of a round that it had then
  RunPace pace;
  bool catching_up = false;                  // with what a node measured while it was out of reach
  std::array<double, 2> settled_before_s{};  // by direction, when the round under way began
  std::optional<Error> failing;
  bool real_line = false;        // samples pass through devices, at the wall's pace
  std::array<bool, 2> probed{};  // by direction, for its echo
  std::size_t turn = 1;          // the direction that was asked for last, where one is measured at a time
  bool pausing = false;          // the call is gone, and is being made again
  bool waits_told = false;       // to the operators, for line or call
  bool never_heard = false;      // what is waited for has not been there yet
  std::string what_is_wrong;     // as the operators were told last
  // By direction: when transmissions were told to have left of which nothing has come.
  std::array<std::map<std::uint32_t, std::chrono::steady_clock::time_point>, 2> departed;
  std::string broken_because;                                       // the last round that was given up
  std::optional<std::chrono::steady_clock::time_point> lost_since;  // until a round succeeds
  int redials = 0;                                                  // since
  std::array<std::uint32_t, 2> level_told{};                        // by direction, the call whose level was told
  std::size_t writing = 0;                                          // recordings on their way to the disk
  RunResults empty_results;
  std::chrono::steady_clock::time_point began;
  QTimer deadline;
  QObject context;
  std::unique_ptr<Worker> writer;  // puts recordings on the disk; ends before `context`
};

}  // namespace vqas
