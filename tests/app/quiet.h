#pragma once

#include <gtest/gtest.h>

#include <QString>
#include <QtGlobal>
#include <cstdio>

namespace vqas::test {

/// As long as it lives, a warning of Qt fails the test that is running; outside a test it is printed.
class QtWarningsFail {
 public:
  QtWarningsFail() : previous_(qInstallMessageHandler(&QtWarningsFail::handle)) {}
  ~QtWarningsFail() { qInstallMessageHandler(previous_); }
  QtWarningsFail(const QtWarningsFail&) = delete;
  QtWarningsFail& operator=(const QtWarningsFail&) = delete;

 private:
  static void handle(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtDebugMsg || type == QtInfoMsg || is_expected(message)) return;
    if (testing::UnitTest::GetInstance()->current_test_info() != nullptr)
      ADD_FAILURE() << "Qt warned: " << message.toStdString();
    else
      std::fprintf(stderr, "Qt: %s\n", message.toUtf8().constData());
  }
  /// What the offscreen platform says of every window that has a smallest size, what Qt says where nobody is logged in,
  /// and what a web socket says when it is closed before it was ever connected.
  static bool is_expected(const QString& message) {
    return message.contains(QStringLiteral("does not support propagateSizeHints")) ||
           message.contains(QStringLiteral("XDG_RUNTIME_DIR not set")) ||
           message.contains(QStringLiteral("QNativeSocketEngine::write() was not called"));
  }

  QtMessageHandler previous_;
};

}  // namespace vqas::test
