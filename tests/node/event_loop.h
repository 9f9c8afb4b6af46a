#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <functional>

namespace vqas::test {

/// The one application object of a test program.
inline QCoreApplication& application() {
  static int count = 1;
  static char name[] = "test";
  static char* arguments[] = {name, nullptr};
  static QCoreApplication application(count, arguments);
  return application;
}

/// Serves events until `done` or the deadline; returns whether it was done.
inline bool serve_until(const std::function<bool()>& done, int deadline_ms = 60000) {
  application();
  QElapsedTimer clock;
  clock.start();
  QTimer look;  // also checks conditions that no event announces
  look.start(20);
  bool reached = done();
  while (!reached && clock.elapsed() < deadline_ms) {
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    reached = done();
  }
  return reached;
}

}  // namespace vqas::test
