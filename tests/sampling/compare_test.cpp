#include "vqas/sampling/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sampling/simulation.h"

namespace vqas {
namespace {

Interval of(const std::vector<double>& scores) {
  return t_interval(scores, 0.95);
}

TEST(Compare, StimuliAreComparedSeparatelyThenAveragedWithEqualWeights) {
  const std::vector<ComparedChannel> channels{
      {"cable", {{"M1", of({4.0, 4.1, 3.9})}, {"F1", of({3.5, 3.6, 3.4, 3.5, 3.5, 3.5})}}},
      {"satellite", {{"F1", of({3.0, 3.1, 2.9})}, {"M1", of({3.8, 3.9, 3.7})}}}};
  const auto found = compare(channels, 0.95);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  const Comparison& one = found->front();
  ASSERT_EQ(one.stimuli.size(), 2U);
  EXPECT_EQ(one.stimuli[0].stimulus, "M1");
  EXPECT_NEAR(one.stimuli[0].difference, -0.2, 1e-12);
  EXPECT_NEAR(one.stimuli[1].difference, -0.5, 1e-12);
  EXPECT_NEAR(one.difference, -0.35, 1e-12);
  EXPECT_TRUE(one.omitted.empty());
  EXPECT_GT(one.stimuli[0].simultaneous, one.stimuli[0].half_width);
  EXPECT_EQ(one.simultaneous, one.half_width);  // one pair
  EXPECT_EQ(one.adjusted, one.probability);
}

TEST(Compare, KeepsTheUnscoredShareOfEachChannel) {
  std::vector<ComparedChannel> channels{{"half dead", {{"M1", of({4.1, 4.2, 4.0})}}},
                                        {"well", {{"M1", of({4.2, 4.1, 4.1})}}}};
  EXPECT_FALSE(compare(channels, 0.95)->front().conditional);
  channels[0].share_unscored = 0.396;
  channels[0].bound = 2.53;
  channels[0].conditional = true;
  channels[1].bound = 4.13;
  const Comparison one = compare(channels, 0.95)->front();
  EXPECT_TRUE(one.conditional);
  EXPECT_EQ(one.first_unscored, 0.396);
  EXPECT_EQ(one.second_unscored, 0);
  EXPECT_EQ(one.first_bound, 2.53);
  EXPECT_EQ(one.second_bound, 4.13);
}

TEST(Compare, OfOneStimulusIsWelchsTest) {
  // R: t.test(c(4.2,4.0,4.1,4.3,3.9), c(3.7,4.1,3.5,3.9)): t = 2.1828, df = 4.7133, p-value = 0.08408
  const std::vector<ComparedChannel> channels{{"a", {{"M1", of({3.7, 4.1, 3.5, 3.9})}}},
                                              {"b", {{"M1", of({4.2, 4.0, 4.1, 4.3, 3.9})}}}};
  const Comparison one = compare(channels, 0.95)->front();
  const double va = 0.06666666667 / 4;
  const double vb = 0.025 / 5;
  const double degrees = std::pow(va + vb, 2) / (va * va / 3 + vb * vb / 4);
  EXPECT_NEAR(one.degrees, degrees, 1e-6);
  EXPECT_NEAR(one.difference, 0.3, 1e-12);
  EXPECT_NEAR(one.half_width, two_sided_t(0.95, degrees) * std::sqrt(va + vb), 1e-9);
  EXPECT_NEAR(one.stimuli[0].half_width, one.half_width, 1e-12);
}

// Scores whose number the sampler chose by their scatter are less certain than a plain t interval suggests.
TEST(Compare, KeepsTheStoppingFactorOfEachSide) {
  NamedInterval first{"M1", of({3.7, 4.1, 3.5, 3.9, 3.8})}, second{"M1", of({4.2, 4.0, 4.1, 4.3, 3.9})};
  const auto compared = [&] {
    return compare(std::vector<ComparedChannel>{{"a", {first}}, {"b", {second}}}, 0.95)->front();
  };
  const Comparison plain = compared();
  first.interval.stopping_factor = second.interval.stopping_factor = 1.32;
  const Comparison both = compared();
  EXPECT_NEAR(both.half_width, 1.32 * plain.half_width, 1e-12);
  EXPECT_NEAR(both.simultaneous, 1.32 * plain.simultaneous, 1e-12);
  EXPECT_NEAR(both.stimuli[0].half_width, 1.32 * plain.stimuli[0].half_width, 1e-12);
  EXPECT_NEAR(both.degrees, plain.degrees, 1e-12);
  EXPECT_GT(both.probability, plain.probability);
  second.interval.stopping_factor = 1;
  EXPECT_LT(compared().half_width, both.half_width);
  EXPECT_GT(compared().half_width, plain.half_width);
}

TEST(Compare, ListsStimuliScoredOnOneSideOnly) {
  const std::vector<ComparedChannel> channels{
      {"a", {{"M1", of({4.0, 4.1})}, {"M2", of({3})}, {"F5", Interval{}}, {"F6", Interval{}}}},
      {"b", {{"M1", of({4.0, 4.2})}, {"M2", Interval{}}, {"F5", of({2.0, 2.1})}, {"F6", Interval{}}}}};
  const Comparison one = compare(channels, 0.99)->front();
  EXPECT_EQ(one.stimuli.size(), 1U);
  EXPECT_EQ(one.omitted, (std::vector<std::string>{"M2", "F5"}));
}

TEST(Compare, IsUndecidedWithoutACommonStimulusOrWithOneScore) {
  const std::vector<ComparedChannel> strangers{{"a", {{"M1", of({4.0, 4.1})}}}, {"b", {{"M2", of({4.0, 4.1})}}}};
  EXPECT_EQ(compare(strangers, 0.99)->front().half_width, INFINITY);
  EXPECT_FALSE(compare(strangers, 0.99)->front().differ());
  const std::vector<ComparedChannel> single{{"a", {{"M1", of({4.0})}}}, {"b", {{"M1", of({3.0, 3.1})}}}};
  EXPECT_EQ(compare(single, 0.99)->front().half_width, INFINITY);
  EXPECT_NEAR(compare(single, 0.99)->front().difference, -0.95, 1e-12);
}

TEST(Compare, AdjustsSeveralPairsByHolm) {
  const auto channel = [](const char* name, double mean) {
    return ComparedChannel{name, {{"M1", of({mean - 0.1, mean + 0.1, mean, mean - 0.05, mean + 0.05})}}};
  };
  const std::vector<ComparedChannel> channels{channel("a", 3.0), channel("b", 3.02), channel("c", 3.4)};
  const auto found = compare(channels, 0.95);
  ASSERT_EQ(found->size(), 3U);
  const Comparison& ab = found->at(0);
  const Comparison& ac = found->at(1);
  const Comparison& bc = found->at(2);
  EXPECT_NEAR(ac.adjusted, 3 * ac.probability, 1e-12);
  EXPECT_NEAR(bc.adjusted, std::max(ac.adjusted, 2 * bc.probability), 1e-12);  // never below a smaller p's
  EXPECT_NEAR(ab.adjusted, ab.probability, 1e-12);
  EXPECT_TRUE(ac.differ() && bc.differ());
  EXPECT_FALSE(ab.differ());
  EXPECT_GT(ab.simultaneous, ab.half_width);
}

TEST(Compare, RefusesTooFewChannelsEqualNamesAndBadConfidence) {
  const ComparedChannel one{"a", {{"M1", of({4.0, 4.1})}}};
  EXPECT_FALSE(compare(std::vector{one}, 0.95));
  EXPECT_FALSE(compare(std::vector{one, one}, 0.95));
  EXPECT_FALSE(compare(std::vector{one, ComparedChannel{"b", {}}}, 1.0));
}

// Four equal channels with different scatter: at 95 % at most one family in twenty may show any difference.
TEST(Compare, FindsADifferenceAmongEqualChannelsNoMoreOftenThanStated) {
  test::Normal normal(77);
  test::Simulation families;
  test::Simulation intervals;
  for (families.runs = 0; families.runs < 1500; ++families.runs) {
    std::vector<ComparedChannel> channels;
    for (int c = 0; c < 4; ++c) {
      ComparedChannel channel{std::to_string(c), {}};
      for (const char* stimulus : {"M1", "F1", "M2"}) {
        std::vector<double> scores;
        for (int i = 0; i < 5 + 3 * c; ++i) scores.push_back(3 + 0.05 * (c + 1) * normal());
        channel.stimuli.push_back({stimulus, of(scores)});
      }
      channels.push_back(channel);
    }
    bool any = false;
    bool all_held = true;
    const auto compared = compare(channels, 0.95);
    for (const Comparison& one : *compared) {
      any = any || one.differ();
      all_held = all_held && std::abs(one.difference) <= one.simultaneous;
    }
    families.covered += any ? 0 : 1;
    intervals.covered += all_held ? 1 : 0;
  }
  intervals.runs = families.runs;
  EXPECT_GE(families.highest_coverage(), 0.95) << families.coverage();
  EXPECT_GE(intervals.highest_coverage(), 0.95) << intervals.coverage();
}

}  // namespace
}  // namespace vqas
