#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sampling/simulation.h"

namespace vqas {
namespace {

// The guarantees of libvqas/doc/record/sampling.md: the interval of a sample that decided its own size covers the true
// mean at least as often as stated, minus half a point, and costs at most 1.15 times what an oracle with the known
// deviation would need.
constexpr double kAllowance = 0.005;
constexpr double kCost = 1.15;

class Coverage : public testing::TestWithParam<std::tuple<double, int>> {};

TEST_P(Coverage, IsAsStatedAtACostNearTheOracles) {
  const auto [confidence, ratio] = GetParam();
  const SamplerOptions options = test::uncapped(confidence);
  const test::Simulation result = test::simulate_normal(options, ratio, 20'000, 2026);
  EXPECT_GE(result.lowest_coverage(), confidence - kAllowance) << "coverage " << result.coverage();
  EXPECT_LE(result.mean_count(),
            kCost * static_cast<double>(test::oracle_count(options, ratio * options.goal.half_width)));
}

INSTANTIATE_TEST_SUITE_P(NormalScores, Coverage,
                         testing::Combine(testing::Values(0.90, 0.95, 0.99), testing::Values(1, 2, 3, 4, 5)),
                         [](const auto& cell) {
                           return "confidence" + std::to_string(static_cast<int>(100 * std::get<0>(cell.param) + 0.5)) +
                                  "_ratio" + std::to_string(std::get<1>(cell.param));
                         });

// On a line so steady that the first look always suffices the correction must cost no measurements.
TEST(Coverage, CostsNothingOnASteadyLine) {
  const test::Simulation result = test::simulate_normal(test::uncapped(0.99), 0.1, 2000, 3);
  // Except for the few samples that resemble two levels or a dependence by chance and cost five more each.
  EXPECT_LE(result.mean_count(), 5 + 0.04 * 5);
}

TEST(Coverage, IsAsStatedAtACapToo) {
  SamplerOptions options;
  options.fallback.reset();
  for (const double ratio : {1.5, 2.0, 4.0}) {
    const test::Simulation result = test::simulate_normal(options, ratio, 10'000, 4);
    EXPECT_GE(result.lowest_coverage(), 0.99 - kAllowance) << "coverage " << result.coverage();
  }
}

// Two levels, half of the scores on each: a sixteenth of the first looks see only one level. Ten measurements are taken
// instead.
TEST(Coverage, OfTwoLevelsIsAtMostTwoPointsTooLow) {
  const SamplerOptions options = test::uncapped(0.99);
  for (const double ratio : {1.0, 2.0, 4.0}) {
    test::Normal normal(6);
    const test::Simulation result = test::simulate(
        options, 20'000, 3, [] {},
        [&] { return 3 + (normal.unit() < 0.5 ? -1 : 1) * ratio * options.goal.half_width; });
    EXPECT_GE(result.lowest_coverage(), 0.97) << "coverage " << result.coverage();
    EXPECT_GE(static_cast<double>(result.told), 0.9 * static_cast<double>(result.of_ten));
  }
}

// Twelve stimuli in both directions, each with its own scatter, in rounds: the expected remainder against the actual
// one.
TEST(Remaining, IsRightWithinAFifthFromHalfWayOn) {
  constexpr std::size_t kStimuli = 24;
  constexpr int kRuns = 150;
  std::size_t looks = 0;
  std::size_t right = 0;
  std::size_t right_of_all = 0;
  test::Normal normal(5);
  for (int run = 0; run < kRuns; ++run) {
    std::vector<Sampler> samplers(kStimuli, Sampler(SamplerOptions{}));
    std::vector<std::size_t> expected;
    for (bool more = true; more;) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < kStimuli; ++i) order.insert(order.end(), samplers[i].wanted(), i);
      more = !order.empty();
      for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[static_cast<std::size_t>(normal.unit() * static_cast<double>(left))]);
      for (const std::size_t i : order) {
        samplers[i].add_score(3 + 0.1 * (0.5 + 0.2 * static_cast<double>(i % 6)) * normal());
        std::size_t all = 0;
        for (const Sampler& one : samplers) all += one.expected_more();
        expected.push_back(all);
      }
    }
    for (std::size_t made = expected.size() / 2; made + 1 < expected.size(); ++made) {
      const auto left = static_cast<double>(expected.size() - 1 - made);
      const double error = std::abs(static_cast<double>(expected[made]) - left);
      ++looks;
      right += error <= 0.2 * left ? 1 : 0;
      right_of_all += error <= 0.2 * static_cast<double>(expected.size()) ? 1 : 0;
    }
  }
  // Right in most looks, and in all but a few for the whole run: the last stimulus decides the last minute.
  EXPECT_GE(right, looks * 8 / 10);
  EXPECT_GE(right_of_all, looks * 99 / 100);
}

}  // namespace
}  // namespace vqas
