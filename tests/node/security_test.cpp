// Nodes reached over TLS, and clients that must not reach them.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpSocket>
#include <array>
#include <fstream>
#include <functional>

#include "node/node_harness.h"
#include "node/trust/node_identity.h"
#include "node/wire/control_server.h"
#include "node/wire/rpc.h"
#include "signal/private_file.h"
#include "vqas/node/peer_trust.h"
#include "vqas/node/peers.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using test::code_of;
using ::testing::Contains;
using ::testing::HasSubstr;

/// A client that trusts any certificate.
class TlsStranger {
 public:
  /// Waits until the connection is open or refused.
  explicit TlsStranger(const std::string& address) : TlsStranger(address, [] {}) {
    test::serve_until([this] { return socket_.isValid() || closed_; });
  }
  /// Does not wait: calls `connected` when the connection is open.
  TlsStranger(const std::string& address, const std::function<void()>& connected) {
    QSslConfiguration tls = socket_.sslConfiguration();
    tls.setPeerVerifyMode(QSslSocket::QueryPeer);
    socket_.setSslConfiguration(tls);
    QObject::connect(&socket_, &QWebSocket::textMessageReceived, &socket_,
                     [this](const QString& text) { heard_ = Json::parse(text.toStdString()); });
    QObject::connect(&socket_, &QWebSocket::disconnected, &socket_, [this] { closed_ = true; });
    QObject::connect(&socket_, &QWebSocket::connected, &socket_, connected);
    socket_.open(QUrl(QString::fromStdString(address)));
  }
  Json ask(const std::string& method, const Json& params = Json::object()) {
    heard_ = nullptr;
    say(Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}.dump());
    test::serve_until([this] { return !heard_.is_null() || closed_; });
    return heard_;
  }
  void say(const std::string& text) { socket_.sendTextMessage(QString::fromStdString(text)); }
  bool closed() const { return closed_; }

 private:
  QWebSocket socket_;
  Json heard_;
  bool closed_ = false;
};

class SecureNode : public test::NodeTest {
 protected:
  void SetUp() override {
    test::NodeTest::SetUp();
    NodeOptions options;
    options.tls = true;
    options.log = [this](const std::string& line) { log_.push_back(line); };
    bench_.emplace(test::varied_line(0, 7), folder_, options, options);
    for (const char* end : {"a", "b"}) tokens_.push_back(*NodeTokens(folder_ / end).add("anna"));
  }
  RunPlan plan(const std::string& name, std::size_t cap = 5) const {
    RunPlan plan = test::short_plan(*bench_, folder_ / name, cap);
    plan.access_a = {bench_->node_a->fingerprint(), tokens_[0]};
    plan.access_b = {bench_->node_b->fingerprint(), tokens_[1]};
    return plan;
  }
  std::optional<test::Bench> bench_;
  std::vector<std::string> tokens_, log_;
};

TEST_F(SecureNode, WithFingerprintAndTokenARunWorks) {
  EXPECT_THAT(bench_->node_a->address(), HasSubstr("wss://"));
  EXPECT_NE(bench_->node_a->fingerprint(), bench_->node_b->fingerprint());
  EXPECT_EQ(*peer_fingerprint(bench_->node_a->address()), bench_->node_a->fingerprint());
  test::WatchedRun run(plan("run"));
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.all().size(), 20U);
}

TEST_F(SecureNode, AnotherCertificateIsRefused) {
  RunPlan wrong = plan("run");
  wrong.access_b.fingerprint = bench_->node_a->fingerprint();
  test::WatchedRun run(wrong);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.code, ErrorCode::protocol);
  EXPECT_THAT(run.error, HasSubstr("certificate"));
  EXPECT_THAT(run.error, HasSubstr("node b"));
}

TEST_F(SecureNode, WithoutAFingerprintOrATokenTheErrorNamesTheOption) {
  RunPlan nothing = plan("run");
  nothing.access_b = {};
  test::WatchedRun stranger(nothing);
  ASSERT_TRUE(stranger.finish());
  EXPECT_EQ(stranger.code, ErrorCode::bad_input);
  EXPECT_THAT(stranger.error, HasSubstr("no fingerprint"));
  EXPECT_THAT(stranger.error, HasSubstr("--pairing FILE"));
  RunPlan forgotten = plan("run");
  forgotten.access_b.token.clear();
  test::WatchedRun known(forgotten);
  ASSERT_TRUE(known.finish());
  EXPECT_EQ(known.code, ErrorCode::bad_input);
  EXPECT_THAT(known.error, HasSubstr("node b"));
  EXPECT_THAT(known.error, HasSubstr("this node requires a token; give --pairing FILE"));
}

