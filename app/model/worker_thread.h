#pragma once

#include <QObject>
#include <QString>
#include <QThread>

namespace vqas::app {

/// An object on a thread of its own, which has an event loop. For the thread that makes it. No function blocks, but
/// destroying it waits until the object has finished what it does, and destroys the object.
template <class Worker>
class WorkerThread {
 public:
  /// Takes `worker`, which has no parent. `name` is shown by debuggers.
  WorkerThread(const QString& name, Worker* worker) : worker_(worker) {
    thread_.setObjectName(name);
    worker_->moveToThread(&thread_);
    QObject::connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    thread_.start();
  }
  ~WorkerThread() {
    thread_.quit();
    thread_.wait();
  }
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  /// Each of these signals of the worker is a signal of `session` too.
  template <class Session, class... Signals>
  void pass_on(Session* session, Signals... which) {
    (QObject::connect(worker_, which, session, which), ...);
  }

  /// Calls the worker's function in its thread, with copies of the arguments.
  template <class... Parameters, class... Arguments>
  void call(void (Worker::*function)(Parameters...), const Arguments&... arguments) {
    QMetaObject::invokeMethod(
        worker_, [worker = worker_, function, arguments...] { (worker->*function)(arguments...); },
        Qt::QueuedConnection);
  }

 private:
  QThread thread_;
  Worker* worker_;  // lives in thread_, which deletes it when it ends
};

}  // namespace vqas::app
