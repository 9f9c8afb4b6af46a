#pragma once

#include <gtest/gtest.h>

#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>
#include <QUrl>
#include <string>
#include <vector>

namespace vqas::test {

/// A bad link to a node: data is passed on after a delay, and not at all while the link is cut. Lives in the thread of
/// the test, and needs its event loop.
class TcpProxy {
 public:
  TcpProxy(const std::string& node, int delay_ms) : node_(QString::fromStdString(node)), delay_ms_(delay_ms) {
    QObject::connect(&server_, &QTcpServer::newConnection, &server_, [this] { accept(); });
    EXPECT_TRUE(server_.listen(QHostAddress::LocalHost, 0));
  }
  ~TcpProxy() { drop(); }
  std::string address() const {
    if (!server_.isListening()) return address_;
    return node_.scheme().toStdString() + "://127.0.0.1:" + std::to_string(server_.serverPort());
  }
  /// Ends all connections; data in transit is lost. New ones are refused for a time.
  void cut(int for_ms) {
    ++cuts_;
    cut_ = true;
    drop();
    QTimer::singleShot(for_ms, &server_, [this] { cut_ = false; });
  }
  int cuts() const { return cuts_; }
  /// Its connections stay open, but pass nothing any more.
  void fall_silent() { silent_ = true; }
  /// Refuses connections for a time.
  void be_absent(int for_ms) {
    const quint16 port = server_.serverPort();
    address_ = address();
    server_.close();
    QTimer::singleShot(for_ms, &server_, [this, port] { EXPECT_TRUE(server_.listen(QHostAddress::LocalHost, port)); });
  }

 private:
  void accept() {
    while (QTcpSocket* const near = server_.nextPendingConnection()) {
      if (cut_) {
        near->abort();
        near->deleteLater();
        continue;
      }
      auto* const far = new QTcpSocket(&server_);
      sockets_.push_back(near);
      sockets_.push_back(far);
      // Before the far side is connected, Qt keeps the written data.
      far->connectToHost(node_.host(), static_cast<quint16>(node_.port()));
      pass(near, far);
      pass(far, near);
    }
  }
  void pass(QTcpSocket* from, QTcpSocket* to) {
    QObject::connect(from, &QTcpSocket::readyRead, from, [this, from, to = QPointer<QTcpSocket>(to)] {
      if (silent_) {
        from->readAll();
        return;
      }
      // Timers of one length fire in the order in which they were set.
      QTimer::singleShot(delay_ms_, Qt::PreciseTimer, from, [to, bytes = from->readAll()] {
        if (to) to->write(bytes);
      });
    });
    QObject::connect(from, &QTcpSocket::disconnected, from, [to = QPointer<QTcpSocket>(to), from] {
      if (to) to->disconnectFromHost();
      from->deleteLater();
    });
  }
  void drop() {
    for (const auto& socket : std::exchange(sockets_, {})) {
      if (socket) socket->abort();
    }
  }

  const QUrl node_;
  const int delay_ms_;
  std::string address_;  // while it refuses connections
  QTcpServer server_;
  std::vector<QPointer<QTcpSocket>> sockets_;
  bool cut_ = false, silent_ = false;
  int cuts_ = 0;
};

}  // namespace vqas::test