TEST_F(SecureNode, AWrongTokenIsRefusedAndLogged) {
  RunPlan wrong = plan("run");
  wrong.access_b.token = tokens_[0];
  test::WatchedRun run(wrong);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.code, ErrorCode::bad_input);
  EXPECT_THAT(run.error, HasSubstr("token"));
  EXPECT_THAT(log_, Contains(HasSubstr("wrong token")));
}

TEST_F(SecureNode, WithoutATokenNothingIsAnsweredAndTheConnectionEnds) {
  for (const char* method : {"node.hello", "node.status", "session.open", "results.list", "no.such"}) {
    TlsStranger stranger(bench_->node_a->address());
    EXPECT_EQ(code_of(stranger.ask(method, test::session())), rpc::kNoToken) << method;
    EXPECT_TRUE(test::serve_until([&] { return stranger.closed(); }));
  }
  TlsStranger large(bench_->node_a->address());
  large.say(std::string(10000, ' '));
  EXPECT_TRUE(test::serve_until([&] { return large.closed(); })) << "nor is much read of it";
}

TEST_F(SecureNode, TokensAreAddedAndRemovedWithoutARestart) {
  const NodeTokens tokens(folder_ / "a");
  const std::string bertas = *tokens.add("berta");
  TlsStranger berta(bench_->node_a->address());
  EXPECT_EQ(berta.ask("auth.token", {{"token", bertas}})["result"]["name"], "berta");
  EXPECT_EQ(berta.ask("node.hello")["result"]["end"], "a");
  ASSERT_TRUE(tokens.remove("berta"));
  TlsStranger again(bench_->node_a->address());
  EXPECT_EQ(code_of(again.ask("auth.token", {{"token", bertas}})), rpc::kNoToken);
}

TEST_F(SecureNode, AttacksDoNotDisturbARunningMeasurement) {
  const auto scores = [](const test::WatchedRun& run) {
    std::vector<double> found;
    for (const Measurement& one : run.all()) found.push_back(one.mos_lqo.value_or(0));
    return found;
  };
  std::vector<std::unique_ptr<TlsStranger>> attackers;
  std::vector<std::unique_ptr<QTcpSocket>> noise;
  // Long enough that the connections of the attackers are made while it runs, on a fast machine too.
  constexpr std::size_t kCap = 20, kAttackers = 20;
  test::WatchedRun run(plan("run", kCap));
  std::size_t begun = 0, in_time = 0;
  // Floods without a token, old versions of the protocol, wrong tokens, oversized texts.
  const auto attack = [&](TlsStranger& by, std::size_t kind) {
    if (!run.finished) ++in_time;
    switch (kind) {
      case 0:
        for (int n = 0; n < 300; ++n) by.say(R"({"jsonrpc":"2.0","id":1,"method":"session.close"})");
        break;
      case 1:
        by.say(R"({"jsonrpc":"2.0","id":1,"method":"auth.token","params":{"token":"vqas-0"}})");
        break;
      case 2:
        by.say(std::string(1000000, '['));
        break;
      default:
        by.say(R"({"jsonrpc":"2.0","id":1,"method":"session.open","params":{"protocol":1}})");
    }
  };
  QObject::connect(
      &run.controller, &Controller::measured, &run.controller,
      [&] {
        if (begun == kAttackers) return;
        const std::size_t number = begun++;
        const std::string address = number % 2 == 0 ? bench_->node_a->address() : bench_->node_b->address();
        // Data that is not TLS.
        noise.push_back(std::make_unique<QTcpSocket>());
        const QUrl url(QString::fromStdString(address));
        noise.back()->connectToHost(url.host(), static_cast<quint16>(url.port()));
        noise.back()->write(QByteArray(2000, static_cast<char>(number)));
        attackers.push_back(
            std::make_unique<TlsStranger>(address, [&, number] { attack(*attackers[number], number / 2 % 4); }));
      },
      Qt::QueuedConnection);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  EXPECT_GE(begun, 15U);
  EXPECT_GE(in_time, 3U) << "most attacks were made after the run";
  EXPECT_TRUE(test::serve_until([&] { return !log_.empty(); }));
  EXPECT_LT(log_.size(), 100U) << "the log is not to be filled either";
  // The same measurement without attacks, on a line of the same seed.
  attackers.clear();
  noise.clear();
  bench_.reset();
  NodeOptions options;
  options.tls = true;
  bench_.emplace(test::varied_line(0, 7), folder_, options, options);
  test::WatchedRun peaceful(plan("peaceful", kCap));
  ASSERT_TRUE(peaceful.finish());
  EXPECT_EQ(peaceful.error, "");
  EXPECT_EQ(scores(run), scores(peaceful));
}

