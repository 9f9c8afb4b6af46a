#pragma once

#include <gtest/gtest.h>

#include <QString>
#include <QtGlobal>
#include <cstdio>

namespace vqas::test {

/// While it lives, a warning of Qt fails the running test; outside a test it is printed.
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
  /// Expected warnings: of the offscreen platform for every window with a minimum size, of Qt without a user session,
  /// and
  /// of a web socket that is closed before it was connected.
  static bool is_expected(const QString& message) {
    return message.contains(QStringLiteral("does not support propagateSizeHints")) ||
           message.contains(QStringLiteral("XDG_RUNTIME_DIR not set")) ||
           message.contains(QStringLiteral("QNativeSocketEngine::write() was not called"));
  }

  QtMessageHandler previous_;
};

}  // namespace vqas::test
