#pragma once

#include <QThread>

#include "model/run_session.h"
#include "model/run_settings.h"
#include "model/run_worker.h"

namespace vqas::app {

/// A real run: a RunWorker on a thread of its own, so that neither disk nor scoring delays the window. No function
/// blocks.
class MeasuringSession : public RunSession {
  Q_OBJECT
 public:
  MeasuringSession(const RunSettings& settings, const MeasuringTools& tools);
  /// Waits until the processes have ended and the measurements are written: a second or two during a run.
  ~MeasuringSession() override;

  void start() override;
  void cancel() override;
  void hold(bool yes) override;
  void note(const OperatorNote& note) override;
  void trust(bool yes) override;

 private:
  QThread thread_;
  RunWorker* worker_;  // lives in thread_, which deletes it when it ends
};

}  // namespace vqas::app
