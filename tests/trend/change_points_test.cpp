#include "vqas/trend/change_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/share_bound.h"
#include "trend/simulated_runs.h"

namespace vqas {
namespace {

using test::RepeatedLine;
using test::share_at_least;
using test::simulated_runs;

constexpr int kSeries = 400;

/// Lower bound, at 95 %, of the share of series without any change.
double quiet_share(const RepeatedLine& line, std::size_t runs, int series = kSeries) {
  int quiet = 0;
  for (int seed = 0; seed < series; ++seed)
    quiet += find_changes(simulated_runs(line, runs, static_cast<std::uint64_t>(seed))).changes.empty() ? 1 : 0;
  return share_at_least(quiet, series);
}

/// The same of the series in which the step is found within three runs of its place.
double found_share(const RepeatedLine& line, std::size_t runs, int series = 200) {
  int found = 0;
  for (int seed = 0; seed < series; ++seed) {
    for (const ChangePoint& one : find_changes(simulated_runs(line, runs, static_cast<std::uint64_t>(seed))).changes) {
      const auto away = static_cast<double>(one.at) - static_cast<double>(line.from);
      if (std::abs(away) > 3) continue;
      ++found;
      break;
    }
  }
  return share_at_least(found, series);
}

TEST(ChangePoints, IndependentRunsHaveNone) {
  EXPECT_GE(quiet_share({}, 24), 0.985);
  EXPECT_GE(quiet_share({}, 60), 0.985);
  EXPECT_GE(quiet_share({}, 200), 0.985);
}

TEST(ChangePoints, RunsThatResembleTheirNeighboursHaveNone) {
  EXPECT_GE(quiet_share({.likeness = 0.3}, 60), 0.985);
  EXPECT_GE(quiet_share({.likeness = 0.6}, 100), 0.985);
  EXPECT_GE(quiet_share({.likeness = 0.8}, 200), 0.985);
}

TEST(ChangePoints, SingleRunsFarFromTheirNeighboursAreStrays) {
  const RepeatedLine line{.stray_share = 0.02};
  EXPECT_GE(quiet_share(line, 150, 1600), 0.985);  // 400 series are too few for this bound
  std::size_t strays = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) strays += find_changes(simulated_runs(line, 150, seed)).strays.size();
  EXPECT_NEAR(static_cast<double>(strays), 0.02 * 20 * 150, 25);
}

// A run deviates by 0.12 in all.
TEST(ChangePoints, AStepOfHalfAMosIsFoundWithinEightRuns) {
  EXPECT_GE(found_share({.step = -0.5, .from = 160}, 168), 0.95);
}

TEST(ChangePoints, AStepOf0Point3IsFoundWithinTwentyFourRuns) {
  EXPECT_GE(found_share({.step = -0.3, .from = 144}, 168), 0.95);
}

TEST(ChangePoints, AStepAmongRunsThatResembleTheirNeighboursIsFound) {
  EXPECT_GE(found_share({.likeness = 0.5, .step = -0.5, .from = 84}, 168), 0.9);
}

TEST(ChangePoints, ADegradationAndARecoveryAreTwoChangesBetweenThreeLevels) {
  const ChangeSearch found = find_changes(simulated_runs({.step = -0.6, .from = 60, .until = 90}, 168, 5));
  ASSERT_EQ(found.changes.size(), 2U);
  ASSERT_EQ(found.levels.size(), 3U);
  EXPECT_NEAR(static_cast<double>(found.changes[0].at), 60, 2);
  EXPECT_NEAR(static_cast<double>(found.changes[1].at), 90, 2);
  EXPECT_NEAR(found.changes[0].step, -0.6, found.changes[0].half_width);
  EXPECT_NEAR(found.changes[1].step, 0.6, found.changes[1].half_width);
  for (const ChangePoint& one : found.changes) {
    EXPECT_LE(one.earliest, one.at);
    EXPECT_GE(one.latest, one.at);
    EXPECT_LT(one.probability, 0.01);
    EXPECT_GT(std::abs(one.statistic), found.threshold);
  }
  EXPECT_EQ(found.levels[0].first, 0U);
  EXPECT_EQ(found.levels[0].last + 1, found.levels[1].first);
  EXPECT_EQ(found.levels[2].last, 167U);
}

TEST(ChangePoints, ALargeStepIsOneChange) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ChangeSearch found = find_changes(simulated_runs({.step = -2, .from = 70 + seed}, 168, seed));
    ASSERT_EQ(found.changes.size(), 1U) << seed;
    EXPECT_EQ(found.changes[0].at, 70 + seed);
  }
}

TEST(ChangePoints, TheLikelyPlacesHoldThePlantedOne) {
  int held = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const ChangePoint& one : find_changes(simulated_runs({.step = -0.3, .from = 84}, 168, seed)).changes)
      held += one.earliest <= 84 && one.latest >= 84 ? 1 : 0;
  }
  EXPECT_GE(share_at_least(held, 200), 0.95);
}

TEST(ChangePoints, FewerThanTwentyRunsShowNoChange) {
  std::vector<RunLevel> runs(19, {4.0, 0.01});
  for (std::size_t i = 10; i < runs.size(); ++i) runs[i].mos = 2.0;
  const ChangeSearch found = find_changes(runs);
  EXPECT_TRUE(found.changes.empty());
  EXPECT_TRUE(std::isinf(found.threshold));
  ASSERT_EQ(found.levels.size(), 1U);
  EXPECT_TRUE(std::isinf(found.levels[0].half_width));
}

TEST(ChangePoints, EqualRunsHaveALevelAndNoChange) {
  const ChangeSearch found = find_changes(std::vector<RunLevel>(50, {4.0, 0.0}));
  EXPECT_TRUE(found.changes.empty());
  ASSERT_EQ(found.levels.size(), 1U);
  EXPECT_DOUBLE_EQ(found.levels[0].mos, 4.0);
  EXPECT_TRUE(std::isfinite(found.levels[0].half_width));
}

TEST(ChangePoints, ImpreciseRunsCountLess) {
  std::vector<RunLevel> runs = simulated_runs({.between_runs = 0.02, .own_error = 0.03}, 100, 3);
  for (std::size_t i = 50; i < 56; ++i) runs[i] = {runs[i].mos - 0.8, 1.0};
  EXPECT_TRUE(find_changes(runs).changes.empty());
  for (std::size_t i = 50; i < 56; ++i) runs[i].standard_error = 0.03;
  EXPECT_EQ(find_changes(runs).changes.size(), 2U);
}

TEST(ChangePoints, NoRunHasNoLevel) {
  EXPECT_TRUE(find_changes({}).levels.empty());
}

}  // namespace
}  // namespace vqas