TEST_F(SecureNode, AFloodOfAnAuthorisedClientIsRefused) {
  TlsStranger flooding(bench_->node_a->address());
  EXPECT_EQ(flooding.ask("auth.token", {{"token", tokens_[0]}})["result"]["name"], "anna");
  for (int n = 0; n < 300; ++n) flooding.say(R"({"jsonrpc":"2.0","id":1,"method":"node.hello"})");
  EXPECT_TRUE(test::serve_until([&] { return flooding.closed(); }));
  EXPECT_THAT(log_, Contains(HasSubstr("too many messages")));
}

TEST_F(SecureNode, TooManyWrongTokensBlockAnAddressForAWhile) {
  for (int n = 0; n < 5; ++n) {
    TlsStranger guessing(bench_->node_a->address());
    EXPECT_EQ(code_of(guessing.ask("auth.token", {{"token", "vqas-" + std::to_string(n)}})), rpc::kNoToken);
  }
  TlsStranger right(bench_->node_a->address());
  right.ask("auth.token", {{"token", tokens_[0]}});
  EXPECT_TRUE(test::serve_until([&] { return right.closed(); }));
  EXPECT_THAT(log_, Contains(HasSubstr("shut out")));
}

class NodeKeys : public test::NodeTest {};

TEST_F(NodeKeys, TheKeyIsPrivateAndPermanent) {
  const auto first = node_identity(folder_), again = node_identity(folder_);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->fingerprint, again->fingerprint);
  EXPECT_TRUE(is_fingerprint(first->fingerprint));
  for (const char* name : {"tls-key.pem", "tls-certificate.pem"}) {
    struct stat status {};
    ASSERT_EQ(::stat((folder_ / name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U) << name;
  }
  fs::remove(folder_ / "tls-key.pem");
  const auto broken = node_identity(folder_);
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message, HasSubstr("tls-key.pem: there is no such file"));
}

TEST_F(NodeKeys, AKeyThatCannotBeReadIsRefusedWithItsReason) {
  ASSERT_TRUE(node_identity(folder_));
  fs::resize_file(folder_ / "tls-key.pem", (1U << 20U) + 1);
  const auto large = node_identity(folder_);
  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().message, HasSubstr("tls-key.pem"));
  EXPECT_THAT(large.error().message, HasSubstr("larger than"));
  fs::resize_file(folder_ / "tls-key.pem", 10);
  const auto damaged = node_identity(folder_);
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("tls-key.pem is damaged; restore it, or remove"));
}

TEST_F(NodeKeys, AnAccessFileIsAPairingOrAToken) {
  const std::string fingerprint = "sha256:" + std::string(64, 'a');
  ASSERT_TRUE(write_pairing(folder_ / "pair.json", {"wss://x:1", fingerprint, "vqas-1"}));
  const auto pairing = read_access_file(folder_ / "pair.json");
  ASSERT_TRUE(pairing) << pairing.error().message;
  ASSERT_TRUE(std::holds_alternative<Pairing>(*pairing));
  EXPECT_EQ(std::get<Pairing>(*pairing).fingerprint, fingerprint);
  ASSERT_TRUE(write_private_file(folder_ / "token", "vqas-2\n"));
  const auto token = read_access_file(folder_ / "token");
  ASSERT_TRUE(token) << token.error().message;
  ASSERT_TRUE(std::holds_alternative<std::string>(*token));
  EXPECT_EQ(std::get<std::string>(*token), "vqas-2");
  for (const char* text : {"", " \n", "{", "{\"schema\": 1}"}) {
    ASSERT_TRUE(write_private_file(folder_ / "token", text));
    const auto bad = read_access_file(folder_ / "token");
    ASSERT_FALSE(bad) << text;
    EXPECT_THAT(bad.error().message, HasSubstr("vqas node token add"));
  }
  fs::permissions(folder_ / "pair.json", static_cast<fs::perms>(0644));
  EXPECT_FALSE(read_access_file(folder_ / "pair.json"));
}

