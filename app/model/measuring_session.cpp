#include "model/measuring_session.h"

namespace vqas::app {

MeasuringSession::MeasuringSession(const RunSettings& settings, const MeasuringTools& tools)
    : worker_(new RunWorker(settings, tools)) {
  thread_.setObjectName(QStringLiteral("run"));
  worker_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  connect(worker_, &RunSession::phase_changed, this, &RunSession::phase_changed);
  connect(worker_, &RunSession::updated, this, &RunSession::updated);
  connect(worker_, &RunSession::progressed, this, &RunSession::progressed);
  connect(worker_, &RunSession::held, this, &RunSession::held);
  connect(worker_, &RunSession::noted, this, &RunSession::noted);
  connect(worker_, &RunSession::noticed, this, &RunSession::noticed);
  connect(worker_, &RunSession::waiting, this, &RunSession::waiting);
  connect(worker_, &RunSession::silent, this, &RunSession::silent);
  connect(worker_, &RunSession::asked_to_trust, this, &RunSession::asked_to_trust);
  connect(worker_, &RunSession::finished, this, &RunSession::finished);
  thread_.start();
}

MeasuringSession::~MeasuringSession() {
  thread_.quit();
  thread_.wait();
}

void MeasuringSession::start() {
  QMetaObject::invokeMethod(worker_, &RunWorker::start, Qt::QueuedConnection);
}

void MeasuringSession::cancel() {
  QMetaObject::invokeMethod(worker_, &RunWorker::cancel, Qt::QueuedConnection);
}

void MeasuringSession::hold(bool yes) {
  QMetaObject::invokeMethod(
      worker_, [worker = worker_, yes] { worker->hold(yes); }, Qt::QueuedConnection);
}

void MeasuringSession::note(const OperatorNote& note) {
  QMetaObject::invokeMethod(
      worker_, [worker = worker_, note] { worker->note(note); }, Qt::QueuedConnection);
}

void MeasuringSession::trust(bool yes) {
  QMetaObject::invokeMethod(
      worker_, [worker = worker_, yes] { worker->trust(yes); }, Qt::QueuedConnection);
}

}  // namespace vqas::app
