#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "node/controller/line_told.h"
#include "node/controller/run_ledger.h"
#include "run/session_log.h"
#include "vqas/node/controller.h"

namespace vqas {

class CallRecovery;
class NodeLinks;
class RecordingFetcher;
class RoundBreak;
class RunRounds;

/// The implementation of Controller: joins the links to the nodes, the rounds, interrupted rounds and lost calls; and
/// ends the run. For one thread with a Qt event loop.
class RunEngine {
 public:
  RunEngine(Controller& owner, RunPlan plan);
  ~RunEngine();
  RunEngine(const RunEngine&) = delete;
  RunEngine& operator=(const RunEngine&) = delete;

  // The functions of Controller.
  void start_later();
  void stop(const Error& why);
  void hold();
  void carry_on();
  void measure_more(End from, std::uint32_t sequence);
  const RunResults& results() const { return ledger_ ? ledger_->results() : empty_results_; }
  std::optional<std::uint32_t> run_id() const { return session_.run_id; }

  // For its parts.
  Controller& owner() { return owner_; }
  const RunPlan& plan() const { return plan_; }
  RunLedger& ledger() { return *ledger_; }
  NodeLinks& links() { return *links_; }
  RunRounds& rounds() { return *rounds_; }
  RoundBreak& broken_round() { return *break_; }
  RecordingFetcher& recordings() { return *recordings_; }
  CallRecovery& recovery() { return *recovery_; }
  const SessionRecord& session() const { return session_; }
  const ToldLine& line() const { return line_; }

  /// The ledger's direction in which this node sends; nothing if it is not measured.
  std::optional<std::size_t> direction_from(std::size_t sender) const;
  /// The run has ended: nothing remains to be done.
  bool finished() const { return finished_; }
  /// The error with which it ends after fetching the nodes' results.
  const std::optional<Error>& failing() const { return failing_; }
  /// The error with which it ends after the current transmission.
  const std::optional<Error>& stopping() const { return stopping_; }

  /// The operator wants nothing to be sent for now.
  bool held() const { return held_; }

  /// Both nodes fit; describes their line.
  void take_line(ToldLine line) { line_ = std::move(line); }
  void take_run_id(std::uint32_t run_id) { session_.run_id = run_id; }
  /// Both nodes hold the session: begins with the transmissions that are due.
  void begin_rounds();
  /// Writes the plan to disk.
  Status keep_round(double used_s);
  void fail(const Error& error);
  /// The run is over, but measurements reported earlier are still fetched from the remaining nodes.
  void fail_when_drained(const Error& error);
  void finish(const std::string& reason, std::optional<ErrorCode> code);

  /// A message for the operator.
  void notice(const std::string& what);
  void announce(const RunLedger::Place& place);
  /// Runs a task in this thread, called from another; dropped when the engine is destroyed.
  void post(std::function<void()> task);
  void after_ms(int milliseconds, std::function<void()> task);
  /// Replaces the previous deadline.
  void start_deadline(int milliseconds, std::function<void()> task);
  QObject* context() { return &context_; }
  double elapsed_s() const;

 private:
  using Clock = std::chrono::steady_clock;
  void start();
  Status prepare();
  void continue_run(const RunContinuation& earlier);
  void lose_what_is_under_way(const std::string& why);

  Controller& owner_;
  const RunPlan plan_;
  std::optional<RunLedger> ledger_;
  ToldLine line_;
  SessionRecord session_;
  std::shared_ptr<RunLock> lock_;  // until the caller has written the results of the run
  std::unique_ptr<SessionLog> session_log_;
  double earlier_wall_s_ = 0;
  RunResults empty_results_;
  Clock::time_point began_;
  bool finished_ = false;
  bool held_ = false;
  std::optional<Error> failing_, stopping_;
  std::unique_ptr<NodeLinks> links_;
  std::unique_ptr<RunRounds> rounds_;
  std::unique_ptr<RoundBreak> break_;
  std::unique_ptr<CallRecovery> recovery_;
  QTimer deadline_;
  QObject context_;
  std::unique_ptr<RecordingFetcher> recordings_;  // its thread posts to context_
};

}  // namespace vqas
