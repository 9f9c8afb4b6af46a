#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "model/node_access.h"
#include "model/run_settings.h"
#include "model/run_worker.h"
#include "model/worker_thread.h"
#include "vqas/campaign/line_check.h"

class QTemporaryDir;

namespace vqas::app {

/// What a line check found, which no thread changes.
using SharedCheck = std::shared_ptr<const LineCheckResult>;

/// One check of the line between two nodes, from start() to finished(). All signals come in the thread of the session.
class CheckSession : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual void start() = 0;
  /// Stops after what is in flight; finished() follows.
  virtual void cancel() = 0;
  /// Answers asked_to_trust().
  virtual void trust(bool yes) = 0;

 signals:
  /// Part `part` of `parts`, counted from 1, begins.
  void part_begun(int part, int parts);
  /// What should be known meanwhile, one sentence.
  void noticed(QString what);
  void asked_to_trust(QString question);
  /// What was found so far; the check continues.
  void found(vqas::app::SharedCheck result);
  void finished(vqas::app::SharedCheck result);
};

/// Does a check. Lives in one thread with an event loop; its functions may wait for the network and the disk.
class CheckWorker : public CheckSession {
 public:
  CheckWorker(RunSettings settings, MeasuringTools tools);
  ~CheckWorker() override;

  void start() override;
  void cancel() override;
  void trust(bool yes) override;

 private:
  void begin(RunPlan plan);
  void end(const Error& why);

  const RunSettings settings_;
  const MeasuringTools tools_;
  std::unique_ptr<QTemporaryDir> folder_;  // of the recordings, which go with it
  std::optional<NodeAccessControl> access_;
  std::optional<RunPlan> asking_;
  std::optional<LineCheck> check_;
  bool over_ = false;
};

/// A CheckWorker on a thread of its own. No function blocks, but destroying it waits for the end of the check.
class ThreadedCheck : public CheckSession {
 public:
  ThreadedCheck(const RunSettings& settings, const MeasuringTools& tools);

  void start() override;
  void cancel() override;
  void trust(bool yes) override;

 private:
  WorkerThread<CheckWorker> worker_;
};

}  // namespace vqas::app
