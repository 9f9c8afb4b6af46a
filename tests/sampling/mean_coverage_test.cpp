#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sampling/mean_simulation.h"

namespace vqas {
namespace {

// The promises of libvqas/doc/record/sampling-mean.md, of which mean_table has the whole: the interval holds the true
// mean at least as often as it says, less half a point, at 1.10 times the equal counts of an oracle that knows the
// deviations.
constexpr double kAllowance = 0.005;
constexpr double kCost = 1.10;

class MeanCoverage : public testing::TestWithParam<std::tuple<double, const char*>> {};

TEST_P(MeanCoverage, HoldsAtACostNearTheOracles) {
  const auto [confidence, profile] = GetParam();
  const test::MeanLine line = test::mean_line(profile, 12, confidence, 140);
  const test::MeanSimulation result = test::simulate_mean(line, 2500, 2026);
  EXPECT_GE(result.highest_coverage(), confidence - kAllowance) << "coverage " << result.coverage();
  EXPECT_LE(result.mean_count(), kCost * static_cast<double>(test::mean_oracle(line.options.goal, line.deviations, 5)));
}

INSTANTIATE_TEST_SUITE_P(NormalScores, MeanCoverage,
                         testing::Combine(testing::Values(0.90, 0.95, 0.99),
                                          testing::Values("equal", "spread", "wide", "half", "one")),
                         [](const auto& cell) {
                           return "confidence" + std::to_string(static_cast<int>(100 * std::get<0>(cell.param) + 0.5)) +
                                  "_" + std::get<1>(cell.param);
                         });

// Each stimulus may not have met its bad scores yet: no count depends on its own scores, so that loses little.
TEST(MeanCoverage, IsNearTheNominalOneOfSkewedAndTwoLevelScores) {
  const std::pair<const char*, test::NextScore> kinds[] = {
      {"skewed", [](auto& n) { return -std::log(n.unit()) - 1; }},
      {"two levels, 20 %", [](auto& n) { return n.unit() < 0.2 ? -2.0 : 0.5; }},
      {"two levels, 5 %", [](auto& n) { return n.unit() < 0.05 ? -std::sqrt(19.0) : std::sqrt(1 / 19.0); }}};
  for (const auto& [name, score] : kinds) {
    test::MeanLine line = test::mean_line("equal", 12, 0.95, 140);
    line.score = score;
    const test::MeanSimulation result = test::simulate_mean(line, 2500, 2026);
    EXPECT_GE(result.highest_coverage(), 0.935) << name << ": coverage " << result.coverage();
  }
}

TEST(MeanCoverage, HoldsAtACapToo) {
  test::MeanLine line = test::mean_line("spread", 12, 0.95, 340);
  line.options.cap_count = 30;
  line.options.fallback.reset();
  const test::MeanSimulation result = test::simulate_mean(line, 2000, 5);
  EXPECT_LT(result.reached, result.runs);
  EXPECT_GE(result.highest_coverage(), 0.95 - kAllowance) << "coverage " << result.coverage();
}

TEST(MeanCoverage, OfBothDirectionsTogetherHolds) {
  test::MeanLine line = test::mean_line("spread", 12, 0.95, 100);
  line.options.goal = simultaneous_goal(line.options.goal, 2);
  test::Normal normal(8);
  test::Simulation both;
  for (; both.runs < 2000; ++both.runs) {
    bool holds = true;
    for (int direction = 0; direction < 2; ++direction) {
      const StratifiedMean mean = test::run_once(line, normal).mean();
      holds = holds && std::abs(test::error_of(mean)) <= mean.half_width;
    }
    both.covered += holds ? 1 : 0;
  }
  EXPECT_GE(both.highest_coverage(), 0.95 - kAllowance) << "coverage " << both.coverage();
}

// What is expected to be left, against what was, from half-way on.
TEST(MeanRemaining, IsRightWithinAFifthOfTheRunFromHalfWayOn) {
  std::size_t looks = 0, right_of_left = 0, right_of_all = 0;
  test::Normal normal(9);
  for (int run = 0; run < 200; ++run) {
    const test::MeanLine line = test::mean_line(run % 2 == 0 ? "equal" : "spread", 12, 0.99, 140);
    MeanSampler sampler(line.options, 12);
    std::vector<std::size_t> expected;
    while (!sampler.finished()) {
      const std::size_t i = sampler.next(1).front();
      sampler.add_score(i, 3 + line.deviations[i] * normal());
      expected.push_back(sampler.expected_more());
    }
    for (std::size_t made = expected.size() / 2; made + 1 < expected.size(); ++made) {
      const auto left = static_cast<double>(expected.size() - 1 - made);
      const double error = std::abs(static_cast<double>(expected[made]) - left);
      ++looks;
      right_of_left += error <= 0.2 * left ? 1 : 0;
      right_of_all += error <= 0.2 * static_cast<double>(expected.size()) ? 1 : 0;
    }
  }
  RecordProperty("within a fifth of what is left, %", std::to_string(100 * right_of_left / looks));
  EXPECT_GE(right_of_all, looks * 95 / 100);
  EXPECT_GE(right_of_left, looks * 2 / 5) << right_of_left << " of " << looks;
}

}  // namespace
}  // namespace vqas
