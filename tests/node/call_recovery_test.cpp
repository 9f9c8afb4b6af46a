// A lost call: when it is redialled, how often, what the operators are told, and when the run ends.
#include <gmock/gmock.h>

#include <fstream>
#include <string>

#include "node/fake_node.h"

namespace vqas {
namespace {

using test::FakeNode;
using test::WatchedRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CallRecoveryTest : public test::ObeyingNodesTest {
 protected:
  static constexpr const char* kGone = "only silence arrived: the call is gone";

  RunPlan plan() const override {
    RunPlan plan = test::FakeNodesTest::plan();
    plan.redial_s = 0;
    return plan;
  }
  /// The command notes each call of it.
  RunPlan redialling(const std::string& then = "true") const {
    RunPlan plan = this->plan();
    plan.redial = "echo again >> '" + redials().string() + "'; " + then;
    return plan;
  }
  std::filesystem::path redials() const { return folder_ / "redials"; }
  std::size_t redialled() const {
    std::ifstream file(redials());
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    return lines;
  }
  static Json lost(const Json& expected) {
    Json one = measurement(expected);
    one["outcome"] = "line_lost";
    one["mos_lqo"] = nullptr;
    one["marks_found"] = "none";
    one["reason"] = kGone;
    return one;
  }
  /// Node b measures its n-th transmission, from 1, as lost if `is_lost` says so, and then `stops` or measures the rest
  /// of its round.
  void b_loses(const std::function<bool(int n)>& is_lost, bool stops = false) {
    b.on_round = [this, is_lost, stops, n = 0](const Json& round) mutable {
      for (const Json& one : round["expect"]) {
        const bool loses = is_lost(++n);
        b.tell("measurement", loses ? lost(one) : measurement(one));
        if (loses && stops) return;
      }
      done(b, round);
    };
  }
};

TEST_F(CallRecoveryTest, ALostCallIsRedialledAndOneMeasurementEachWayShowsThatItIsBack) {
  RunPlan plan = redialling();
  plan.sampling.first_count = plan.sampling.cap_count = 4;
  b_loses([](int n) { return n == 2; });
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(redialled(), 1U);
  const auto rounds = a.requested("round.run");
  ASSERT_GE(rounds.size(), 2U);
  EXPECT_EQ(rounds[0]["send"].size(), 4U);
  EXPECT_EQ(rounds[1]["send"].size(), 1U);
  ASSERT_EQ(run.paused.size(), 2U);
  EXPECT_THAT(run.paused[0], AllOf(HasSubstr(kGone), HasSubstr("--redial")));
  EXPECT_EQ(run.paused[1], "") << "the run continues";
  for (const FakeNode* const node : {&a, &b}) EXPECT_EQ(node->requested("operator.tell").size(), 2U);
  EXPECT_GT(run.results().lost_seconds, 0);
  std::size_t in_second = 0;
  for (const Measurement& one : run.results().directions[0].stimuli[0].measurements) {
    EXPECT_EQ(one.outcome, one.sequence == 2 ? Outcome::line_lost : Outcome::scored) << one.sequence;
    in_second += one.call == 2 ? 1 : 0;
  }
  EXPECT_GE(in_second, 1U);
}

TEST_F(CallRecoveryTest, ACommandThatFailsEndsTheRun) {
  b_loses([](int n) { return n == 2; });
  WatchedRun run(redialling("exit 3"));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("the command of --redial ended with code 3"));
  EXPECT_EQ(redialled(), 1U);
}

TEST_F(CallRecoveryTest, TheRunEndsAfterAsManyRedialsAsThePlanAllows) {
  RunPlan plan = redialling();
  plan.most_redials = 2;
  b_loses([](int n) { return n >= 2; });
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("2 attempts to redial it failed"));
  EXPECT_EQ(redialled(), 2U);
}

TEST_F(CallRecoveryTest, RedialsAreCountedAnewAfterARoundWithoutALoss) {
  RunPlan plan = redialling();
  plan.most_redials = 1;
  plan.sampling.first_count = plan.sampling.cap_count = 4;
  b_loses([](int n) { return n == 2 || n == 4; }, true);
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(redialled(), 2U);
}

TEST_F(CallRecoveryTest, NoRedialsAllowedIsTheSameAsNoCommand) {
  RunPlan plan = redialling();
  plan.most_redials = 0;
  b_loses([](int n) { return n == 2; });
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(redialled(), 0U);
  EXPECT_THAT(run.paused, IsEmpty());
}

TEST_F(CallRecoveryTest, WithoutCommandAndPatienceALostCallDoesNotPauseTheRun) {
  b_loses([](int n) { return n == 2; });
  WatchedRun run(plan());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_THAT(run.paused, IsEmpty());
  for (const FakeNode* const node : {&a, &b}) EXPECT_THAT(node->requested("round.abandon"), IsEmpty());
  EXPECT_EQ(run.results().lost_seconds, 0);
}

TEST_F(CallRecoveryTest, WithoutACommandTheOperatorsAreAskedOnceAndTheTimeLeftIsNoticed) {
  b_loses([](int n) { return n >= 2 && n <= 4; });
  WatchedRun run(patient());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  ASSERT_EQ(run.paused.size(), 2U);
  EXPECT_THAT(run.paused[0], AllOf(HasSubstr(kGone), HasSubstr("(--link-patience)")));
  EXPECT_EQ(run.paused[1], "");
  ASSERT_EQ(run.noticed.size(), 2U) << "for each further loss";
  for (const std::string& one : run.noticed)
    EXPECT_THAT(one, AllOf(HasSubstr("still only silence"), HasSubstr("s left")));
}

TEST_F(CallRecoveryTest, WithoutACommandTheRunEndsWhenItsPatienceIsUsedUp) {
  b_loses([](int n) { return n >= 2; });
  WatchedRun run(patient(0.2));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, AllOf(HasSubstr("the call did not return within 0.2 s"), HasSubstr("--redial")));
}

TEST_F(CallRecoveryTest, ALineThatNeverWorkedIsSaidToNeedACheck) {
  b_loses([](int) { return true; });
  WatchedRun run(patient(0.2));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, AllOf(HasSubstr("no mark of a has come to b yet"), HasSubstr("vqas line check")));
  for (const Measurement& one : run.results().directions[0].stimuli[0].measurements) {
    EXPECT_EQ(one.outcome, Outcome::not_found) << "a call that never existed is not lost";
    EXPECT_EQ(one.call, 0U);
  }
}

TEST_F(CallRecoveryTest, AnotherLevelOfARedialledCallIsToldOnceForItsDirection) {
  RunPlan plan = redialling();
  plan.sampling.first_count = plan.sampling.cap_count = 6;
  b.on_round = [this, n = 0](const Json& round) mutable {
    for (const Json& expected : round["expect"]) {
      if (++n == 3) return b.tell("measurement", lost(expected));
      Json one = measurement(expected);
      one["level_difference_db"] = n < 3 ? -3.0 : -13.0;
      b.tell("measurement", one);
    }
    done(b, round);
  };
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  ASSERT_EQ(run.noticed.size(), 1U);
  EXPECT_THAT(run.noticed[0], AllOf(HasSubstr("a to b"), HasSubstr("10.0 dB lower")));
}

}  // namespace
}  // namespace vqas
