#pragma once

#include <QEventLoop>
#include <QObject>
#include <QString>
#include <QThread>
#include <future>
#include <thread>

namespace vqas::app {

/// An object on a thread of its own, which has an event loop. For the thread that makes it. No function blocks, but
/// destroying it waits until the object has finished what it does, and destroys the object.
template <class Worker>
class WorkerThread {
 public:
  /// Takes `worker`, which has no parent. `name` is the object name of its QThread.
  WorkerThread(const QString& name, Worker* worker) : worker_(worker) {
    std::promise<Inside> inside;
    std::future<Inside> known = inside.get_future();
    thread_ = std::thread([name, worker, inside = std::move(inside)]() mutable {
      QThread::currentThread()->setObjectName(name);
      QEventLoop loop;
      inside.set_value({QThread::currentThread(), &loop});
      loop.exec();
      delete worker;
    });
    const auto [thread, loop] = known.get();
    loop_ = loop;
    worker_->moveToThread(thread);
  }
  ~WorkerThread() {
    QMetaObject::invokeMethod(loop_, &QEventLoop::quit, Qt::QueuedConnection);
    thread_.join();
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
  struct Inside {
    QThread* thread;
    QEventLoop* loop;
  };

  // No QThread: its wait() returns before the system's thread has ended. What that thread still frees then met the
  // cleanup of OpenSSL at the end of the program, which crashed once in some hundred times.
  std::thread thread_;
  QEventLoop* loop_ = nullptr;
  Worker* worker_;  // lives in thread_, which deletes it when it ends
};

}  // namespace vqas::app
