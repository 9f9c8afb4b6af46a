#include "vqas/sampling/mean_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sampling/mean_simulation.h"
#include "vqas/sampling/shrinkage.h"

namespace vqas {
namespace {

// Scores with a deviation of about `swing`, another ten for each stimulus.
double scattered(std::size_t stimulus, std::size_t place, double swing) {
  constexpr double kAround[] = {-0.3, 1.2, -1.5, 0.8, -0.1, 1.6, -1.0, 0.4, -1.3, 0.2};
  return 3 + swing * kAround[(place + 3 * stimulus) % 10];
}

void add_scattered(MeanSampler& sampler, std::size_t stimulus, std::size_t count, double swing) {
  for (std::size_t i = 0; i < count; ++i)
    sampler.add_score(stimulus, scattered(stimulus, sampler.scored(stimulus), swing));
}

// The first count of each.
MeanSampler looked(const std::vector<double>& swings, const SamplerOptions& options = {}) {
  MeanSampler sampler(options, swings.size());
  for (std::size_t i = 0; i < swings.size(); ++i) add_scattered(sampler, i, options.first_count, swings[i]);
  return sampler;
}

Interval stratum(std::size_t n, double deviation) {
  return {.n = n, .mean = 3, .standard_deviation = deviation, .half_width = 0.1, .confidence = 0.99};
}

TEST(ShrunkenDeviations, ThatDifferByChanceAloneAreTakenAsOne) {
  const std::vector strata{stratum(5, 0.2), stratum(5, 0.21), stratum(5, 0.19), stratum(5, 0.2)};
  for (const ShrunkenDeviation& one : shrunken_deviations(strata)) {
    EXPECT_EQ(one.own_share, 0);
    EXPECT_NEAR(one.deviation, 0.2 * (1 + 1 / 16.0), 1e-12);
  }
}

TEST(ShrunkenDeviations, ThatDifferMoreAreBelievedTheMoreTheOftenerTheyWereMeasured) {
  const std::vector strata{stratum(5, 0.05), stratum(5, 0.5), stratum(40, 0.05), stratum(40, 0.5)};
  const auto shrunken = shrunken_deviations(strata);
  EXPECT_GT(shrunken[0].deviation, shrunken[2].deviation);
  EXPECT_LT(shrunken[1].deviation, 0.5 * (1 + 1 / 16.0));
  EXPECT_GT(shrunken[2].own_share, shrunken[0].own_share);
  EXPECT_GT(shrunken[2].own_share, 0.9);
}

TEST(ShrunkenDeviations, OfOneWithFewerThanTwoMeasurementsIsThatOfAll) {
  const auto shrunken = shrunken_deviations(std::vector{stratum(5, 0.2), stratum(1, 0), Interval{}});
  EXPECT_EQ(shrunken[1].deviation, shrunken[0].deviation);
  EXPECT_EQ(shrunken[2].own_share, 0);
  EXPECT_EQ(shrunken_deviations(std::vector{stratum(1, 0)})[0].deviation, 0);
  EXPECT_GT(shrunken_deviations(std::vector{stratum(5, 0)})[0].deviation, 0) << "rounding";
}

TEST(ShrunkenDeviations, AreBelievedLessWhereTheTailsAreHeavy) {
  const std::vector strata{stratum(8, 0.1), stratum(8, 0.2), stratum(8, 0.3), stratum(8, 0.5)};
  EXPECT_GT(shrunken_deviations(strata)[0].own_share, shrunken_deviations(strata, 3)[0].own_share);
}

TEST(ExcessKurtosis, IsAboutSixOfExponentialScoresAndNoneOfFlatOnes) {
  test::Normal normal(2);
  std::vector<std::vector<double>> normals(400), exponential(400), flat(400);
  for (std::size_t i = 0; i < 400; ++i) {
    for (int k = 0; k < 20; ++k) {
      normals[i].push_back(normal());
      exponential[i].push_back(-std::log(normal.unit()));
      flat[i].push_back(normal.unit());
    }
  }
  EXPECT_NEAR(excess_kurtosis(normals), 0, 0.15);
  EXPECT_GT(excess_kurtosis(exponential), 3);
  EXPECT_EQ(excess_kurtosis(flat), 0);
  EXPECT_EQ(excess_kurtosis(std::vector<std::vector<double>>{{1, 2, 3}}), 0);
}

TEST(MeanSampler, BeginsWithTheFirstCountOfEachInTurn) {
  MeanSampler sampler(SamplerOptions{}, 3);
  EXPECT_EQ(sampler.wanted(), 15U);
  EXPECT_EQ(sampler.next(4), (std::vector<std::size_t>{0, 1, 2, 0}));
  sampler.add_score(0, 3);
  EXPECT_EQ(sampler.next(3, std::vector<std::size_t>{0, 1, 0}), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_EQ(sampler.wanted(), 14U);
  EXPECT_FALSE(sampler.finished());
}

TEST(MeanSampler, StopsWithTheGoalWhenTheFirstScoresAgree) {
  const MeanSampler sampler = looked(std::vector(12, 0.05));
  ASSERT_EQ(sampler.stopped_because(), StopReason::goal);
  EXPECT_EQ(sampler.wanted(), 0U);
  EXPECT_TRUE(sampler.next(5).empty());
  EXPECT_EQ(sampler.expected_more(), 0U);
  EXPECT_LT(sampler.mean().half_width, 0.1);
  EXPECT_EQ(sampler.mean().strata, 12U);
}

TEST(MeanSampler, MeanIsThatOfStratifiedMeanHoweverOftenEachWasMeasured) {
  test::MeanLine line = test::mean_line("one", 6, 0.95, 90);
  test::Normal normal(3);
  const MeanSampler sampler = test::run_once(line, normal);
  EXPECT_GT(sampler.scored(0), 3 * sampler.scored(1));
  ASSERT_EQ(sampler.stopped_because(), StopReason::goal);
  EXPECT_LE(sampler.mean().half_width, 0.1);
  EXPECT_NEAR(sampler.mean().mean, 2.25, 0.2);
}

TEST(MeanSampler, AsksForThoseThatScatterMost) {
  const MeanSampler sampler = looked({0.4, 0.02, 0.4, 0.02});
  ASSERT_FALSE(sampler.finished());
  const auto next = sampler.next(8);
  EXPECT_GE(std::ranges::count(next, 0U) + std::ranges::count(next, 2U), 7);
}

TEST(MeanSampler, OneWhoseFirstScoresAgreedByChanceGetsItsShare) {
  SamplerOptions options;
  options.cap_count = 1000;
  MeanSampler sampler(options, 12);
  test::Normal normal(11);
  for (std::size_t i = 0; i < 12; ++i) {
    for (int k = 0; k < 5; ++k) sampler.add_score(i, i == 0 ? 3 + 0.1 * normal() : 3 + 0.45 * normal());
  }
  while (!sampler.finished()) sampler.add_score(sampler.next(1).front(), 3 + 0.45 * normal());
  const double each = static_cast<double>(sampler.scored()) / 12;
  EXPECT_GE(static_cast<double>(sampler.scored(0)), 0.6 * each) << each;
}

TEST(MeanSampler, WhatIsUnderWayCountsAsMeasured) {
  const MeanSampler sampler = looked(std::vector(4, 0.3));
  const auto first = sampler.next(4);
  std::vector<std::size_t> away(4, 0);
  for (const std::size_t i : first) ++away[i];
  auto both = first;
  for (const std::size_t i : sampler.next(4, away)) both.push_back(i);
  auto at_once = sampler.next(8);
  std::ranges::sort(both);
  std::ranges::sort(at_once);
  EXPECT_EQ(both, at_once);
}

TEST(MeanSampler, LooksAfterWhatItWantedAndNotBefore) {
  MeanSampler sampler = looked(std::vector(4, 0.25));
  const std::size_t wanted = sampler.wanted();
  EXPECT_EQ(wanted % 5, 0U);
  for (std::size_t i = 1; i < wanted; ++i) {
    sampler.add_score(i % 4, 3);
    ASSERT_EQ(sampler.wanted(), wanted - i);
  }
}

TEST(MeanSampler, KeepsToTheCapOnAverageAndTriesTheFallback) {
  SamplerOptions options;
  options.cap_count = 8;
  for (const auto& [swing, reason] : {std::pair{0.25, StopReason::fallback}, {1.0, StopReason::cap_count}}) {
    MeanSampler sampler = looked(std::vector(4, swing), options);
    while (!sampler.finished()) add_scattered(sampler, sampler.next(1).front(), 1, swing);
    EXPECT_EQ(sampler.scored(), 32U);
    EXPECT_EQ(sampler.stopped_because(), reason) << sampler.mean(0.95).half_width;
    EXPECT_EQ(sampler.mean().confidence, reason == StopReason::fallback ? 0.95 : 0.99);
  }
}

TEST(MeanSampler, ACapOfLineTimeCountsOnlyBehindTheFirstLook) {
  MeanSampler early(SamplerOptions{}, 2);
  add_scattered(early, 0, 5, 0.01);
  add_scattered(early, 1, 4, 0.01);
  early.stop(StopReason::cap_line_time);
  EXPECT_EQ(early.stopped_because(), StopReason::cap_line_time);
  MeanSampler later = looked(std::vector(12, 0.3));
  ASSERT_FALSE(later.finished());
  later.stop(StopReason::cancelled);
  later.stop(StopReason::line_lost);
  EXPECT_EQ(later.stopped_because(), StopReason::cancelled);
  EXPECT_TRUE(std::isfinite(later.mean().half_width));
}

TEST(MeanSampler, AnAbandonedStimulusIsNamedAndGetsNoMore) {
  MeanSampler sampler(SamplerOptions{}, 3);
  sampler.add_score(1, 3);
  sampler.add_score(2, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(sampler.failures(), 1U);
  for (int i = 0; i < 10; ++i) sampler.add_failure(1);
  EXPECT_EQ(sampler.abandoned(), std::vector<std::size_t>{1});
  EXPECT_EQ(sampler.left_out(), std::vector<std::size_t>{1}) << "one score has no deviation";
  EXPECT_EQ(std::ranges::count(sampler.next(10), 1U), 0);
  add_scattered(sampler, 0, 5, 0.02);
  add_scattered(sampler, 2, 5, 0.02);
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
  EXPECT_EQ(sampler.mean().strata, 2U);
}

TEST(MeanSampler, AnAbandonedStimulusWithScoresStaysInTheMean) {
  MeanSampler sampler(SamplerOptions{}, 3);
  add_scattered(sampler, 0, 4, 0.02);
  for (int i = 0; i < 10; ++i) sampler.add_failure(0);
  add_scattered(sampler, 1, 5, 0.02);
  add_scattered(sampler, 2, 5, 0.02);
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
  EXPECT_EQ(sampler.mean().strata, 3U);
  EXPECT_TRUE(sampler.left_out().empty());
}

TEST(MeanSampler, EndsWhereTheAbandonedOnesAloneKeepItFromTheGoal) {
  MeanSampler sampler = looked({1.0, 0.3, 0.3});
  ASSERT_FALSE(sampler.finished());
  for (int i = 0; i < 10; ++i) sampler.add_failure(0);
  EXPECT_EQ(sampler.stopped_because(), StopReason::failures);
  EXPECT_TRUE(std::isfinite(sampler.mean().half_width));

  MeanSampler none(SamplerOptions{}, 2);
  for (const std::size_t stimulus : {0U, 1U}) {
    for (int i = 0; i < 10; ++i) none.add_failure(stimulus);
  }
  EXPECT_EQ(none.stopped_because(), StopReason::failures);
  EXPECT_EQ(none.mean().strata, 0U);
}

TEST(MeanSampler, EqualScoresKeepAWidth) {
  const MeanSampler sampler = looked(std::vector(12, 0.0));
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
  EXPECT_GT(sampler.mean().half_width, 0);
  EXPECT_LT(sampler.mean().half_width, 1e-3);
}

TEST(MeanSampler, WhereTheCapIsTheFirstCountTheIntervalIsThePlainOne) {
  SamplerOptions options;
  options.cap_count = options.first_count;
  const MeanSampler sampler = looked(std::vector(6, 0.02), options);
  std::vector<Interval> strata;
  for (std::size_t i = 0; i < 6; ++i) {
    std::vector<double> scores;
    for (std::size_t k = 0; k < 5; ++k) scores.push_back(scattered(i, k, 0.02));
    strata.push_back(t_interval(scores, 0.99));
  }
  EXPECT_NEAR(sampler.mean().half_width, stratified_mean(strata, 0.99).half_width, 1e-12);
}

// Sent before a look: what is measured in the end is never less than what was told to be certain on the way.
TEST(MeanSampler, IsNeverMoreCertainThanWhatIsMeasuredInTheEnd) {
  std::size_t told_more = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const test::MeanLine line = test::mean_line(seed % 2 == 0 ? "wide" : "equal", 6, 0.95, 120);
    test::Normal normal(seed);
    MeanSampler sampler(line.options, 6);
    std::size_t most = 0;
    while (!sampler.finished()) {
      EXPECT_GE(sampler.certain(), sampler.wanted());
      told_more += sampler.certain() > sampler.wanted() ? 1 : 0;
      most = std::max(most, sampler.scored() + sampler.certain());
      const std::size_t i = sampler.next(1).front();
      sampler.add_score(i, 3 + line.deviations[i] * normal());
    }
    EXPECT_LE(most, sampler.scored()) << "seed " << seed;
    EXPECT_EQ(sampler.certain(), 0U);
  }
  EXPECT_GT(told_more, 100U) << "else nothing was tried";
}

TEST(MeanSampler, RecognisesScoresThatDependOnTheOneBefore) {
  test::MeanLine line = test::mean_line("equal", 12, 0.99, 140);
  test::Normal normal(4);
  std::size_t told = 0, told_independent = 0;
  for (int run = 0; run < 100; ++run) {
    told_independent += test::run_once(line, normal).autocorrelated() ? 1 : 0;
    test::MeanLine dependent = line;
    double last = 0;
    dependent.score = [&last](auto& n) { return last = 0.6 * last + 0.8 * n(); };
    told += test::run_once(dependent, normal).autocorrelated() ? 1 : 0;
  }
  EXPECT_GE(told, 95U);
  EXPECT_LE(told_independent, 12U);
}

TEST(SimultaneousGoal, IsTheRootAndNoMoreThanBonferronis) {
  const PrecisionGoal goal = simultaneous_goal({0.1, 0.95}, 2);
  EXPECT_EQ(goal.half_width, 0.1);
  EXPECT_NEAR(goal.confidence * goal.confidence, 0.95, 1e-12);
  EXPECT_LT(goal.confidence, 0.975);
  EXPECT_EQ(simultaneous_goal({0.1, 0.95}, 1).confidence, 0.95);
}

}  // namespace
}  // namespace vqas
