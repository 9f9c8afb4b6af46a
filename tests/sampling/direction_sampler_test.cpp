#include "vqas/sampling/direction_sampler.h"

#include <gtest/gtest.h>

#include <numeric>

namespace vqas {
namespace {

SamplerOptions options_for(GoalOf of) {
  SamplerOptions options;
  options.goal_of = of;
  return options;
}

std::size_t sum(const std::vector<std::size_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

// Scores about 3 with a deviation of about `swing`.
void add(DirectionSampler& sampler, std::size_t stimulus, double swing) {
  constexpr double kAround[] = {-0.3, 1.2, -1.5, 0.8, -0.1, 1.6, -1.0, 0.4, -1.3, 0.2};
  sampler.add_score(stimulus, 3 + swing * kAround[(sampler.scored(stimulus) + 3 * stimulus) % 10]);
}

TEST(DirectionSampler, WantsTheFirstCountOfEachForEveryGoal) {
  for (const GoalOf of : {GoalOf::each_stimulus, GoalOf::mean, GoalOf::line_time}) {
    const DirectionSampler sampler(options_for(of), 3);
    EXPECT_EQ(sampler.wanted(Reach::next_look), (std::vector<std::size_t>{5, 5, 5})) << to_string(of);
    EXPECT_EQ(sampler.wanted(Reach::next_look, std::vector<std::size_t>{5, 0, 2}), (std::vector<std::size_t>{0, 5, 3}));
    EXPECT_FALSE(sampler.stopped_because(0));
  }
}

TEST(DirectionSampler, ForTheMeanEveryStimulusGetsAsManyForEachOnlyTheOneThatScatters) {
  for (const GoalOf of : {GoalOf::each_stimulus, GoalOf::mean}) {
    DirectionSampler sampler(options_for(of), 4);
    for (std::size_t i = 0; i < 4; ++i) {
      while (sampler.scored(i) < 5) add(sampler, i, i == 0 ? 1.0 : 0.01);
    }
    const std::vector<std::size_t> more = sampler.expected_more();
    if (of == GoalOf::mean) {
      EXPECT_GT(more[3], 0U);
      EXPECT_LE(more[0], more[3] + 1);
    } else {
      EXPECT_EQ(more[3], 0U);
      EXPECT_GT(more[0], 0U);
    }
  }
}

TEST(DirectionSampler, AnAbandonedStimulusSaysSoWhileTheOthersContinue) {
  for (const GoalOf of : {GoalOf::each_stimulus, GoalOf::mean}) {
    DirectionSampler sampler(options_for(of), 2);
    for (int i = 0; i < 10; ++i) sampler.add_failure(1);
    EXPECT_EQ(sampler.stopped_because(1), StopReason::failures);
    EXPECT_FALSE(sampler.stopped_because(0));
    EXPECT_EQ(sampler.wanted(Reach::next_look), (std::vector<std::size_t>{5, 0})) << to_string(of);
  }
}

TEST(DirectionSampler, MoreIsMeasuredOfAStimulusThatSoundsDifferent) {
  for (const GoalOf of : {GoalOf::each_stimulus, GoalOf::mean}) {
    DirectionSampler sampler(options_for(of), 2);
    for (std::size_t i = 0; i < 2; ++i) {
      while (sampler.scored(i) < 5) add(sampler, i, 0.01);
    }
    ASSERT_TRUE(sampler.finished()) << to_string(of);
    sampler.ask_for_more(1, 5);
    EXPECT_EQ(sampler.wanted(Reach::next_look), (std::vector<std::size_t>{0, 5})) << to_string(of);
    while (sampler.scored(1) < 10) add(sampler, 1, 0.01);
    EXPECT_TRUE(sampler.finished());
    EXPECT_EQ(sum(sampler.expected_more()), 0U);
  }
}

}  // namespace
}  // namespace vqas
