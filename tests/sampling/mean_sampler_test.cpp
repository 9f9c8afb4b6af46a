#include "vqas/sampling/mean_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sampling/mean_simulation.h"

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

TEST(MeanSampler, GivesEveryStimulusTheSameCountHoweverItsScoresScatter) {
  MeanSampler sampler = looked({0.6, 0.02, 0.3, 0.02});
  ASSERT_FALSE(sampler.finished());
  while (!sampler.finished()) {
    const std::size_t i = sampler.next(1).front();
    add_scattered(sampler, i, 1, i == 0 ? 0.6 : 0.02);
  }
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(static_cast<double>(sampler.scored(i)), sampler.scored() / 4.0, 1);
}

TEST(MeanSampler, HeavyTailsWidenTheInterval) {
  // The same variance in each stimulus, in one of them by a single bad score.
  const std::vector<double> even{2.9, 3.1, 2.9, 3.1, 2.9, 3.1, 2.9, 3.1, 3.0, 3.0};
  std::vector<double> rare(10, 3.0);
  rare[4] = 3 - 0.2 * std::sqrt(20.0 / 9);
  const SamplerOptions options;
  const std::vector<std::vector<double>> light(12, even), heavy(12, rare);
  const double deviation = t_interval(even, 0.99).standard_deviation;
  ASSERT_NEAR(t_interval(rare, 0.99).standard_deviation, deviation, 1e-9 + deviation);
  const StratifiedMean narrow = sampled_mean(light, options, options.goal);
  const StratifiedMean wide = sampled_mean(heavy, options, options.goal);
  EXPECT_LT(wide.degrees, narrow.degrees / 2);
}

TEST(MeanSampler, ScoresAskedForAreMadeOfThatStimulusBesideThoseForTheGoal) {
  MeanSampler sampler = looked(std::vector(4, 0.05));
  ASSERT_EQ(sampler.stopped_because(), StopReason::goal);
  sampler.ask_for_more(2, 5);
  ASSERT_FALSE(sampler.finished());
  EXPECT_EQ(sampler.wanted(), 5U);
  EXPECT_EQ(sampler.next(5), std::vector<std::size_t>(5, 2));
  add_scattered(sampler, 2, 5, 0.05);
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
  EXPECT_EQ(sampler.scored(2), 10U);
  EXPECT_EQ(sampler.scored(), 25U);
}

TEST(MeanSampler, TheTimeAtWhichMoreIsAskedForMakesNoDifference) {
  MeanSampler early(SamplerOptions{}, 3), late(SamplerOptions{}, 3);
  early.ask_for_more(1, 5);
  for (MeanSampler* one : {&early, &late}) {
    for (std::size_t i = 0; i < 3; ++i) add_scattered(*one, i, 10, 0.1);
  }
  late.ask_for_more(1, 5);
  EXPECT_EQ(early.wanted(), late.wanted());
  EXPECT_EQ(early.stopped_because(), late.stopped_because());
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
    EXPECT_EQ(sampler.stopped_because(), reason) << sampler.mean().half_width;
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
  EXPECT_EQ(sampler.failures(2), 1U);
  for (int i = 0; i < 10; ++i) sampler.add_failure(1);
  EXPECT_TRUE(sampler.is_abandoned(1));
  EXPECT_TRUE(sampler.is_left_out(1)) << "one score has no deviation";
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
  EXPECT_FALSE(sampler.is_left_out(0));
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

TEST(MeanSampler, OneStimulusWithEqualScoresIsMeasuredTenTimes) {
  MeanSampler sampler(SamplerOptions{}, 1);
  for (int i = 0; i < 5; ++i) sampler.add_score(0, 3);
  EXPECT_EQ(sampler.wanted(), 5U);
  for (int i = 0; i < 5; ++i) sampler.add_score(0, 3);
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
}

TEST(MeanSampler, ForALineTimeMeasuresUntilThatEndsWithThePlainInterval) {
  SamplerOptions options;
  options.goal_of = GoalOf::line_time;
  MeanSampler sampler = looked(std::vector(4, 0.01), options);
  EXPECT_FALSE(sampler.finished());
  EXPECT_EQ(sampler.certain(), 30U * 4 - 20);
  sampler.stop(StopReason::cap_line_time);
  EXPECT_EQ(sampler.stopped_because(), StopReason::cap_line_time);
  std::vector<std::vector<double>> scores(4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 5; ++k) scores[i].push_back(scattered(i, k, 0.01));
  }
  std::vector<Interval> strata;
  for (const auto& one : scores) strata.push_back(t_interval(one, 0.99));
  EXPECT_NEAR(sampler.mean().half_width,
              stratified_mean(strata, 0.99, kScoreResolution, excess_kurtosis(scores)).half_width, 1e-12);
}

SamplerOptions above(double limit, double model_error) {
  SamplerOptions options;
  options.goal_of = GoalOf::above;
  options.limit = {limit, model_error};
  return options;
}

TEST(MeanSampler, AboveALimitStopsAsSoonAsItIsDecided) {
  // The mean is 3, and the model's half-width at 99 % is 0.26.
  for (const double limit : {2.6, 3.4}) {
    const MeanSampler sampler = looked(std::vector(12, 0.2), above(limit, 0.1));
    EXPECT_EQ(sampler.stopped_because(), StopReason::goal) << limit;
    EXPECT_EQ(sampler.scored(), 60U);
  }
}

TEST(MeanSampler, AboveALimitWithinTheModelsErrorIsUndecidable) {
  const MeanSampler sampler = looked(std::vector(12, 0.2), above(2.95, 0.1));
  EXPECT_EQ(sampler.stopped_because(), StopReason::undecidable);
  EXPECT_EQ(sampler.scored(), 60U) << "more would not help";
}

TEST(MeanSampler, AboveALimitJustBeyondTheModelsErrorMeasuresMoreUpToTheGoalsWidth) {
  MeanSampler sampler = looked(std::vector(12, 0.5), above(2.7, 0.1));
  EXPECT_FALSE(sampler.finished());
  EXPECT_EQ(sampler.certain(), sampler.wanted());
  while (!sampler.finished()) add_scattered(sampler, sampler.next(1).front(), 1, 0.5);
  EXPECT_LE(sampler.scored(), 360U);
  EXPECT_GT(sampler.scored(), 60U);
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
