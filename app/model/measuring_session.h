#pragma once

#include "model/run_session.h"
#include "model/run_settings.h"
#include "model/run_worker.h"
#include "model/worker_thread.h"

namespace vqas::app {

/// A real run: a RunWorker on a thread of its own, so that neither disk nor scoring delays the window. No function
/// blocks, but destroying it waits until the processes have ended and the measurements are written: a second or two
/// during a run.
class MeasuringSession : public RunSession {
  Q_OBJECT
 public:
  MeasuringSession(const RunSettings& settings, const MeasuringTools& tools);

  void start() override;
  void cancel() override;
  void hold(bool yes) override;
  void note(const OperatorNote& note) override;
  void trust(bool yes) override;

 private:
  WorkerThread<RunWorker> worker_;
};

}  // namespace vqas::app
