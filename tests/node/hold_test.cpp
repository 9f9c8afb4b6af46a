// A run that its operator pauses.
#include <gtest/gtest.h>

#include "node/node_harness.h"
#include "node/paced_line.h"
#include "vqas/node/run_forecast.h"

namespace vqas {
namespace {

using Held = test::NodeTest;

std::size_t scored_in(const RunResults& results) {
  std::size_t count = 0;
  for (const DirectionRun& direction : results.directions)
    for (const StimulusRun& stimulus : direction.stimuli) count += stimulus.interval.n;
  return count;
}

/// Holds the run at its first measurement, looks whether anything comes in `quiet_ms`, and lets it carry on.
void hold_once(test::WatchedRun& run, int quiet_ms) {
  int held = 0;
  QObject::connect(&run.controller, &Controller::held, &run.controller, [&held] { ++held; });
  ASSERT_TRUE(test::serve_until([&run] { return run.measured > 0 || run.finished; }, 60000));
  run.controller.hold();
  run.controller.hold();
  ASSERT_TRUE(test::serve_until([&] { return held > 0 || run.finished; }, 60000));
  EXPECT_EQ(held, 1);
  ASSERT_FALSE(run.finished) << run.error;
  const auto before = run.measured;
  EXPECT_FALSE(test::serve_until([&] { return run.measured != before; }, quiet_ms)) << "nothing is sent meanwhile";
  run.controller.carry_on();
}

TEST_F(Held, ARunInVirtualTimeLosesNothingByAPause) {
  const test::Bench bench(test::varied_line(1e-4, 7), folder_);
  test::WatchedRun run(test::short_plan(bench, folder_ / "run", 10));
  hold_once(run, 300);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(scored_in(run.results()), 40U);
}

class HeldInRealTime : public test::NodeTest, public ::testing::WithParamInterface<Duplex> {};

TEST_P(HeldInRealTime, ARunLosesNothingByAPause) {
  const test::PacedLine line(20);
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  ASSERT_EQ(nodes.size(), 2U);
  RunPlan plan = test::plan_for(nodes[0]->address(), nodes[1]->address(), folder_ / "run", {"M4", "F4"});
  plan.sampling.cap_count = plan.sampling.first_count = 5;
  plan.link_patience_s = 60;
  plan.within_s = 600;
  plan.duplex = GetParam();
  test::WatchedRun run(plan);
  hold_once(run, 1500);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(scored_in(run.results()), 20U);
  for (const DirectionRun& direction : run.results().directions)
    for (const StimulusRun& stimulus : direction.stimuli)
      for (const Measurement& one : stimulus.measurements) EXPECT_EQ(one.outcome, Outcome::scored) << one.reason;
}

INSTANTIATE_TEST_SUITE_P(BothWaysOrInTurn, HeldInRealTime, ::testing::Values(Duplex::both, Duplex::one));

TEST_F(Held, StoppingAHeldRunKeepsItsMeasurements) {
  const test::Bench bench(test::varied_line(1e-4, 7), folder_);
  test::WatchedRun run(test::short_plan(bench, folder_ / "run", 30));
  int held = 0;
  QObject::connect(&run.controller, &Controller::held, &run.controller, [&held] { ++held; });
  ASSERT_TRUE(test::serve_until([&run] { return run.measured > 0; }, 60000));
  run.controller.hold();
  ASSERT_TRUE(test::serve_until([&held] { return held > 0; }, 60000));
  run.controller.cancel();
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.code, ErrorCode::cancelled);
  EXPECT_GT(scored_in(run.results()), 0U);
}

TEST_F(Held, ARunHeldBeforeItBeganWaitsForItsOperator) {
  const test::Bench bench(test::varied_line(1e-4, 7), folder_);
  test::WatchedRun run(test::short_plan(bench, folder_ / "run"));
  run.controller.hold();
  EXPECT_FALSE(test::serve_until([&run] { return run.measured > 0 || run.finished; }, 500));
  run.controller.carry_on();
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
}

TEST(RunForecast, HasTheTimesOfTheFirstLookAndOfTheCap) {
  RunPlan plan;
  plan.corpus = test::corpus_folder();
  plan.stimuli = {"M4", "F4"};
  plan.sampling.goal_of = GoalOf::mean;
  const auto forecast = forecast_run(plan);
  ASSERT_TRUE(forecast) << forecast.error().message;
  EXPECT_NEAR(forecast->most_s / forecast->least_s, 6, 1e-9) << "30 and 5 of each";
  EXPECT_GT(forecast->least_s, 5 * 2 * 3);
  plan.sampling.goal_of = GoalOf::line_time;
  plan.cap_line_time_s = 120;
  EXPECT_EQ(forecast_run(plan)->least_s, 120);
  plan.stimuli = {"X9"};
  EXPECT_FALSE(forecast_run(plan));
}

}  // namespace
}  // namespace vqas
