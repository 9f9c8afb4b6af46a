// A client that connects to a node and does nothing, or does not read, must not lock others out.
#include "node/wire/control_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTcpSocket>
#include <QWebSocket>
#include <algorithm>
#include <memory>
#include <vector>

#include "node/event_loop.h"

namespace vqas {
namespace {

using test::serve_until;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A peer that makes the WebSocket handshake and then only what a test requests: it reads nothing by itself and answers
/// no ping.
class BareSocket {
 public:
  explicit BareSocket(const std::string& address, const QString& from = "127.0.0.1") {
    EXPECT_TRUE(socket_.bind(QHostAddress(from)));
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
                                 [this](int) { ++gone_; },
                                 [this](int connection) { return session_ || connection == holder_; },
                                 {},
                                 [this](const std::string& line) { log_.push_back(line); }},
        limits);
    ASSERT_TRUE(server_->listen(QHostAddress(QHostAddress::LocalHost), 0));
  }
  std::unique_ptr<ControlServer> server_;
  std::string answer_ = "short";
  bool session_ = false;
  int holder_ = 0;
  int calls_ = 0, gone_ = 0;
  std::vector<std::string> log_;
};

/// A client that follows the protocol, and answers pings by itself.
class Polite {
 public:
  explicit Polite(const std::string& address) {
    QObject::connect(&socket_, &QWebSocket::connected, &socket_, [this] { ask(); });
    QObject::connect(&socket_, &QWebSocket::textMessageReceived, &socket_, [this] { ++answers_; });
    socket_.open(QUrl(QString::fromStdString(address)));
  }
  void ask() { socket_.sendTextMessage(kHello); }
  bool answered(int times = 1) {
    return serve_until([&] { return answers_ >= times || closed(); }, 20000) && answers_ >= times;
  }
  bool closed() const { return socket_.state() == QAbstractSocket::UnconnectedState; }
  std::string reason() const { return socket_.closeReason().toStdString(); }

 private:
  QWebSocket socket_;
  int answers_ = 0;
};

/// Connects and sends nothing.
std::unique_ptr<QTcpSocket> bare_connection(const std::string& address) {
  auto socket = std::make_unique<QTcpSocket>();
  const QUrl url(QString::fromStdString(address));
  socket->connectToHost(url.host(), static_cast<quint16>(url.port()));
  return socket;
}

