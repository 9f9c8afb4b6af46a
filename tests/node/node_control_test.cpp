// A node's control socket, used by hand.
#include <gmock/gmock.h>

#include "node/node_harness.h"
#include "node/wire/rpc.h"
#include "vqas/node/machine_hosts.h"

namespace vqas {
namespace {

using test::Bench;
using test::code_of;
using test::Stranger;
using ::testing::HasSubstr;

class NodeControl : public test::NodeTest {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    bench_.emplace(test::varied_line(0, 1), folder_);
  }
  Json round(std::uint64_t number, const Json& send, const Json& expect) {
    return {{"number", number}, {"send", send}, {"expect", expect}};
  }
  std::optional<Bench> bench_;
};

TEST_F(NodeControl, HelloDescribesTheNode) {
  Stranger stranger(bench_->node_a->address());
  const Json said = stranger.ask("node.hello")["result"];
  EXPECT_EQ(said["protocol"], 3);
  EXPECT_EQ(said["end"], "a");
  EXPECT_EQ(said["stimuli"].size(), 12U);
  EXPECT_EQ(said["corpus_digest"].get<std::string>().size(), 64U);
  EXPECT_TRUE(said["line"]["virtual_time"].get<bool>());
  EXPECT_EQ(said["line"]["simulated"]["seed"], 1);
  EXPECT_TRUE(said["held_by"].is_null());
}

TEST_F(NodeControl, AMeasurementByHandFollowsTheProtocol) {
  Stranger a(bench_->node_a->address()), b(bench_->node_b->address());
  EXPECT_EQ(code_of(a.ask("session.open", test::session())), 0);
  EXPECT_EQ(code_of(b.ask("session.open", test::session())), 0);
  const Json send = Json::array({{{"stimulus", "M4"}, {"sequence", 1}}});
  const Json expect = Json::array({{{"stimulus", "M4"}, {"sequence", 1}, {"within_s", 10}}});
  EXPECT_EQ(code_of(a.ask("round.run", round(1, send, Json::array()))), 0);
  EXPECT_EQ(code_of(b.ask("round.run", round(1, Json::array(), expect))), 0);
  const Json sent = a.told("sent")["params"], measured = b.told("measurement")["params"];
  EXPECT_EQ(measured["outcome"], "scored") << measured;
  EXPECT_GT(measured["mos_lqo"], 3.0);
  EXPECT_NEAR((measured["arrived_at_ns"].get<double>() - sent["left_at_ns"].get<double>()) * 1e-6, 250, 0.1);
  EXPECT_EQ(b.told("round.done")["params"]["number"], 1);
  const Json recording = b.ask("recording.get", {{"name", measured["recording"]}})["result"];
  EXPECT_EQ(QByteArray::fromBase64(QByteArray::fromStdString(recording["base64"].get<std::string>())).left(4), "fLaC");
  EXPECT_EQ(b.ask("results.list")["result"]["measurements"].size(), 1U);
  EXPECT_EQ(b.ask("results.list", {{"after", 1}})["result"]["measurements"].size(), 0U);
  // No number is measured twice.
  EXPECT_EQ(code_of(b.ask("round.run", round(2, Json::array(), expect))), rpc::kInvalidParams);
}

TEST_F(NodeControl, ASecondControllerIsRefusedWithTheHoldersName) {
  Stranger first(bench_->node_a->address()), second(bench_->node_a->address());
  EXPECT_EQ(code_of(first.ask("session.open", test::session())), 0);
  const Json refused = second.ask("session.open", test::session("other"));
  EXPECT_EQ(code_of(refused), rpc::kHeld);
  EXPECT_THAT(refused["error"]["message"].get<std::string>(), HasSubstr("\"test\""));
  EXPECT_EQ(second.ask("node.hello")["result"]["held_by"], "test");
  EXPECT_EQ(code_of(second.ask("round.run")), rpc::kNoSession);
  first.ask("session.close");
  EXPECT_EQ(code_of(second.ask("session.open", test::session("other"))), 0);
}

TEST_F(NodeControl, AClosedConnectionFreesTheNode) {
  {
    Stranger first(bench_->node_a->address());
    EXPECT_EQ(code_of(first.ask("session.open", test::session())), 0);
    const Json send = Json::array({{{"stimulus", "M4"}, {"sequence", 1}}});
    EXPECT_EQ(code_of(first.ask("round.run", round(1, send, Json::array()))), 0);
  }
  Stranger second(bench_->node_a->address());
  EXPECT_TRUE(test::serve_until([&] { return second.ask("node.hello")["result"]["held_by"].is_null(); }));
  const Json opened = second.ask("session.open", test::session("second"));
  EXPECT_EQ(opened["result"]["last_round"], 1);
}

TEST_F(NodeControl, InvalidRequestsAreNamedAndChangeNothing) {
  Stranger stranger(bench_->node_a->address());
  EXPECT_EQ(code_of(stranger.ask("no.such.method")), rpc::kUnknownMethod);
  for (const char* key : {"protocol", "holder", "session", "run_id", "stimuli"}) {
    Json params = test::session();
    params.erase(key);
    const Json refused = stranger.ask("session.open", params);
    EXPECT_EQ(code_of(refused), rpc::kInvalidParams) << key;
    EXPECT_THAT(refused["error"]["message"].get<std::string>(), HasSubstr(key));
  }
  Json params = test::session("../../escape");
  EXPECT_EQ(code_of(stranger.ask("session.open", params)), rpc::kInvalidParams);
  params = test::session();
  params["stimuli"] = {"M99"};
  EXPECT_EQ(code_of(stranger.ask("session.open", params)), rpc::kInvalidParams);
  EXPECT_EQ(code_of(stranger.ask("session.open", test::session())), 0);
  const Json strange = Json::array({{{"stimulus", "M1"}, {"sequence", 1}}});
  EXPECT_EQ(code_of(stranger.ask("round.run", round(1, strange, Json::array()))), rpc::kInvalidParams)
      << "not in the session's list";
  EXPECT_EQ(code_of(stranger.ask("round.run", {{"number", 0}, {"send", Json::array()}, {"expect", Json::array()}})),
            rpc::kInvalidParams);
  EXPECT_EQ(code_of(stranger.ask("recording.get", {{"name", "../node-journal.jsonl"}})), rpc::kNotFound);
  EXPECT_EQ(code_of(stranger.ask("recording.get", {{"name", 3}})), rpc::kInvalidParams);
  EXPECT_EQ(code_of(stranger.ask("round.listen_until", {{"sequence", -1}})), rpc::kInvalidParams);
  EXPECT_EQ(code_of(stranger.ask("results.list", {{"after", "x"}})), rpc::kInvalidParams);
  EXPECT_EQ(stranger.ask("node.hello")["result"]["last_round"], 0);
}

TEST_F(NodeControl, AnOversizedMessageGetsAnErrorAndAHugeOneEndsItsConnectionOnly) {
  Stranger large(bench_->node_a->address()), other(bench_->node_a->address());
  large.say(std::string(rpc::kLongestMessage + 1, ' '));
  const Json refused = large.hear([](const Json& message) { return message.contains("error"); });
  EXPECT_EQ(code_of(refused), rpc::kInvalidRequest);
  large.say(std::string(8 * 1024 * 1024, ' '));
  EXPECT_TRUE(test::serve_until([&] { return large.closed(); }));
  EXPECT_EQ(other.ask("node.hello")["result"]["end"], "a");
}

TEST_F(NodeControl, NoiseOnTheSocketDoesNotDisturbARunningMeasurement) {
  test::WatchedRun run(test::short_plan(*bench_, folder_ / "run"));
  Stranger noisy(bench_->node_b->address());
  std::size_t sent = 0;
  QObject::connect(&run.controller, &Controller::measured, &run.controller, [&] {
    for (const std::string& text : {std::string("{"), std::string("[]"), std::string(300000, '['), std::string("\xff"),
                                    std::string(R"({"jsonrpc":"2.0","method":"session.close"})"),
                                    std::string(R"({"jsonrpc":"2.0","id":1,"method":"round.cancel"})")}) {
      noisy.say(text);
      ++sent;
    }
    noisy.socket().sendBinaryMessage(QByteArray(1000, 'x'));
  });
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.all().size(), 20U);
  EXPECT_GE(sent, 20U * 6);
  for (const Measurement& one : run.all()) EXPECT_EQ(one.outcome, Outcome::scored) << one.reason;
}

