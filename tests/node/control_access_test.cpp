// Which clients a control socket accepts, and which frames. Bytes that no client library would send are written by
// hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QSslSocket>
#include <QTcpSocket>
#include <QUrl>
#include <QWebSocket>
#include <array>
#include <memory>
#include <random>

#include "node/agent/metrics_server.h"
#include "node/event_loop.h"
#include "node/trust/node_identity.h"
#include "node/wire/client_frames.h"
#include "node/wire/control_server.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

using test::serve_until;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

QByteArray handshake(const QByteArray& headers = {}) {
  return "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
         headers + "\r\n";
}

const QByteArray kHello = R"({"jsonrpc":"2.0","id":1,"method":"hello"})";

/// A text frame (RFC 6455, 5.2), with a mask of zeros or none.
QByteArray frame(const QByteArray& text, bool masked) {
  QByteArray bytes("\x81");
  const char mask = masked ? '\x80' : '\0';
  if (text.size() < 126) {
    bytes.append(static_cast<char>(mask | static_cast<char>(text.size())));
  } else {
    bytes.append(static_cast<char>(mask | 126));
    bytes.append(static_cast<char>(text.size() >> 8)).append(static_cast<char>(text.size() & 0xFF));
  }
  if (masked) bytes.append(QByteArray(4, '\0'));
  return bytes + text;
}

/// Text passed to a server unchanged, and the reply.
class Wire {
 public:
  explicit Wire(const std::string& address) {
    const QUrl url(QString::fromStdString(address));
    const bool tls = url.scheme() == "wss" || url.scheme() == "https";
    auto secure = tls ? std::make_unique<QSslSocket>() : nullptr;
    QSslSocket* const encrypted = secure.get();
    socket_ = tls ? std::unique_ptr<QTcpSocket>(std::move(secure)) : std::make_unique<QTcpSocket>();
    if (encrypted != nullptr) {
      encrypted->setPeerVerifyMode(QSslSocket::QueryPeer);
      encrypted->connectToHostEncrypted(url.host(), static_cast<quint16>(url.port()));
      EXPECT_TRUE(serve_until([&] { return encrypted->isEncrypted(); }));
    } else {
      socket_->connectToHost(url.host(), static_cast<quint16>(url.port()));
      EXPECT_TRUE(serve_until([&] { return socket_->state() == QAbstractSocket::ConnectedState; }));
    }
  }
  Wire& say(const QByteArray& bytes) {
    socket_->write(bytes);
    return *this;
  }
  bool hears(const QByteArray& bytes) {
    return serve_until([&] { return said().contains(bytes) || closed(); }, 20000) && said().contains(bytes);
  }
  bool ends() {
    return serve_until([&] { return closed(); }, 20000);
  }
  const QByteArray& said() { return said_ += socket_->readAll(); }
  bool closed() const { return socket_->state() == QAbstractSocket::UnconnectedState; }

 private:
  std::unique_ptr<QTcpSocket> socket_;
  QByteArray said_;
};

class ControlAccess : public ::testing::Test {
 protected:
  void start(ControlSecurity security = {}) {
    test::application();
    server_ = std::make_unique<ControlServer>(
        ControlServer::Callbacks{[this](int, const std::string&, const Json&) {
                                   ++calls_;
                                   return rpc::Answer{{{"answer", "yes"}}, std::nullopt};
                                 },
                                 [](int) {},
                                 [](int) { return true; },
                                 {},
                                 [this](const std::string& line) { log_.push_back(line); }},
        ControlLimits{}, std::move(security));
    ASSERT_TRUE(server_->listen(QHostAddress(QHostAddress::LocalHost), 0));
  }
  ControlSecurity tls() {
    const auto identity = node_identity(folder_.path());
    EXPECT_TRUE(identity);
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setLocalCertificate(identity->certificate);
    tls.setPrivateKey(identity->key);
    tls.setPeerVerifyMode(QSslSocket::VerifyNone);
    ControlSecurity security;
    security.tls = tls;
    return security;
  }
  test::TemporaryFolder folder_;
  std::unique_ptr<ControlServer> server_;
  int calls_ = 0;
  std::vector<std::string> log_;
};

TEST_F(ControlAccess, APageOfAnUnlistedWebSiteIsRefused) {
  start();
  for (const char* origin : {"http://evil.example", "http://127.0.0.1:7811", "http://localhost", "null", "file://",
                             "http://x", "https://x", "\xE2\x80\xAE//:evil"}) {
    Wire page(server_->address());
    page.say(handshake("Origin: " + QByteArray(origin) + "\r\n") + frame(kHello, true));
    EXPECT_TRUE(page.ends()) << origin;
    EXPECT_THAT(page.said().toStdString(), StartsWith("HTTP/1.1 403")) << origin;
  }
  EXPECT_EQ(calls_, 0);
  EXPECT_EQ(server_->refused().at("a web page"), 8U);
  EXPECT_THAT(log_.front(), HasSubstr("127.0.0.1: a web page (http://evil.example"));
}

