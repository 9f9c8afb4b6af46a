// The holder of a node, its lease, and its release by an operator.
#include <gmock/gmock.h>

#include <sstream>

#include "node/node_harness.h"
#include "node/wire/node_archive.h"
#include "node/wire/rpc.h"

namespace vqas {
namespace {

using test::code_of;
using test::Stranger;
using ::testing::HasSubstr;

Json keyed(const std::string& name, double lease_s = 600, const std::string& key = "a secret of the session") {
  Json params = test::session(name);
  params["key"] = key;
  params["lease_s"] = lease_s;
  return params;
}

Json round(std::uint64_t number, const Json& send, const Json& expect) {
  return {{"number", number}, {"send", send}, {"expect", expect}};
}

class Lease : public test::NodeTest {
 protected:
  void SetUp() override {
    test::NodeTest::SetUp();
    bench_.emplace(test::varied_line(0, 7), folder_);
  }
  std::string a() const { return bench_->node_a->address(); }
  std::string b() const { return bench_->node_b->address(); }
  Json status(const std::string& node) { return Stranger(node).ask("node.status")["result"]; }
  std::optional<test::Bench> bench_;
};

TEST_F(Lease, ANodeReportsItsHolderAndExpiry) {
  EXPECT_TRUE(status(a())["held_by"].is_null());
  Stranger holder(a());
  EXPECT_EQ(code_of(holder.ask("session.open", keyed("s-1", 100))), 0);
  const Json said = status(a());
  EXPECT_EQ(said["held_by"], "test");
  EXPECT_EQ(said["connected"], true);
  EXPECT_LE(said["expires_in_s"], 100);
  EXPECT_GT(said["expires_in_s"], 0);
  EXPECT_LT(said["since_utc"].get<std::string>(), said["expires_utc"].get<std::string>());
}

TEST_F(Lease, AResumedSessionHasTheMeasurementsMadeMeanwhile) {
  const Json send = Json::array({{{"stimulus", "M4"}, {"sequence", 1}}});
  const Json expect = Json::array({{{"stimulus", "M4"}, {"sequence", 1}, {"within_s", 10}}});
  {
    Stranger at_a(a()), at_b(b());
    EXPECT_EQ(code_of(at_a.ask("session.open", keyed("s-1"))), 0);
    EXPECT_EQ(code_of(at_b.ask("session.open", keyed("s-1"))), 0);
    EXPECT_EQ(code_of(at_a.ask("round.run", round(1, send, Json::array()))), 0);
    EXPECT_EQ(code_of(at_b.ask("round.run", round(1, Json::array(), expect))), 0);
  }
  ASSERT_TRUE(test::serve_until([&] { return status(b())["round"] == "done"; }));
  EXPECT_EQ(status(b())["connected"], false);
  Stranger other(b());
  EXPECT_EQ(code_of(other.ask("session.open", keyed("s-1", 600, "not the secret of it"))), rpc::kHeld);
  const Json refused = other.ask("session.open", keyed("s-2"));
  EXPECT_EQ(code_of(refused), rpc::kHeld);
  EXPECT_THAT(refused["error"]["message"].get<std::string>(), HasSubstr("lease expires in"));
  Stranger again(b());
  EXPECT_EQ(again.ask("session.open", keyed("s-1"))["result"]["resumed"], true);
  const Json listed = again.ask("results.list")["result"];
  ASSERT_EQ(listed["measurements"].size(), 1U);
  EXPECT_EQ(listed["measurements"][0]["outcome"], "scored");
  EXPECT_EQ(listed["round"], (Json{{"number", 1}, {"state", "done"}}));
  EXPECT_EQ(listed["scoring"], 0);
  EXPECT_GT(listed["line_time_ns"], 3'000'000'000);
}

TEST_F(Lease, ARepeatedRequestIsCarriedOutOnce) {
  const Json send = Json::array({{{"stimulus", "M4"}, {"sequence", 1}}});
  Stranger at_a(a()), at_b(b());
  EXPECT_EQ(code_of(at_a.ask("session.open", keyed("s-1"))), 0);
  EXPECT_EQ(code_of(at_b.ask("session.open", keyed("s-1"))), 0);
  for (int n = 0; n < 3; ++n) EXPECT_EQ(code_of(at_a.ask("round.run", round(1, send, Json::array()))), 0);
  EXPECT_EQ(code_of(at_b.ask("round.run", round(1, Json::array(), Json::array()))), 0);
  EXPECT_EQ(at_a.told("round.done")["params"]["number"], 1);
  EXPECT_EQ(code_of(at_a.ask("round.run", round(1, send, Json::array()))), 0);
  EXPECT_EQ(at_a.ask("results.list")["result"]["sent"].size(), 1U);
  EXPECT_EQ(code_of(at_a.ask("round.run", round(1, Json::array(), Json::array()))), rpc::kInvalidParams)
      << "another round of the same number";
}

TEST_F(Lease, AnExpiredLeaseFreesTheNodeAndKeepsItsMeasurements) {
  {
    Stranger holder(a());
    EXPECT_EQ(code_of(holder.ask("session.open", keyed("s-1", 1))), 0);
  }
  Stranger next(a());
  EXPECT_EQ(code_of(next.ask("session.open", keyed("s-2"))), rpc::kHeld);
  EXPECT_TRUE(test::serve_until([&] { return code_of(next.ask("session.open", keyed("s-2"))) == 0; }));
}

TEST_F(Lease, WithoutAKeyASessionEndsWithItsConnection) {
  {
    Stranger holder(a());
    EXPECT_EQ(code_of(holder.ask("session.open", test::session("s-1"))), 0);
  }
  EXPECT_TRUE(test::serve_until([&] { return status(a())["held_by"].is_null(); }));
}

TEST_F(Lease, ANodeReleasedByItsOperatorEndsTheRunWithTheReason) {
  RunPlan plan = test::short_plan(*bench_, folder_ / "run", 30, {});
  plan.link_patience_s = 60;
  test::WatchedRun run(plan);
  ASSERT_TRUE(test::serve_until([&] { return run.measured >= 5; }));
  EXPECT_TRUE(bench_->node_b->release());
  EXPECT_FALSE(bench_->node_b->release()) << "it has no holder any more";
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("operator"));
  EXPECT_GE(run.all().size(), 5U);
  Stranger same(b());
  Json params = keyed("s-9");
  EXPECT_EQ(code_of(same.ask("session.open", params)), 0);
  EXPECT_TRUE(bench_->node_b->release());
  EXPECT_EQ(same.told("session.ended")["params"]["code"], "taken_back");
  params["reconnect"] = true;
  EXPECT_EQ(code_of(same.ask("session.open", params)), rpc::kTakenBack) << "not by itself";
  params.erase("reconnect");
  EXPECT_EQ(code_of(same.ask("session.open", params)), 0) << "but when a person wants it";
}

TEST_F(Lease, TwoNodesDoNotShareADataFolder) {
  NodeOptions second;
  second.end = End::a;
  second.line = bench_->simulator->name(End::a);
  second.corpus = test::corpus_folder();
  second.data = folder_ / "a";
  const auto started = Node::start(second);
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("another node"));
}

TEST(SessionHistoryOfAJournal, EachSequenceIsReadOnceAndDamagedLinesAreSkipped) {
  std::istringstream journal(R"({"session":"s","opened":{"holder":"h","key":"0123"}})"
                             "\n"
                             R"({"session":"s","sent":{"sequence":1,"left_at_ns":5}})"
                             "\n"
                             R"({"session":"s","sent":{"sequence":0,"left_at_ns":5}})"
                             "\n"
                             R"({"session":"other s","sent":{"sequence":2,"left_at_ns":5}})"
                             "\n"
                             R"({"session":"s","measurement":{"sequence":1}})"
                             "\n[[[[[[[[[[[[[[[[[[[[\"s\"\n"
                             R"({"session":"s","sent":{"sequence":1,"left_at_ns":9}})"
                             "\n"
                             R"({"session":"s","sent":{"sequ)");
  const SessionHistory history = read_session_history(journal, "s");
  EXPECT_TRUE(history.known());
  ASSERT_EQ(history.sent.size(), 1U);
  EXPECT_EQ(history.sent.at(1)["left_at_ns"], 5);
  EXPECT_TRUE(history.measured.empty());
}

}  // namespace
}  // namespace vqas
