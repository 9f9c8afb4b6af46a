#include "vqas/sampling/stratified.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sampling/simulation.h"

namespace vqas {
namespace {

Interval stratum(std::size_t n, double mean, double deviation) {
  return {.n = n, .mean = mean, .standard_deviation = deviation, .half_width = 0.1, .confidence = 0.99};
}

TEST(StratifiedMean, WeighsStrataEquallyWhateverTheirCounts) {
  const std::vector strata{stratum(5, 2.0, 0.1), stratum(30, 4.0, 0.1)};
  const StratifiedMean mean = stratified_mean(strata, 0.99);
  EXPECT_DOUBLE_EQ(mean.mean, 3.0);
  EXPECT_DOUBLE_EQ(mean.range, 2.0);
  EXPECT_EQ(mean.strata, 2U);
}

TEST(StratifiedMean, OfOneStratumIsItsOwnTInterval) {
  const std::vector values{3.1, 3.4, 2.9, 3.3, 3.2, 3.6};
  const Interval alone = t_interval(values, 0.95);
  const StratifiedMean mean = stratified_mean(std::vector{alone}, 0.95);
  EXPECT_DOUBLE_EQ(mean.mean, alone.mean);
  EXPECT_NEAR(mean.half_width, alone.half_width, 1e-12);
  EXPECT_NEAR(mean.degrees, 5, 1e-9);
}

TEST(StratifiedMean, AddsDegreesOfFreedomOfEqualStrata) {
  // Four strata with the same variance and count: the degrees of freedom are their sum, the error is half that of one.
  const std::vector strata(4, stratum(6, 3.0, 0.2));
  const StratifiedMean mean = stratified_mean(strata, 0.99);
  EXPECT_NEAR(mean.degrees, 20, 1e-9);
  EXPECT_NEAR(mean.half_width, two_sided_t(0.99, 20) * 0.2 / std::sqrt(6.0) / 2, 1e-12);
}

TEST(StratifiedMean, LeavesOutStrataWithoutMeasurements) {
  const std::vector strata{stratum(5, 2.0, 0.1), Interval{}, stratum(5, 3.0, 0.1)};
  const StratifiedMean mean = stratified_mean(strata, 0.99);
  EXPECT_EQ(mean.strata, 2U);
  EXPECT_DOUBLE_EQ(mean.mean, 2.5);
}

TEST(StratifiedMean, HasNoIntervalWithASingleMeasurementOrWithoutStrata) {
  const std::vector strata{stratum(5, 2.0, 0.1), stratum(1, 3.0, 0)};
  EXPECT_DOUBLE_EQ(stratified_mean(strata, 0.99).mean, 2.5);
  EXPECT_EQ(stratified_mean(strata, 0.99).half_width, INFINITY);
  EXPECT_EQ(stratified_mean({}, 0.99).strata, 0U);
  EXPECT_EQ(stratified_mean({}, 0.99).half_width, INFINITY);
}

TEST(StratifiedMean, IsFiniteForStrataWithoutVariance) {
  const std::vector strata(12, stratum(5, 4.5, 0));
  const StratifiedMean mean = stratified_mean(strata, 0.99);
  EXPECT_TRUE(std::isfinite(mean.half_width));
  EXPECT_GT(mean.half_width, 0);
}

TEST(StratifiedMean, WidensByTheStoppingFactor) {
  std::vector strata(3, stratum(5, 3.0, 0.1));
  const double plain = stratified_mean(strata, 0.99).half_width;
  for (Interval& one : strata) one.stopping_factor = 1.25;
  EXPECT_NEAR(stratified_mean(strata, 0.99).half_width, 1.25 * plain, 1e-12);
}

TEST(StratifiedMean, HasFewerDegreesOfFreedomWhereTheTailsAreHeavy) {
  const std::vector strata(4, stratum(6, 3.0, 0.2));
  EXPECT_NEAR(stratified_mean(strata, 0.99, kScoreResolution, 6).degrees, 5, 1e-9);
}

TEST(ExcessKurtosis, IsAboutSixOfExponentialScoresAndZeroOfNormalAndUniformOnes) {
  test::Normal normal(2);
  std::vector<std::vector<double>> normals(400), exponential(400), uniform(400);
  for (std::size_t i = 0; i < 400; ++i) {
    for (int k = 0; k < 20; ++k) {
      normals[i].push_back(normal());
      exponential[i].push_back(-std::log(normal.unit()));
      uniform[i].push_back(normal.unit());
    }
  }
  EXPECT_NEAR(excess_kurtosis(normals), 0, 0.15);
  EXPECT_GT(excess_kurtosis(exponential), 3);
  EXPECT_EQ(excess_kurtosis(uniform), 0);
  EXPECT_EQ(excess_kurtosis(std::vector<std::vector<double>>{{1, 2, 3}}), 0);
}

// Twelve stimuli of different deviation, each sampled until its own interval is narrow enough. The interval of their
// mean must not inherit the optimism of samples that stopped because they looked steady.
TEST(StratifiedMean, CoversTheMeanOfTwelveSequentialSamplesAsOftenAsStated) {
  SamplerOptions options;
  options.fallback.reset();
  for (const double confidence : {0.90, 0.99}) {
    options.goal.confidence = confidence;
    test::Normal normal(5);
    test::Simulation result;
    for (result.runs = 0; result.runs < 1500; ++result.runs) {
      std::vector<Interval> strata;
      for (int stimulus = 0; stimulus < 12; ++stimulus) {
        Sampler sampler(options);
        while (!sampler.finished()) sampler.add_score(3 + 0.02 * (stimulus + 1) * normal());
        strata.push_back(sampler.interval());
      }
      const StratifiedMean mean = stratified_mean(strata, confidence);
      result.covered += std::abs(mean.mean - 3) <= mean.half_width ? 1 : 0;
    }
    RecordProperty("coverage", std::to_string(result.coverage()));
    EXPECT_GE(result.highest_coverage(), confidence) << "coverage " << result.coverage();
  }
}

}  // namespace
}  // namespace vqas
