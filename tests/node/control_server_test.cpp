// Whoever connects to a node and does nothing, or does not listen, must not keep others away.
#include "node/control_server.h"

#include <gtest/gtest.h>

#include <QTcpSocket>
#include <QWebSocket>
#include <memory>
#include <vector>

#include "node/event_loop.h"

namespace vqas {
namespace {

using test::serve_until;

/// A peer that speaks the first words of WebSocket and then only what a test has it say: it reads nothing by itself and
/// answers no ping.
class BareSocket {
 public:
  explicit BareSocket(const std::string& address) {
    const QUrl url(QString::fromStdString(address));
    socket_.setReadBufferSize(1024);
    socket_.connectToHost(url.host(), static_cast<quint16>(url.port()));
    EXPECT_TRUE(serve_until([this] { return socket_.state() == QAbstractSocket::ConnectedState; }));
    socket_.write(
        "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    EXPECT_TRUE(serve_until([this] { return socket_.bytesAvailable() > 0; }));
  }
  /// One text frame of less than 126 bytes, masked with zeros (RFC 6455, 5.2).
  void say(const QByteArray& text) {
    QByteArray frame("\x81");
    frame.append(static_cast<char>(0x80 | text.size()));
    frame.append(QByteArray(4, '\0'));
    socket_.write(frame + text);
  }
  void drain() { socket_.setReadBufferSize(0), socket_.readAll(); }
  bool closed() {
    drain();
    return socket_.state() == QAbstractSocket::UnconnectedState;
  }

 private:
  QTcpSocket socket_;
};

const QByteArray kHello = R"({"jsonrpc":"2.0","id":1,"method":"hello"})";

class Control : public ::testing::Test {
 protected:
  void start(const ControlLimits& limits) {
    test::application();
    server_ = std::make_unique<ControlServer>(
        ControlServer::Callbacks{[this](int, const std::string& method, const Json&) {
                                   ++calls_;
                                   if (method != "hello") return rpc::Answer::failed(rpc::kUnknownMethod, "no");
                                   return rpc::Answer{{{"answer", answer_}}, std::nullopt};
                                 },
                                 [this](int) { ++gone_; }, [this](int) { return session_; }},
        limits);
    ASSERT_TRUE(server_->listen(QHostAddress(QHostAddress::LocalHost), 0));
  }
  std::unique_ptr<ControlServer> server_;
  std::string answer_ = "short";
  bool session_ = false;
  int calls_ = 0, gone_ = 0;
};

TEST_F(Control, WhoSaysNothingLawfulIsSentAwayAndMakesRoom) {
  start({.connections = 2, .first_request = std::chrono::milliseconds(300)});
  BareSocket silent(server_->address()), noisy(server_->address());
  noisy.say("nonsense");
  noisy.say(R"({"jsonrpc":"2.0","id":1,"method":"other"})");
  EXPECT_TRUE(serve_until([&] { return gone_ == 2; }, 20000));
  EXPECT_TRUE(serve_until([&] { return silent.closed() && noisy.closed(); }, 20000));
  BareSocket next(server_->address());
  next.say(kHello);
  EXPECT_TRUE(serve_until([&] { return calls_ == 2; }, 20000));
}

TEST_F(Control, WithoutASessionOnlyWhoAnswersPingsMayBeIdle) {
  start({.idle = std::chrono::milliseconds(400)});
  BareSocket dead(server_->address());
  dead.say(kHello);
  QWebSocket alive;  // which answers pings by itself
  QObject::connect(&alive, &QWebSocket::connected, &alive, [&] { alive.sendTextMessage(kHello); });
  alive.open(QUrl(QString::fromStdString(server_->address())));
  EXPECT_TRUE(serve_until([&] { return gone_ == 1; }, 20000));
  EXPECT_FALSE(serve_until([&] { return gone_ == 2; }, 1500));
  EXPECT_TRUE(alive.isValid());
}

TEST_F(Control, WhoHoldsASessionMayBeSilent) {
  session_ = true;
  start({.idle = std::chrono::milliseconds(200)});
  BareSocket holder(server_->address());
  holder.say(kHello);
  EXPECT_FALSE(serve_until([&] { return gone_ > 0; }, 1500));
}

TEST_F(Control, WhoDoesNotReadGetsNoMoreAnswersAndIsSentAway) {
  answer_ = std::string(1 << 20, 'x');
  start({.pause_bytes = 1 << 20, .most_waiting = 30});
  BareSocket deaf(server_->address());
  for (int n = 0; n < 200; ++n) deaf.say(kHello);
  EXPECT_TRUE(serve_until([&] { return gone_ == 1; }, 20000));
  // What the system itself takes in is some MiB.
  EXPECT_LT(calls_, 60);
}

}  // namespace
}  // namespace vqas
