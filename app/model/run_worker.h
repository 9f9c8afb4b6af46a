#pragma once

#include <QTimer>
#include <filesystem>
#include <optional>

#include "model/node_access.h"
#include "model/run_session.h"
#include "model/run_settings.h"
#include "vqas/campaign/bench_run.h"
#include "vqas/campaign/recorded_run.h"
#include "vqas/node/controller.h"

namespace vqas::app {

/// What a run needs of this machine.
struct MeasuringTools {
  std::filesystem::path program;  ///< the vqas command, which makes the simulated line; empty: none was found
  std::filesystem::path corpus;   ///< folder of the corpus
  std::filesystem::path known_peers = default_known_peers();  ///< file of the nodes that are trusted already
};

/// The plan that a controller gets for these settings. Pure.
RunPlan plan_of(const RunSettings& settings, const MeasuringTools& tools);

/// Does a run: starts the simulated line if needed, or resumes an interrupted run, and has it measured and recorded.
/// Lives in one thread with an event loop; its functions may wait for the disk.
class RunWorker : public RunSession {
 public:
  RunWorker(RunSettings settings, MeasuringTools tools);
  /// Ends a run in progress; its measurements are written.
  ~RunWorker() override;

  void start() override;
  void cancel() override;
  void hold(bool yes) override;
  void note(const OperatorNote& note) override;
  void trust(bool yes) override;

 private:
  void resume();
  void reach_nodes(RunPlan plan);
  void start_bench();
  void start_run(RunPlan plan);
  /// Null before it is started.
  RecordedRun* run();
  RunEvents events();
  void run_finished(const EndOfRun& end);
  void publish();
  /// Without a run, or with one that has ended.
  void end(RunPhase phase, const std::optional<Error>& error, const EndOfRun& run = {});

  const RunSettings settings_;
  const MeasuringTools tools_;
  std::optional<RunRecorder> recorder_;
  std::optional<NodeAccessControl> access_;
  std::optional<RunPlan> asking_;  // waits for the operator to trust its nodes
  std::optional<BenchRun> bench_;
  std::optional<RecordedRun> between_nodes_;
  QTimer publishing_;
  QString current_;
  bool cancelled_ = false;
  bool held_ = false;
  bool over_ = false;
};

}  // namespace vqas::app
