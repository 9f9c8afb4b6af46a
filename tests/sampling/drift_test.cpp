#include "vqas/sampling/drift.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sampling/simulation.h"

namespace vqas {
namespace {

/// `count` scores of four stimuli at different levels, in turn, on a line that changes by `change` from start to end.
std::vector<TimedScore> run_of(std::size_t count, double change, double deviation, test::Normal& normal) {
  std::vector<TimedScore> scores;
  for (std::size_t i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    const std::size_t stimulus = i % 4;
    scores.push_back({static_cast<double>(i + 1),
                      2.5 + 0.4 * static_cast<double>(stimulus) + change * part + deviation * normal(), stimulus});
  }
  return scores;
}

TEST(LineDrift, GivesTheChangeOfALineWithoutScatterExactly) {
  test::Normal normal(1);
  const LineDrift drift = line_drift(run_of(40, -0.3, 0, normal));
  EXPECT_NEAR(drift.change, -0.3, 1e-12);
  EXPECT_TRUE(drift.found());
  EXPECT_EQ(drift.n, 40U);
}

TEST(LineDrift, DifferentLevelsOfStimuliAreNoDrift) {
  test::Normal normal(1);
  std::vector<TimedScore> scores;
  // The good stimulus is measured first, the bad one last; each alone stays constant.
  for (int i = 0; i < 10; ++i) scores.push_back({static_cast<double>(i), 4 + 0.05 * normal(), 0});
  for (int i = 10; i < 20; ++i) scores.push_back({static_cast<double>(i), 2 + 0.05 * normal(), 1});
  EXPECT_FALSE(line_drift(scores).found());
}

TEST(LineDrift, FindsADriftWithFewFalseAlarms) {
  test::Normal normal(8);
  constexpr std::size_t kRuns = 4000;
  test::Simulation steady{.runs = kRuns, .covered = 0};
  std::size_t found = 0;
  for (std::size_t run = 0; run < kRuns; ++run) {
    steady.covered += line_drift(run_of(60, 0, 0.2, normal)).found() ? 0 : 1;
    const LineDrift drift = line_drift(run_of(60, -0.4, 0.2, normal));
    found += drift.found() ? 1 : 0;
  }
  EXPECT_GE(steady.highest_coverage(), 0.99) << "false alarms in " << kRuns - steady.covered << " of " << kRuns;
  EXPECT_LE(steady.lowest_coverage(), 0.99);
  EXPECT_GE(found, kRuns * 9 / 10) << "of " << kRuns;
}

TEST(LineDrift, IntervalCoversTheTrueChangeAsOftenAsStated) {
  test::Normal normal(9);
  test::Simulation result;
  for (result.runs = 0; result.runs < 4000; ++result.runs) {
    const LineDrift drift = line_drift(run_of(30, 0.25, 0.15, normal), 0.95);
    result.covered += std::abs(drift.change - 0.25) <= drift.half_width ? 1 : 0;
  }
  EXPECT_GE(result.highest_coverage(), 0.95) << result.coverage();
  EXPECT_LE(result.lowest_coverage(), 0.95) << result.coverage();
}

TEST(LineDrift, IsUnknownWithTooFewScores) {
  EXPECT_FALSE(line_drift({}).found());
  const std::vector<TimedScore> two{{1, 3, 0}, {2, 4, 0}};
  EXPECT_EQ(line_drift(two).half_width, INFINITY);
  const std::vector<TimedScore> alone{{1, 3, 0}, {2, 4, 1}, {3, 2, 2}};
  EXPECT_EQ(line_drift(alone).n, 0U);
  const std::vector<TimedScore> at_once{{1, 3, 0}, {1, 4, 0}, {1, 2, 0}};
  EXPECT_EQ(line_drift(at_once).half_width, INFINITY);
}

}  // namespace
}  // namespace vqas
