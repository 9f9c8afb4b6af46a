// A round that cannot continue: what its nodes are asked, what counts, and what is sent again.
#include <gmock/gmock.h>

#include <set>

#include "node/fake_node.h"
#include "node/wire/rpc.h"

namespace vqas {
namespace {

using test::FakeNode;
using test::WatchedRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RoundBreakTest : public test::ObeyingNodesTest {
 protected:
  static constexpr const char* kFailed = "round.failed";
  static Json failure(const char* code = "line_lost") {
    return {{"code", code}, {"message", "the line went away"}, {"line_time_ns", 0}};
  }
  /// The first round of a node does this, every later one is obeyed.
  static void at_first(FakeNode& node, const std::function<void(const Json& round)>& act) {
    node.on_round = [&node, act](const Json& round) {
      if (node.requested("round.run").size() > 1) return obey(node, round);
      act(round);
    };
  }
  static std::vector<Measurement> from(const WatchedRun& run, End end) {
    for (const DirectionRun& direction : run.results().directions) {
      if (direction.from == end) return direction.stimuli.at(0).measurements;
    }
    return {};
  }
  static std::size_t scored(const std::vector<Measurement>& measured) {
    return static_cast<std::size_t>(
        std::ranges::count_if(measured, [](const Measurement& one) { return one.mos_lqo.has_value(); }));
  }
};

TEST_F(RoundBreakTest, ItsRestIsSentAgainUnderNewNumbers) {
  at_first(a, [this](const Json&) { a.tell(kFailed, failure()); });
  at_first(b, [this](const Json& round) { b.tell("measurement", measurement(round["expect"][0])); });
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  for (const FakeNode* const node : {&a, &b}) {
    EXPECT_EQ(node->requested("round.abandon").size(), 1U);
    EXPECT_EQ(node->requested("results.list").size(), 1U);
    std::set<std::uint32_t> sent;
    for (const Json& round : node->requested("round.run")) {
      for (const Json& one : round["send"])
        EXPECT_TRUE(sent.insert(one["sequence"].get<std::uint32_t>()).second) << one;
    }
  }
  EXPECT_EQ(scored(from(run, End::a)), 2U);
  EXPECT_EQ(from(run, End::a).front().sequence, 1U) << "what came before the break counts";
  EXPECT_EQ(scored(from(run, End::b)), 2U);
  EXPECT_GT(run.results().lost_seconds, 0);
}

TEST_F(RoundBreakTest, WhatHadLeftAndDidNotArriveIsEnteredAsLost) {
  at_first(a, [this](const Json& round) {
    a.tell("sent", {{"sequence", round["send"][0]["sequence"]}, {"left_at_ns", 1'900'000'000}});
    a.tell(kFailed, failure());
  });
  at_first(b, [](const Json&) {});
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  const auto measured = from(run, End::a);
  ASSERT_EQ(measured.size(), 3U) << "the second one had not left";
  EXPECT_EQ(measured[0].sequence, 1U);
  EXPECT_EQ(scored(measured), 2U);
  EXPECT_FALSE(measured[0].mos_lqo);
  EXPECT_THAT(measured[0].reason,
              AllOf(HasSubstr("in progress when its round was broken off"), HasSubstr("the line went away")));
}

TEST_F(RoundBreakTest, AListIsAskedForUntilItsNodeScoresNoMore) {
  at_first(a, [this](const Json&) { a.tell(kFailed, failure()); });
  Json asked;
  at_first(b, [&asked](const Json& round) { asked = round; });
  b.answers["results.list"]["scoring"] = 1;
  b.on_list = [this, &asked] {
    b.answers["results.list"]["scoring"] = 0;
    b.answers["results.list"]["measurements"] = Json::array({measurement(asked["expect"][1])});
  };
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(b.requested("results.list").size(), 2U);
  EXPECT_EQ(a.requested("results.list").size(), 1U);
  EXPECT_EQ(from(run, End::a).front().sequence, 2U) << "it was only in the list";
}

TEST_F(RoundBreakTest, WithoutPatienceItEndsTheRun) {
  at_first(a, [this](const Json&) { a.tell(kFailed, failure()); });
  WatchedRun run(plan());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, AllOf(HasSubstr("node a"), HasSubstr("the line went away")));
  EXPECT_THAT(a.requested("round.abandon"), IsEmpty());
  EXPECT_EQ(scored(from(run, End::a)), 2U) << "the other node's measurements are kept";
}

TEST_F(RoundBreakTest, AFaultOfANodesDiskEndsTheRunDespitePatience) {
  at_first(a, [this](const Json&) { a.tell(kFailed, failure("io")); });
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::io);
  EXPECT_THAT(a.requested("round.abandon"), IsEmpty());
}

TEST_F(RoundBreakTest, TroubleThatOutlastsThePatienceEndsTheRun) {
  for (FakeNode* const node : {&a, &b}) node->on_round = [node](const Json&) { node->tell(kFailed, failure()); };
  WatchedRun run(patient(0.5));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("the line went away"));
  const auto rounds = a.requested("round.run");
  ASSERT_GE(rounds.size(), 2U) << "it was tried again";
  for (std::size_t n = 1; n < rounds.size(); ++n)
    EXPECT_THAT(rounds[n]["send"], IsEmpty()) << "an empty round shows whether the line is back";
}

TEST_F(RoundBreakTest, ANodeThatDoesNotAbandonItsRoundEndsTheRun) {
  at_first(a, [this](const Json&) { a.tell(kFailed, failure()); });
  b.faults["round.abandon"] = rpc::kTryAgain;
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_THAT(run.error, AllOf(HasSubstr("node b"), HasSubstr("not now")));
}

TEST_F(RoundBreakTest, AnImpossibleListIsAFaultOfItsNode) {
  at_first(a, [this](const Json&) { a.tell(kFailed, failure()); });
  at_first(b, [](const Json&) {});
  b.answers["results.list"]["measurements"] = Json::array({{{"sequence", 2}}});
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::protocol);
  EXPECT_THAT(run.error, HasSubstr("node b"));
}

TEST_F(RoundBreakTest, ANodeThatReturnsWithoutItsRoundBreaksIt) {
  at_first(b, [this](const Json&) { b.hang_up(); });
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  ASSERT_EQ(run.noticed.size(), 1U);
  EXPECT_THAT(run.noticed[0], HasSubstr("it lost its current round, which is sent again"));
  for (const FakeNode* const node : {&a, &b}) EXPECT_EQ(node->requested("round.abandon").size(), 1U);
  EXPECT_EQ(scored(from(run, End::a)), 2U);
}

TEST_F(RoundBreakTest, ANodeThatEndedItsRoundWhileItWasAwayBreaksNothing) {
  at_first(b, [this](const Json& round) {
    Json& list = b.answers["results.list"];
    for (const Json& one : round["expect"]) list["measurements"].push_back(measurement(one));
    list["round"] = {{"number", round["number"]}, {"state", "done"}};
    list["line_time_ns"] = 7'000'000'000;
    b.hang_up();
  });
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  EXPECT_THAT(b.requested("round.abandon"), IsEmpty());
  EXPECT_EQ(scored(from(run, End::a)), 2U);
  EXPECT_EQ(run.results().line_seconds, 7);
  EXPECT_EQ(run.results().lost_seconds, 0) << "nothing was lost";
}

}  // namespace
}  // namespace vqas
