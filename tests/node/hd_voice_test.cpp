// HD voice over simulated lines: two nodes with ends at 16 kHz, and what each codec of the line lets through.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node/node_harness.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class HdVoice : public test::NodeTest {
 protected:
  // A quiet line without a change of gain.
  static SimulatedLine line(LineCodec codec) {
    LineConditions conditions;
    conditions.band_limit = codec == LineCodec::gateway;
    conditions.gain_ripple_db = 0;
    conditions.circuit_noise_dbm0p = -90;
    SimulatedLine simulated = symmetric_line(conditions, 20, -30, 7);
    simulated.codec = codec;
    return simulated;
  }
  // One sentence of each direction, twice.
  std::vector<Measurement> run(const SimulatedLine& simulated, ScoreMode mode, bool narrowband_too = false) {
    bench_.emplace(simulated, folder_ / "nodes");
    RunPlan plan = test::short_plan(*bench_, folder_ / "run", 2, {"M4"});
    plan.mode = mode;
    plan.narrowband_too = narrowband_too;
    run_.emplace(plan);
    EXPECT_TRUE(run_->finish());
    return run_->all();
  }
  std::optional<test::Bench> bench_;
  std::optional<test::WatchedRun> run_;
};

TEST_F(HdVoice, SamplesOf16KhzGiveTheTopOfTheWidebandScaleAndTheDelayOfTheLine) {
  const auto all = run(line(LineCodec::l16), ScoreMode::wideband);
  EXPECT_EQ(run_->error, "");
  EXPECT_EQ(run_->results().mode, ScoreMode::wideband);
  EXPECT_EQ(run_->results().codec, LineCodec::l16);
  ASSERT_EQ(all.size(), 4U);
  for (const Measurement& one : all) {
    EXPECT_EQ(one.mode, ScoreMode::wideband);
    EXPECT_EQ(one.marks_found, MarksFound::both);
    EXPECT_GE(one.mos_lqo.value_or(0), 4.5) << one.reason;
    EXPECT_NEAR(one.delay_ms.value_or(0), 250, 0.1);
    EXPECT_NEAR(std::abs(one.clock_drift_ppm.value_or(0)), 50, 5);
    EXPECT_EQ(one.note, "");
  }
}

TEST_F(HdVoice, G722IsScoredWithTheDelayOfTheLine) {
  for (const Measurement& one : run(line(LineCodec::g722), ScoreMode::wideband)) {
    RecordProperty("mos", std::to_string(one.mos_lqo.value_or(0)));
    EXPECT_GE(one.mos_lqo.value_or(0), 3.6) << one.reason;
    EXPECT_LE(one.mos_lqo.value_or(0), 4.5);
    EXPECT_NEAR(one.delay_ms.value_or(0), 250, 0.1);
    EXPECT_GT(one.findings.value_or(MeasurementFindings()).band_high_hz, 4500);
  }
}

TEST_F(HdVoice, BitErrorsOnG722CostScore) {
  SimulatedLine noisy = line(LineCodec::g722);
  noisy.a_to_b.ber = noisy.b_to_a.ber = 1e-3;
  for (const Measurement& one : run(noisy, ScoreMode::wideband)) EXPECT_LT(one.mos_lqo.value_or(5), 3.8) << one.reason;
}

TEST_F(HdVoice, BehindATranscodingGatewayMarksAreFoundAndTheNarrowPathIsTold) {
  const auto all = run(line(LineCodec::gateway), ScoreMode::wideband);
  ASSERT_EQ(all.size(), 4U);
  for (const Measurement& one : all) {
    EXPECT_EQ(one.marks_found, MarksFound::both);
    EXPECT_GE(one.mos_lqo.value_or(0), 2.3) << one.reason;
    EXPECT_LE(one.mos_lqo.value_or(0), 3.3) << one.reason;
    EXPECT_NEAR(one.delay_ms.value_or(0), 250, 0.2);
    EXPECT_THAT(one.note, HasSubstr("the path is narrowband"));
  }
}

TEST_F(HdVoice, ANarrowbandRunOverALineOf16KhzHasTheNarrowbandScale) {
  const auto all = run(line(LineCodec::gateway), ScoreMode::narrowband);
  EXPECT_EQ(run_->results().mode, ScoreMode::narrowband);
  ASSERT_EQ(all.size(), 4U);
  for (const Measurement& one : all) {
    EXPECT_EQ(one.mode, ScoreMode::narrowband);
    EXPECT_GE(one.mos_lqo.value_or(0), 3.8) << one.reason;
    EXPECT_EQ(one.note, "");
  }
}

TEST_F(HdVoice, BothModesOfOneCallStandApart) {
  for (const Measurement& one : run(line(LineCodec::gateway), ScoreMode::wideband, true)) {
    EXPECT_LE(one.mos_lqo.value_or(5), 3.3);
    EXPECT_GE(one.narrowband_mos_lqo.value_or(0), 3.8) << "of the same capture";
  }
}

TEST_F(HdVoice, ALineOf8KhzIsRefusedForWidebandWithACure) {
  EXPECT_TRUE(run(line(LineCodec::g711), ScoreMode::wideband).empty());
  EXPECT_THAT(run_->error, HasSubstr("carries 8 kHz"));
  EXPECT_THAT(run_->error, HasSubstr("hd=yes"));
}

}  // namespace
}  // namespace vqas