// An attacker's name resolves to this machine: for the browser, page and socket are of one site. Its Host and its
// Origin agree, and both are the attacker's.
TEST_F(ControlAccess, APageWithAReboundNameIsRefused) {
  start();
  Wire page(server_->address());
  page.say(handshake("Origin: http://x\r\n"));
  EXPECT_TRUE(page.ends());
  EXPECT_THAT(page.said().toStdString(), StartsWith("HTTP/1.1 403"));
}

TEST_F(ControlAccess, AProgramWithoutAnOriginAndAnAllowedPageAreAccepted) {
  ControlSecurity security;
  security.origins = {"https://bench.example:8443"};
  start(security);
  for (const QByteArray headers :
       {"", "Origin: https://bench.example:8443\r\n", "origin: https://bench.example:8443\r\n"}) {
    Wire one(server_->address());
    ASSERT_TRUE(one.say(handshake(headers)).hears("\r\n\r\n")) << headers.toStdString();
    one.say(frame(kHello, true));
    EXPECT_TRUE(one.hears("yes")) << headers.toStdString();
  }
  for (const QByteArray origin : {"https://bench.example", "http://bench.example:8443", "https://bench.example:84430",
                                  "https://bench.example:8443.evil.example"}) {
    Wire other(server_->address());
    other.say(handshake("Origin: " + origin + "\r\n"));
    EXPECT_TRUE(other.ends()) << origin.toStdString();
  }
}

TEST(AllowedOrigins, AreAcceptedAsABrowserWritesThem) {
  EXPECT_TRUE(check_origins({}));
  EXPECT_TRUE(check_origins({"http://localhost:8080", "https://bench.example", "http://[::1]:8000"}));
  for (const char* bad : {"", "*", "null", "bench.example", "https://bench.example/", "https://bench.example/page",
                          "HTTPS://bench.example", "https://bench.example:443", "https://a@bench.example", "file://"}) {
    const Status refused = check_origins({bad});
    ASSERT_FALSE(refused) << bad;
    EXPECT_THAT(refused.error().message, HasSubstr("--allow-origin"));
  }
}

TEST_F(ControlAccess, AnUnmaskedFrameEndsTheConnection) {
  start();
  Wire client(server_->address());
  client.say(handshake());
  ASSERT_TRUE(client.hears("\r\n\r\n"));
  client.say(frame(kHello, true));
  ASSERT_TRUE(client.hears("yes"));
  client.say(frame(kHello, false));
  EXPECT_TRUE(client.hears(QByteArray("\x03\xEA", 2))) << "1002, a fault of the protocol";
  EXPECT_TRUE(client.ends());
  EXPECT_EQ(calls_, 1);
  EXPECT_EQ(server_->refused().at("unmasked frame"), 1U);
}

TEST_F(ControlAccess, AnUnmaskedFrameIsFoundHoweverTheStreamIsCut) {
  start();
  for (const bool at_once : {true, false}) {
    SCOPED_TRACE(at_once);
    Wire client(server_->address());
    ASSERT_TRUE(client.say(handshake()).hears("\r\n\r\n"));
    const QByteArray stream =
        frame(kHello, true) + frame(QByteArray(300, ' '), true) + frame(kHello, true) + frame(kHello, false);
    const int before = calls_;
    for (qsizetype n = 0; n < stream.size(); n += at_once ? stream.size() : 7) {
      client.say(at_once ? stream : stream.mid(n, 7));
      serve_until([] { return false; }, at_once ? 0 : 2);
    }
    EXPECT_TRUE(client.ends());
    EXPECT_LE(calls_ - before, 2);
  }
  EXPECT_EQ(server_->refused().at("unmasked frame"), 2U);
}

TEST_F(ControlAccess, OverTlsAnUnmaskedFrameEndsTheConnectionToo) {
  start(tls());
  Wire client(server_->address());
  ASSERT_TRUE(client.say(handshake()).hears("\r\n\r\n"));
  client.say(frame(kHello, true) + frame(kHello, true));
  EXPECT_TRUE(client.hears("yes"));
  client.say(frame(kHello, false));
  EXPECT_TRUE(client.ends());
  EXPECT_EQ(calls_, 2);
}

