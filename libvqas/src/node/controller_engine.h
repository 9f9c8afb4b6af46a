#pragma once

#include <QObject>
#include <QTimer>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "node/node_client.h"
#include "node/run_ledger.h"
#include "node/worker.h"
#include "vqas/node/controller.h"

namespace vqas {

/// What the two ends are, to the controller.
struct ControlledNode {
  std::unique_ptr<NodeClient> client;
  Json hello;
  std::uint64_t last_round = 0;
  bool session_open = false;
  bool round_done = true;
  bool gone = false;                              ///< its connection is closed
  std::int64_t line_time_ns = 0;                  ///< of the rounds that it has finished
  std::optional<std::int64_t> first_ns, last_ns;  ///< least and greatest time it told in a round that is not finished

  void told(std::int64_t time_ns);
  /// Line time used so far. Of a round that is not finished only what was told can be known: from the silence before
  /// its first transmission to the beginning of its last one.
  std::int64_t used_ns() const;
};

/// The work of Controller: connects, pairs, runs rounds, ends.
struct Controller::Engine {
  Engine(Controller& owner, RunPlan plan);

  void start();
  void cancel();

  // controller_pairing.cpp
  Status prepare();
  void connect_nodes();
  void hello(std::size_t node);
  void pair();
  Status check_pair() const;
  void open_sessions();
  Status describe_line();
  void describe_clocks(const Json& a, const Json& b);
  Status check_guard(double shortest_end_s, double longest_end_s) const;

  // controller_rounds.cpp
  void next_round();
  bool plan_round();
  void decide_duplex();
  RoundRequest request_for(std::size_t node) const;
  void notified(std::size_t node, const std::string& method, const Json& params);
  // These fail with protocol when what the node told cannot be.
  Status take_measurement(std::size_t node, const Json& params);
  Status take_departure(std::size_t node, const Json& params);
  Status take_round_end(std::size_t node, const Json& params);
  Status check_delay(std::size_t direction, std::uint32_t sequence) const;
  void fetch(std::size_t direction, std::size_t node, const ReceivedMeasurement& received);
  void keep(std::size_t direction, const ReceivedMeasurement& received, std::string bytes);
  void advance();
  bool round_over() const;
  void settle(bool last);
  void report_progress();
  void stop_sending();

  // controller_recovery.cpp
  bool can_recover() const;
  void watch_call(const RunLedger::Place& place);
  void pause_for_call(const std::string& why);
  void redial();
  void tell_operators(const std::string& message);

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
  bool in_round = false, cancelling = false, finished = false, paired = false;
  std::optional<Error> failing;
  bool real_line = false;  // samples pass through devices, at the wall's pace
  std::size_t probes = 0;  // of the echo, until `duplex` is decided
  std::size_t turn = 0;    // of the directions, where one is measured at a time
  bool pausing = false;    // the call is gone, and is being made again
  std::optional<std::chrono::steady_clock::time_point> lost_since;  // until a measurement succeeds
  int redials = 0;                                                  // since
  std::size_t writing = 0;                                          // recordings on their way to the disk
  RunResults empty_results;
  std::chrono::steady_clock::time_point began, measuring_since;
  QTimer deadline;
  QObject context;
  std::unique_ptr<Worker> writer;  // puts recordings on the disk; ends before `context`
};

}  // namespace vqas