TEST_F(Control, AClientWithoutAValidRequestIsDisconnectedAndFreesItsPlace) {
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

TEST_F(Control, WithoutASessionOnlyClientsThatAnswerPingsMayBeIdle) {
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

TEST_F(Control, TheHolderOfASessionMayBeSilent) {
  session_ = true;
  start({.idle = std::chrono::milliseconds(200)});
  BareSocket holder(server_->address());
  holder.say(kHello);
  EXPECT_FALSE(serve_until([&] { return gone_ > 0; }, 1500));
}

TEST_F(Control, AClientThatDoesNotReadGetsNoMoreAnswersAndIsDisconnected) {
  answer_ = std::string(1 << 20, 'x');
  start({.pause_bytes = 1 << 20, .most_waiting = 30});
  BareSocket deaf(server_->address());
  for (int n = 0; n < 200; ++n) deaf.say(kHello);
  EXPECT_TRUE(serve_until([&] { return gone_ == 1; }, 20000));
  // The system itself buffers some MiB.
  EXPECT_LT(calls_, 60);
}

TEST_F(Control, AFloodOfSilentConnectionsIsLimited) {
  start({.door = {.waiting = 8, .waiting_of_one = 4}, .log_lines = 3, .log_window = std::chrono::milliseconds(60000)});
  std::vector<std::unique_ptr<QTcpSocket>> flood;
  for (int n = 0; n < 60; ++n) flood.push_back(bare_connection(server_->address()));
  const auto open = [&] {
    return std::ranges::count_if(flood,
                                 [](const auto& one) { return one->state() != QAbstractSocket::UnconnectedState; });
  };
  EXPECT_TRUE(serve_until([&] { return open() == 4; }, 20000)) << open() << " are open";
  Polite controller(server_->address());
  EXPECT_TRUE(controller.answered()) << controller.reason();
  const auto& refused = server_->refused();
  EXPECT_GE(refused.at("too many connections that say nothing"), 56U);
  EXPECT_THAT(log_, SizeIs(3)) << "refusals do not fill the log";
  EXPECT_THAT(log_.front(), HasSubstr("too many connections that say nothing"));
}

TEST_F(Control, AConnectionWithoutAHandshakeIsClosed) {
  start({.door = {.patience = std::chrono::milliseconds(200)}});
  const auto silent = bare_connection(server_->address());
  Polite controller(server_->address());
  EXPECT_TRUE(controller.answered());
  EXPECT_TRUE(serve_until([&] { return server_->refused().contains("no handshake in time"); }, 20000));
  EXPECT_TRUE(serve_until([&] { return silent->state() == QAbstractSocket::UnconnectedState; }, 20000));
  EXPECT_FALSE(controller.closed()) << "it is through the door";
}

TEST_F(Control, FewFreeDescriptorsAreLeftForTheMeasurement) {
  start({});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(0);
  ::close(next);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(next) + 40;  // less than are to be spared
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  Polite early(server_->address());
  EXPECT_FALSE(early.answered());
  EXPECT_TRUE(server_->refused().contains("few file descriptors are left"));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  Polite late(server_->address());
  EXPECT_TRUE(late.answered());
}

TEST_F(Control, IdleClientsAreDisconnectedForOthersWithAReason) {
  start({.connections = 6, .newcomers = 2, .stay = std::chrono::milliseconds(0)});
  std::vector<std::unique_ptr<Polite>> idle;
  for (int n = 0; n < 6; ++n) {
    idle.push_back(std::make_unique<Polite>(server_->address()));
    ASSERT_TRUE(idle.back()->answered());
  }
  holder_ = 1;  // connected first, without a request since
  idle[1]->ask();
  ASSERT_TRUE(idle[1]->answered(2));
  Polite controller(server_->address());
  ASSERT_TRUE(controller.answered()) << controller.reason();
  EXPECT_TRUE(serve_until([&] { return idle[2]->closed(); }, 20000)) << "of the others it was silent for longest";
  EXPECT_EQ(idle[2]->reason(), "the place is needed for other clients");
  EXPECT_FALSE(idle[0]->closed()) << "it holds the session";
  EXPECT_FALSE(idle[1]->closed());
}

TEST_F(Control, AReturningClientIsNotDisconnectedBeforeItsFirstRequest) {
  start({.connections = 4, .newcomers = 2, .stay = std::chrono::milliseconds(0)});
  std::vector<std::unique_ptr<Polite>> idle;
  for (int n = 0; n < 4; ++n) {
    idle.push_back(std::make_unique<Polite>(server_->address()));
    ASSERT_TRUE(idle.back()->answered());
  }
  BareSocket returning(server_->address());
  BareSocket stranger(server_->address());  // which finds a place without taking that one
  returning.say(kHello);
  EXPECT_TRUE(serve_until([&] { return calls_ == 5; }, 20000));
  EXPECT_FALSE(returning.closed());
}

TEST_F(Control, AFloodOfUnknownClientsLeavesAPlaceForKnownOnes) {
  holder_ = 1;
  start({.connections = 4, .newcomers = 2, .stay = std::chrono::minutes(10)});
  auto controller = std::make_unique<Polite>(server_->address());
  ASSERT_TRUE(controller->answered());
  controller.reset();  // its link is gone
  ASSERT_TRUE(serve_until([&] { return gone_ == 1; }, 20000));
  std::vector<std::unique_ptr<BareSocket>> first;
  for (int n = 2; n < 6; ++n)
    first.push_back(std::make_unique<BareSocket>(server_->address(), QString("127.0.0.%1").arg(n)));
  BareSocket late(server_->address(), "127.0.0.9");
  EXPECT_TRUE(serve_until([&] { return late.closed(); }, 20000))
      << "all places are taken by clients that may still send a request";
  first[0]->say(kHello);
  EXPECT_TRUE(serve_until([&] { return calls_ == 2; }, 20000));
  Polite back(server_->address());
  EXPECT_TRUE(back.answered()) << back.reason();
  EXPECT_EQ(std::ranges::count_if(first, [](const auto& one) { return one->closed(); }), 1);
}

TEST(ControlDoor, AnIpV6NetworkCountsAsOnePeer) {
  EXPECT_EQ(network_of(QHostAddress("2001:db8:1:2:3::4")), network_of(QHostAddress("2001:db8:1:2:5::6")));
  EXPECT_NE(network_of(QHostAddress("2001:db8:1:2::4")), network_of(QHostAddress("2001:db8:1:3::4")));
  EXPECT_NE(network_of(QHostAddress("192.0.2.1")), network_of(QHostAddress("192.0.2.2")));
  EXPECT_EQ(network_of(QHostAddress("::ffff:192.0.2.1")), network_of(QHostAddress("192.0.2.1")));
}

TEST_F(Control, ManyRefusalsDoNotFillTheLog) {
  start({.first_request = std::chrono::milliseconds(120000),
         .messages_at_once = 1000,
         .log_lines = 2,
         .log_window = std::chrono::milliseconds(5000)});
  BareSocket noisy(server_->address());
  for (int n = 0; n < 50; ++n) noisy.say("nonsense");
  EXPECT_TRUE(serve_until(
      [&] {
        return server_->refused().contains("malformed message") && server_->refused().at("malformed message") == 50;
      },
      20000));
  EXPECT_THAT(log_, SizeIs(2));
  // The next window begins with the number of omitted lines.
  QElapsedTimer since;
  since.start();
  EXPECT_TRUE(serve_until(
      [&] {
        if (since.elapsed() > 200) {
          noisy.say("nonsense");
          since.start();
        }
        return std::ranges::any_of(log_, [](const std::string& line) { return line.ends_with("more were refused"); });
      },
      60000));
}

}  // namespace
}  // namespace vqas