// As ssh refuses a key.
TEST_F(NodeKeys, AFileThatOthersCanReadIsRefusedWithAdvice) {
  ASSERT_TRUE(node_identity(folder_));
  const NodeTokens tokens(folder_);
  const std::string token = *tokens.add("anna");
  ASSERT_TRUE(write_pairing(folder_ / "pair.json", {"wss://x:1", "sha256:" + std::string(64, 'a'), token}));
  const auto rights = [&](const char* name, unsigned mode) {
    fs::permissions(folder_ / name, static_cast<fs::perms>(mode));
  };
  for (const unsigned mode : {0644U, 0640U, 0604U, 0620U, 0601U}) {
    SCOPED_TRACE(mode);
    for (const char* name : {"tls-key.pem", "tokens.json", "pair.json"}) rights(name, mode);
    const auto identity = node_identity(folder_);
    ASSERT_FALSE(identity);
    EXPECT_THAT(identity.error().message, HasSubstr("chmod 600 " + (folder_ / "tls-key.pem").string()));
    EXPECT_EQ(tokens.owner(token), std::nullopt);
    ASSERT_FALSE(tokens.names());
    EXPECT_THAT(tokens.names().error().message, HasSubstr("chmod 600 " + (folder_ / "tokens.json").string()));
    EXPECT_FALSE(tokens.add("berta"));
    ASSERT_FALSE(read_pairing(folder_ / "pair.json"));
    EXPECT_THAT(read_pairing(folder_ / "pair.json").error().message, HasSubstr("chmod 600"));
  }
  for (const char* name : {"tls-key.pem", "tokens.json", "pair.json"}) rights(name, 0600);
  EXPECT_TRUE(node_identity(folder_));
  EXPECT_EQ(tokens.owner(token), "anna");
  EXPECT_TRUE(read_pairing(folder_ / "pair.json"));
}

TEST_F(NodeKeys, ANodeWithTokensThatOthersCanReadDoesNotStart) {
  ASSERT_TRUE(NodeTokens(folder_).add("anna"));
  fs::permissions(folder_ / "tokens.json", static_cast<fs::perms>(0644));
  NodeOptions options;
  options.data = folder_;
  options.corpus = test::corpus_folder();
  options.tls = true;
  const auto node = Node::start(options);
  ASSERT_FALSE(node);
  EXPECT_THAT(node.error().message, HasSubstr("chmod 600"));
}

TEST_F(NodeKeys, TokensAreKeptAsDigests) {
  const NodeTokens tokens(folder_);
  EXPECT_EQ(tokens.owner("anything"), std::nullopt);
  const std::string anna = *tokens.add("anna"), berta = *tokens.add("berta");
  EXPECT_NE(anna, berta);
  EXPECT_GE(anna.size(), 64U);
  EXPECT_EQ(tokens.owner(anna), "anna");
  EXPECT_EQ(tokens.owner(berta), "berta");
  EXPECT_EQ(tokens.owner(anna + "0"), std::nullopt);
  EXPECT_EQ(tokens.owner(""), std::nullopt);
  EXPECT_FALSE(tokens.add("anna")) << "its owner would be locked out";
  for (const char* bad : {"", "a b", "../x"}) EXPECT_FALSE(tokens.add(bad)) << bad;
  std::ifstream file(folder_ / "tokens.json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text.find(anna.substr(5)), std::string::npos);
  EXPECT_EQ(*tokens.names(), (std::vector<std::string>{"anna", "berta"}));
  EXPECT_TRUE(tokens.remove("anna"));
  EXPECT_FALSE(tokens.remove("anna"));
  EXPECT_EQ(tokens.owner(anna), std::nullopt);
  std::ofstream(folder_ / "tokens.json") << "{";
  EXPECT_EQ(tokens.owner(berta), std::nullopt) << "a damaged file admits no client";
  EXPECT_FALSE(tokens.add("clara"));
}

TEST_F(NodeKeys, KnownPeersAndPairingsAreReadBack) {
  const std::string fingerprint = "sha256:" + std::string(64, 'a'), other = "sha256:" + std::string(64, 'b');
  auto peers = KnownPeers::read(folder_ / "deep" / "known-peers");
  ASSERT_TRUE(peers);
  EXPECT_EQ(peers->fingerprint("wss://x:1"), std::nullopt);
  ASSERT_TRUE(peers->add("wss://x:1", fingerprint));
  ASSERT_TRUE(peers->add("wss://y:1", other));
  std::ofstream(folder_ / "deep" / "known-peers", std::ios::app) << "# a remark\nwss://z:1 sha1:00\n";
  const auto again = KnownPeers::read(folder_ / "deep" / "known-peers");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->fingerprint("wss://x:1"), fingerprint);
  EXPECT_EQ(again->fingerprint("wss://y:1"), other);
  EXPECT_EQ(again->fingerprint("wss://z:1"), std::nullopt);
  ASSERT_TRUE(write_pairing(folder_ / "pair.json", {"wss://x:1", fingerprint, "vqas-1"}));
  const auto pairing = read_pairing(folder_ / "pair.json");
  ASSERT_TRUE(pairing);
  EXPECT_EQ(pairing->token, "vqas-1");
  for (const std::string& text : {std::string(), std::string("{}"), std::string(1000, '[')}) {
    std::ofstream(folder_ / "bad.json") << text;
    EXPECT_FALSE(read_pairing(folder_ / "bad.json"));
  }
}

}  // namespace
}  // namespace vqas
