#include "node/controller/node_client.h"

#include <gtest/gtest.h>

#include <QSemaphore>
#include <QTcpServer>
#include <QThread>
#include <QWebSocketServer>
#include <future>

#include "node/event_loop.h"

namespace vqas {
namespace {

using std::chrono_literals::operator""ms;

/// A node on a machine that gives it no time: it accepts a connection and a request, and then does nothing until it is
/// released.
class StarvedNode {
 public:
  StarvedNode() {
    test::application();
    thread_.start();
    std::promise<std::string> listening;
    QMetaObject::invokeMethod(&context_, [&] {
      server_ = std::make_unique<QWebSocketServer>(QStringLiteral("node"), QWebSocketServer::NonSecureMode);
      QObject::connect(server_.get(), &QWebSocketServer::newConnection, &context_, [this] {
        socket_.reset(server_->nextPendingConnection());
        QObject::connect(socket_.get(), &QWebSocket::textMessageReceived, &context_, [this] { goes_on_.acquire(); });
      });
      EXPECT_TRUE(server_->listen(QHostAddress::LocalHost, 0));
      listening.set_value(server_->serverUrl().toString().toStdString());
    });
    address = listening.get_future().get();
  }
  ~StarvedNode() {
    go_on();
    QMetaObject::invokeMethod(
        &context_,
        [this] {
          socket_.reset();
          server_.reset();
        },
        Qt::BlockingQueuedConnection);
    thread_.quit();
    thread_.wait();
  }
  void go_on() { goes_on_.release(); }

  std::string address;

 private:
  struct Context : QObject {
    explicit Context(QThread& thread) { moveToThread(&thread); }
  };
  QThread thread_;
  Context context_{thread_};
  QSemaphore goes_on_;
  std::unique_ptr<QWebSocketServer> server_;
  std::unique_ptr<QWebSocket> socket_;
};

class SlowNode : public ::testing::Test {
 protected:
  /// Opens a connection and waits until `looks` looks have passed, or the node counts as lost.
  void look(const LinkPatience& patience, int looks, bool silence_is_loss = false) {
    client_ = std::make_unique<NodeClient>("node a", node_.address, NodeAccess{}, patience);
    if (silence_is_loss) client_->take_silence_for_loss();
    bool open = false;
    client_->open([&] { open = true; }, [this](const Error& error) { lost_ = error; }, [](const auto&, const auto&) {});
    ASSERT_TRUE(test::serve_until([&] { return open; }, 60000));
    client_->request("node.hello", Json::object(), [](const auto&) {});
    int passed = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] { ++passed; });
    timer.start(patience.look);
    ASSERT_TRUE(test::serve_until([&] { return passed >= looks || lost_; }, 60000));
  }
  StarvedNode node_;
  std::unique_ptr<NodeClient> client_;
  std::optional<Error> lost_;
};

TEST_F(SlowNode, IsNotLostWhileItsMachineAcknowledges) {
  look({.look = 10ms, .silent_looks = 3, .acknowledged = 60000ms, .stuck_looks = 1'000'000}, 30);
  EXPECT_FALSE(lost_) << lost_->message;
}

TEST_F(SlowNode, IsLostWithoutAcknowledgements) {
  look({.look = 10ms, .silent_looks = 3, .acknowledged = 0ms, .stuck_looks = 1'000'000}, 1000);
  ASSERT_TRUE(lost_);
  EXPECT_EQ(lost_->code, ErrorCode::line_lost);
  EXPECT_NE(lost_->message.find("does not answer"), std::string::npos) << lost_->message;
}

TEST_F(SlowNode, IsLostWhenLongSilentIfThatCostsNothing) {
  look({.look = 10ms, .silent_looks = 20, .acknowledged = 60000ms, .stuck_looks = 1'000'000}, 3000, true);
  ASSERT_TRUE(lost_);
  EXPECT_TRUE(client_->fell_silent());
}

TEST_F(SlowNode, IsLostWhenItIsStuckForGood) {
  look({.look = 10ms, .silent_looks = 3, .acknowledged = 60000ms, .stuck_looks = 20}, 1000);
  EXPECT_TRUE(lost_);
}

TEST(NodeClient, ARefusedConnectionIsReportedWithOrWithoutTls) {
  test::application();
  QTcpServer port;  // it was free a moment ago, so nothing listens there
  ASSERT_TRUE(port.listen(QHostAddress::LocalHost, 0));
  const std::string there = "://127.0.0.1:" + std::to_string(port.serverPort());
  port.close();
  for (const std::string& address : {"ws" + there, "wss" + there}) {
    NodeClient client("node b at " + address, address, {});
    std::string why;
    client.open([] { ADD_FAILURE() << "connected"; }, [&](const Error& error) { why = error.message; },
                [](const std::string&, const Json&) {});
    ASSERT_TRUE(test::serve_until([&] { return !why.empty(); }));
    EXPECT_EQ(why, "node b at " + address + ": " + kNothingListens);
    EXPECT_TRUE(client.was_refused());
  }
}

}  // namespace
}  // namespace vqas