// A watch that loses its position in the stream would close valid connections.
TEST_F(ControlAccess, MaskedFramesOfAnySizeAndCutAreNeverTakenForUnmaskedOnes) {
  constexpr unsigned kSeed = 20261122;
  std::mt19937 random(kSeed);
  for (const bool secure : {false, true}) {
    start(secure ? tls() : ControlSecurity());
    calls_ = 0;
    Wire client(server_->address());
    client.say(handshake());
    ASSERT_TRUE(client.hears("\r\n\r\n"));
    QByteArray stream;
    constexpr int kFrames = 400;
    for (int n = 0; n < kFrames; ++n)
      stream += frame(kHello + QByteArray(static_cast<qsizetype>(n % 10 == 0 ? random() % 60000 : random() % 300), ' '),
                      true);
    for (qsizetype sent = 0; sent < stream.size();) {
      const auto piece = static_cast<qsizetype>(1 + random() % (random() % 3 == 0 ? 200000 : 500));
      client.say(stream.mid(sent, piece));
      sent += piece;
      QCoreApplication::processEvents();
    }
    EXPECT_TRUE(serve_until([&] { return calls_ == kFrames || client.closed(); }, 20000)) << "seed " << kSeed;
    EXPECT_EQ(calls_, kFrames) << (secure ? "over TLS" : "plain");
    EXPECT_FALSE(client.closed());
    EXPECT_TRUE(server_->refused().empty());
  }
}

TEST(ClientFrames, LengthsOfAllThreeFormsAreReadInAnyPieces) {
  const auto masked = [](std::uint64_t length) {
    std::string bytes("\x82");
    if (length < 126) {
      bytes += static_cast<char>(0x80 | length);
    } else {
      const int size = length < 65536 ? 2 : 8;
      bytes += static_cast<char>(0x80 | (size == 2 ? 126 : 127));
      for (int n = size - 1; n >= 0; --n) bytes += static_cast<char>(length >> (8 * n));
    }
    return bytes + std::string(4 + length, '\x01');  // which would be a frame without a mask
  };
  std::string stream;
  for (const std::uint64_t length : {0U, 1U, 125U, 126U, 65535U, 65536U, 70000U}) stream += masked(length);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}, stream.size()}) {
    ClientFrames frames;
    for (std::size_t n = 0; n < stream.size(); n += piece)
      ASSERT_TRUE(frames.take(std::string_view(stream).substr(n, piece))) << piece;
    EXPECT_EQ(frames.payload_left(), 0U);
    EXPECT_FALSE(frames.take(std::string_view("\x82\x05", 2)));
    EXPECT_FALSE(frames.take(masked(1))) << "once found it stays";
  }
  ClientFrames endless;
  EXPECT_TRUE(endless.take(std::string("\x82\xFF") + std::string(8, '\xFF')));
  EXPECT_GT(endless.payload_left(), std::uint64_t{1} << 62U);
}

class Metrics : public ControlAccess {
 protected:
  std::string ask(MetricsServer& server, const QByteArray& headers, const QByteArray& what = "GET /metrics") {
    Wire one(server.address());
    one.say(what + " HTTP/1.1\r\n" + headers + "\r\n");
    EXPECT_TRUE(one.ends());
    return one.said().toStdString();
  }
  static std::string page() { return "vqas_up 1\n"; }
};

TEST_F(Metrics, BeyondLoopbackWithoutTlsAreRefused) {
  test::application();
  MetricsServer server(page);
  const Status refused = server.listen("0.0.0.0:0");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_THAT(refused.error().message, HasSubstr("--metrics"));
}

TEST_F(Metrics, OverTlsRequireAToken) {
  test::application();
  ControlSecurity security = tls();
  security.authorise = [](const std::string& token) {
    return token == "right" ? std::optional<std::string>("anna") : std::nullopt;
  };
  MetricsServer server(page, security);
  ASSERT_TRUE(server.listen("127.0.0.1:0"));
  EXPECT_THAT(server.address(), StartsWith("https://"));
  EXPECT_THAT(ask(server, "Authorization: Bearer right\r\n"), HasSubstr("vqas_up 1"));
  EXPECT_THAT(ask(server, "Host: bench.example\r\nauthorization:  Bearer right \r\n"), HasSubstr("vqas_up 1"));
  for (const QByteArray headers :
       {"", "Authorization: Bearer wrong\r\n", "Authorization: right\r\n", "X: Bearer right\r\n"}) {
    const std::string said = ask(server, headers);
    EXPECT_THAT(said, StartsWith("HTTP/1.1 401")) << headers.toStdString();
    EXPECT_THAT(said, ::testing::Not(HasSubstr("vqas_up")));
  }
}

TEST_F(Metrics, OnLoopbackAreServedForTheMachinesOwnNames) {
  test::application();
  MetricsServer server(page);
  ASSERT_TRUE(server.listen("127.0.0.1:0"));
  for (const QByteArray host : {"", "Host: 127.0.0.1:7813\r\n", "Host: localhost:7813\r\n", "Host: [::1]:7813\r\n"})
    EXPECT_THAT(ask(server, host), HasSubstr("vqas_up 1")) << host.toStdString();
  for (const QByteArray host : {"Host: evil.example:7813\r\n", "Host: localhost.evil.example\r\n"})
    EXPECT_THAT(ask(server, host), StartsWith("HTTP/1.1 403")) << host.toStdString();
  EXPECT_THAT(ask(server, "", "GET /"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(ask(server, "", "POST /metrics"), StartsWith("HTTP/1.1 400"));
}

}  // namespace
}  // namespace vqas
