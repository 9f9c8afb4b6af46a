// A call that a simulated network releases in the middle of a run, and that is made again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node/node_harness.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using RedialTest = test::NodeTest;

// Half of all bits wrong for three seconds, for which the network hangs up; for 25 s there is nothing.
SimulatedLine released_line() {
  const auto profile = parse_profile(R"(
delay_s = 0.25
[[errors]]
kind = "varying"
steps = [{ duration_s = 12, ber = 1e-9 }, { duration_s = 3, ber = 0.3 }, { duration_s = 86400, ber = 1e-9 }]
loop = false
[release]
ber = 1e-2
after_s = 1
restore_s = 25
restored_ber = 1e-9
)",
                                     "test");
  EXPECT_TRUE(profile) << profile.error().message;
  return profiled_line(*profile, 0, 0, 3);
}

TEST_F(RedialTest, AReleasedCallIsMadeAgainAndTheRunGoesOnWithWhatWasWanted) {
  const test::Bench bench(released_line(), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.redial = "echo again >> '" + (folder_ / "redials").string() + "'";
  plan.redial_s = 0;
  plan.within_s = 3;
  test::WatchedRun run(plan);
  std::vector<std::string> said;
  QObject::connect(&run.controller, &Controller::paused, &run.controller,
                   [&said](const QString& why) { said.push_back(why.toStdString()); });
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.error, "");
  std::size_t lost = 0;
  for (const Measurement& one : run.all()) lost += one.outcome == Outcome::line_lost ? 1 : 0;
  EXPECT_GE(lost, 1U);
  EXPECT_GT(run.results().lost_seconds, 0);
  for (const DirectionRun& direction : run.results().directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      EXPECT_EQ(stimulus.interval.n, 5U) << "everything that was wanted was measured";
    }
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "redials"));
  ASSERT_GE(said.size(), 2U);
  EXPECT_THAT(said.front(), HasSubstr("call is gone"));
  EXPECT_EQ(said.back(), "") << "and there again";
}

TEST_F(RedialTest, ACallThatStaysGoneEndsTheRunAfterSomeAttempts) {
  SimulatedLine line = released_line();
  line.profile->release->restore_s = 3600;
  const test::Bench bench(line, folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.redial = "true";
  plan.redial_s = 0;
  plan.most_redials = 2;
  plan.within_s = 3;
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("2 attempts"));
}

TEST_F(RedialTest, ACommandThatFailsEndsTheRunAndSaysSo) {
  const test::Bench bench(released_line(), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.redial = "exit 3";
  plan.within_s = 3;
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("ended with code 3"));
}

}  // namespace
}  // namespace vqas
