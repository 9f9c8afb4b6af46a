// The controller's links to its nodes: what is asked before a node is held, and what follows the loss of a link.
#include <gmock/gmock.h>

#include "node/fake_node.h"
#include "node/wire/rpc.h"

namespace vqas {
namespace {

using test::WatchedRun;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NodeLinksTest : public test::FakeNodesTest {
 protected:
  static RunPlan patient(RunPlan plan, double patience_s = 60) {
    plan.link_patience_s = patience_s;
    return plan;
  }
  /// Node b measures the first transmission of its first round and hangs up. Later it ends what it was asked for.
  void let_b_hang_up(const std::function<void()>& then = [] {}) {
    obey_always();
    b.on_round = [this, then](const Json& round) {
      if (b.requested("round.run").size() > 1) return obey(b, round);
      asked_ = round;
      b.tell("measurement", measurement(round["expect"][0]));
      b.hang_up();
      then();
    };
    b.answers["results.list"]["round"] = {{"number", 1}, {"state", "running"}};
    b.on_list = [this] {
      if (asked_.is_null()) return;
      b.tell("measurement", measurement(asked_["expect"][1]));
      done(b, std::exchange(asked_, Json()));
    };
  }
  Json asked_;  // b's round that is not done
};

TEST_F(NodeLinksTest, NoNodeIsHeldUnlessBothFit) {
  b.answers["node.hello"]["corpus_digest"] = "another";
  WatchedRun run(plan());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::bad_input);
  EXPECT_THAT(run.error, AllOf(HasSubstr("node b"), HasSubstr("another corpus")));
  for (const test::FakeNode* const node : {&a, &b}) EXPECT_THAT(node->requested("session.open"), IsEmpty());
}

TEST_F(NodeLinksTest, WithoutPatienceASessionHasNoLease) {
  obey_always();
  WatchedRun run(plan());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  for (const test::FakeNode* const node : {&a, &b}) {
    const auto opened = node->requested("session.open");
    ASSERT_EQ(opened.size(), 1U);
    for (const char* member : {"key", "lease_s", "resume", "reconnect"}) EXPECT_FALSE(opened[0].contains(member));
    EXPECT_EQ(node->requested("session.close").size(), 1U);
  }
}

TEST_F(NodeLinksTest, ALeaseOutlastsThePatienceButNotADay) {
  obey_always();
  for (const auto& [patience_s, lease_s] : {std::pair{0.5, 30.5}, {60.0, 90.0}, {1e6, 86400.0}}) {
    RunPlan other = patient(plan(), patience_s);
    other.folder = folder_ / std::to_string(patience_s);
    WatchedRun run(other);
    ASSERT_TRUE(run.finish(kSoonMs));
    EXPECT_EQ(run.error, "");
    const Json opened = a.requested("session.open").back();
    EXPECT_EQ(opened["lease_s"], lease_s);
    EXPECT_EQ(opened["resume"], false);
    EXPECT_EQ(opened["reconnect"], false);
  }
}

TEST_F(NodeLinksTest, ALinkThatReturnsAtOnceIsNotTold) {
  let_b_hang_up();
  WatchedRun run(patient(plan()));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.all().size(), 4U);
  EXPECT_THAT(run.noticed, IsEmpty());
  const auto opened = b.requested("session.open");
  ASSERT_EQ(opened.size(), 2U);
  EXPECT_EQ(opened[1]["reconnect"], true);
  EXPECT_EQ(opened[1]["resume"], true);
  EXPECT_EQ(opened[1]["key"], opened[0]["key"]) << "the same session";
  EXPECT_THAT(b.requested("round.abandon"), IsEmpty()) << "the node still had its round";
}

TEST_F(NodeLinksTest, ANodeOutOfReachIsToldToTheOtherAndItsReturnToBoth) {
  let_b_hang_up([this] { b.stop_listening(); });
  WatchedRun run(patient(plan()));
  std::vector<std::string> away;
  QObject::connect(&run.controller, &Controller::out_of_reach, &run.controller, [&](const QString& node) {
    away.push_back(node.toStdString());
    if (!node.isEmpty()) b.listen();
  });
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(away, (std::vector<std::string>{"node b at " + b.address(), ""}));
  ASSERT_EQ(run.noticed.size(), 2U);
  EXPECT_THAT(run.noticed[0], AllOf(HasSubstr("node b"), HasSubstr("is out of reach; the run waits for it for 60 s")));
  EXPECT_THAT(run.noticed[1], HasSubstr("is there again"));
  const auto told_a = a.requested("operator.tell"), told_b = b.requested("operator.tell");
  ASSERT_EQ(told_a.size(), 2U);
  ASSERT_EQ(told_b.size(), 1U) << "it cannot be told that it is away";
  EXPECT_FALSE(told_a[0].contains("waits"));
  EXPECT_EQ(told_a[1], told_b[0]);
  EXPECT_EQ(told_a[1]["waits"], false);
}

TEST_F(NodeLinksTest, ANodeThatReturnsWithAnotherCorpusEndsTheRun) {
  let_b_hang_up([this] { b.answers["node.hello"]["corpus_digest"] = "another"; });
  WatchedRun run(patient(plan()));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::bad_input);
  EXPECT_THAT(run.error, HasSubstr("another corpus"));
  EXPECT_EQ(b.requested("session.open").size(), 1U);
}

TEST_F(NodeLinksTest, ANodeThatRefusesItsSessionAfterItsReturnEndsTheRun) {
  let_b_hang_up([this] { b.faults["session.open"] = rpc::kTryAgain; });
  WatchedRun run(patient(plan()));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_THAT(run.error, AllOf(HasSubstr("node b"), HasSubstr("not now")));
}

TEST_F(NodeLinksTest, APatienceThatIsUsedUpEndsTheRunAndFreesTheOtherNode) {
  let_b_hang_up([this] { b.stop_listening(); });
  WatchedRun run(patient(plan(), 0.3));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("node b"));
  EXPECT_TRUE(test::serve_until([this] { return !a.requested("session.close").empty(); }));
  EXPECT_THAT(b.requested("session.close"), IsEmpty());
  EXPECT_TRUE(std::ranges::any_of(run.all(), [](const Measurement& one) { return one.mos_lqo.has_value(); }))
      << "what came before is kept";
}

TEST_F(NodeLinksTest, WithoutPatienceALostNodeEndsTheRunWithoutAnotherAttempt) {
  let_b_hang_up();
  WatchedRun run(plan());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_EQ(b.requested("node.hello").size(), 1U);
}

TEST_F(NodeLinksTest, RoundsContinueTheNumbersOfTheNodeThatKnowsMore) {
  obey_always();
  a.answers["session.open"]["last_round"] = 3;
  b.answers["session.open"]["last_round"] = 41;
  WatchedRun run(plan());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(a.requested("round.run").at(0)["number"], 42);
}

}  // namespace
}  // namespace vqas
