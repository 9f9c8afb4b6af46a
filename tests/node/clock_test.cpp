// One-way delay between two machines whose clocks follow a common one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "node/node_harness.h"
#include "node/paced_line.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

constexpr double kSpeed = 20;
// PacedLine passes a block on after five.
constexpr double kDelay_ms = 100;
constexpr double kAhead_ms = 1234.5;

class Clocks : public test::NodeTest {
 protected:
  // Two machines; the clock of b is ahead, which its operator may know.
  void start(std::optional<ClockState> a, std::optional<ClockState> b,
             std::array<std::optional<double>, 2> device_delays_ms = {}) {
    const std::array clocks{a, b};
    nodes_ = start_nodes([this](End own) { return line_.open(own); },
                         [&](NodeOptions& options) {
                           const auto end = static_cast<std::size_t>(options.end);
                           options.device_delay_ms = device_delays_ms.at(end);
                           options.clock = clocks.at(end);
                         });
    ASSERT_EQ(nodes_.size(), 2U);
    RunPlan plan = test::plan_for(nodes_[0]->address(), nodes_[1]->address(), folder_ / "run");
    plan.sampling.first_count = plan.sampling.cap_count = 2;
    plan.within_s = 600;  // by a fast clock; nothing is lost on this line
    run_ = std::make_unique<test::WatchedRun>(plan);
    ASSERT_TRUE(run_->finish(120000));
    ASSERT_EQ(run_->error, "");
    ASSERT_EQ(run_->all().size(), 4U);
  }
  test::PacedLine line_{kSpeed, {{{"machine-a", 0}, {"machine-b", std::llround(kAhead_ms * 1e6)}}}};
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unique_ptr<test::WatchedRun> run_;
};

// One machine with two sound devices that report latencies of 40 and 60 ms.
class Devices : public Clocks {
 protected:
  Devices() { line_ = test::PacedLine(kSpeed, {{{"machine", 0, 40}, {"machine", 0, 60}}}); }
};

TEST_F(Devices, UncalibratedMakeADelayUncertainByTheirReportedLatency) {
  start({}, {});
  for (const Measurement& one : run_->all()) {
    EXPECT_EQ(one.delay_basis, DelayBasis::same_clock);
    EXPECT_NEAR(one.delay_ms.value_or(0), kDelay_ms, 0.5);
    EXPECT_NEAR(one.delay_uncertainty_ms.value_or(0), 50, 1e-9);
  }
  ASSERT_EQ(run_->noticed.size(), 1U);
  EXPECT_THAT(run_->noticed.front(), HasSubstr("end a and b"));
  EXPECT_THAT(run_->results().equipment.at("a"), HasSubstr("not calibrated"));
}

TEST_F(Devices, CalibratedDelaysAreSubtracted) {
  start({}, {}, {42, 0});
  for (const Measurement& one : run_->all()) {
    EXPECT_NEAR(one.delay_ms.value_or(0), kDelay_ms - 21, 0.5);
    EXPECT_NEAR(one.delay_uncertainty_ms.value_or(9), 0, 1e-9);
  }
  EXPECT_TRUE(run_->noticed.empty());
  EXPECT_THAT(run_->results().equipment.at("a"), HasSubstr("42.000 ms"));
}

TEST_F(Clocks, SynchronisedOnesGiveOneWayDelayWithTheUncertaintyOfBoth) {
  start(ClockState{0, 0.25}, ClockState{kAhead_ms, 0.5});
  for (const Measurement& one : run_->all()) {
    ASSERT_TRUE(one.delay_ms) << one.note;
    EXPECT_EQ(one.delay_basis, DelayBasis::synchronised);
    EXPECT_NEAR(*one.delay_ms, kDelay_ms, 0.5);
    EXPECT_NEAR(one.delay_uncertainty_ms.value_or(0), 0.75, 1e-9);
  }
  ASSERT_TRUE(run_->results().clocks.contains("b"));
  EXPECT_EQ(run_->results().clocks.at("b").offset_ms, kAhead_ms);
}

TEST_F(Clocks, OnesLessSynchronisedThanReportedGiveNoImpossibleDelay) {
  start(ClockState{0, 0.25}, ClockState{0, 0.5});
  for (const DirectionRun& direction : run_->results().directions) {
    for (const Measurement& one : direction.stimuli.front().measurements) {
      ASSERT_TRUE(one.mos_lqo);
      if (direction.from == End::a) {
        EXPECT_NEAR(one.delay_ms.value_or(0), kDelay_ms + kAhead_ms, 0.5) << "the best possible estimate";
      } else {
        EXPECT_FALSE(one.delay_ms);
        EXPECT_EQ(one.delay_basis, DelayBasis::unknown);
        EXPECT_THAT(one.note, HasSubstr("reported as synchronised"));
      }
    }
  }
}

TEST_F(Clocks, OnlyOneSynchronisedGivesHalfTheRoundTrip) {
  start(ClockState{0, 0.25}, std::nullopt);
  std::size_t told = 0;
  for (const Measurement& one : run_->all()) {
    EXPECT_NE(one.delay_basis, DelayBasis::synchronised);
    if (!one.delay_ms) continue;  // the first one has no opposite transmission yet
    ++told;
    EXPECT_EQ(one.delay_basis, DelayBasis::half_round_trip);
    EXPECT_NEAR(*one.delay_ms, kDelay_ms, 0.5);
  }
  EXPECT_GE(told, 2U);
  EXPECT_TRUE(run_->results().clocks.empty());
}

}  // namespace
}  // namespace vqas
