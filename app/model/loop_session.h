#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "model/worker_thread.h"
#include "vqas/line/line.h"
#include "vqas/receive/loop_delay.h"

namespace vqas::app {

/// How many marks a loop is measured with: some 15 s in all.
inline constexpr int kLoopMarks = 5;

/// The measurement of a sound device whose output is joined to its input, from start() to finished(). All signals come
/// in the thread of the session. Destroying a session ends it.
class LoopSession : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  virtual void start() = 0;

 signals:
  /// `why` says why there is no result; empty: there is one, which need not be steady().
  void finished(vqas::LoopDelay found, QString why);
};

/// Measures. Lives in one thread; start() waits for the line.
class LoopWorker : public LoopSession {
 public:
  using Open = std::function<Result<std::unique_ptr<Line>>(const std::string& name)>;
  LoopWorker(QString line, Open open, std::shared_ptr<std::atomic<bool>> over)
      : name_(std::move(line)), open_(std::move(open)), over_(std::move(over)) {}
  void start() override;

 private:
  const QString name_;
  const Open open_;
  const std::shared_ptr<std::atomic<bool>> over_;
};

/// A LoopWorker on a thread of its own. No function blocks, but destroying it waits for a block of the line, or as long
/// as a device is silent before it counts as lost.
class ThreadedLoop : public LoopSession {
 public:
  ThreadedLoop(const QString& line, const LoopWorker::Open& open);
  ~ThreadedLoop() override { *over_ = true; }
  void start() override { worker_.call(&LoopWorker::start); }

 private:
  const std::shared_ptr<std::atomic<bool>> over_ = std::make_shared<std::atomic<bool>>(false);
  WorkerThread<LoopWorker> worker_;
};

/// What a measurement of a loop means and what to do next, a sentence. Pure.
QString loop_words(const LoopDelay& found);

}  // namespace vqas::app
