#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "vqas/campaign/recorded_run.h"
#include "vqas/line/simulator.h"

namespace vqas {

class SimulatedBench;

/// A recorded run on a simulated line and nodes of its own, which end with it. Lives in one thread with a Qt event
/// loop.
class BenchRun : public MeasuringRun {
 public:
  /// `program` is the vqas command, which runs the line and its nodes. `recorder` outlives the run. `failed` comes
  /// instead of events.finished if the run could not begin: the bench did not start, or cancel() was called first.
  BenchRun(const std::filesystem::path& program, const SimulatedLine& line, RunPlan plan, RunRecorder& recorder,
           RunEvents events, std::function<void(const Error&)> failed);
  ~BenchRun() override;
  void start() override;
  void cancel() override;
  /// After the run: ends line and nodes, and releases the folder (RunRecorder::leave()).
  void leave() override;
  double line_s() const override { return run_ ? run_->line_s() : 0; }
  /// The run itself; null before line and nodes are ready.
  RecordedRun* run() { return run_ ? &*run_ : nullptr; }

 private:
  void begin();
  void fail(const Error& error);

  RunPlan plan_;
  RunRecorder& recorder_;
  RunEvents events_;
  std::function<void(const Error&)> failed_;
  bool fetched_ = false;
  std::unique_ptr<SimulatedBench> bench_;
  std::optional<RecordedRun> run_;
};

}  // namespace vqas