TEST(NodeAddress, OtherThanLoopbackIsServedOnlyOverTls) {
  test::application();
  const auto folder = std::filesystem::path(::testing::TempDir()) / "vqas-NodeAddress";
  test::RunningSimulator simulator;
  NodeOptions options;
  options.line = simulator.name(End::a);
  options.corpus = test::corpus_folder();
  options.data = folder;
  options.control = "0.0.0.0:0";
  const auto node = Node::start(options);
  ASSERT_TRUE(node) << node.error().message;
  EXPECT_THAT((*node)->address(), HasSubstr("wss://"));
  const auto hosts = machine_hosts();
  EXPECT_THAT((*node)->address(), HasSubstr(hosts.empty() ? "127.0.0.1" : hosts.front()))
      << "others reach it there, not at loopback";
  EXPECT_THAT((*node)->fingerprint(), HasSubstr("sha256:"));
  std::filesystem::remove_all(folder);
}

TEST(NodeAddress, AnInvalidAddressIsNamed) {
  test::application();
  for (const std::string control :
       {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000", "127.0.0.1:1:", "example.org:80"}) {
    NodeOptions options;
    options.control = control;
    const auto node = Node::start(options);
    ASSERT_FALSE(node) << control;
    EXPECT_THAT(node.error().message, HasSubstr("--control"));
  }
}

}  // namespace
}  // namespace vqas
