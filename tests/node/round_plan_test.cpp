#include "node/controller/round_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace vqas {
namespace {

SamplerOptions five_each() {
  SamplerOptions options;
  options.first_count = 5;
  options.cap_count = 5;
  return options;
}

std::vector<std::size_t> order(const std::vector<Planned>& planned) {
  std::vector<std::size_t> stimuli;
  for (const Planned& one : planned) stimuli.push_back(one.stimulus);
  return stimuli;
}

TEST(RoundPlan, ContainsWhatTheSamplersNeedNumberedInOrder) {
  std::vector<Sampler> samplers(4, Sampler(five_each()));
  samplers[2].stop(StopReason::cancelled);
  const auto planned = plan_round(samplers, 1, 0, 0, 31);
  std::map<std::size_t, std::size_t> count;
  for (std::size_t n = 0; n < planned.size(); ++n) {
    EXPECT_EQ(planned[n].sequence, 31 + n);
    ++count[planned[n].stimulus];
  }
  const std::map<std::size_t, std::size_t> expected{{0, 5}, {1, 5}, {3, 5}};
  EXPECT_EQ(count, expected);
}

TEST(RoundPlan, ForTheMeanEveryStimulusIsMeasuredInTurn) {
  SamplerOptions options;
  options.goal_of = GoalOf::mean;
  DirectionSampler sampler(options, 4);
  for (int i = 0; i < 20; ++i) sampler.add_score(i % 4, i % 3);
  for (const Reach reach : {Reach::next_look, Reach::certain}) {
    const auto stimuli = order(plan_round(sampler, 1, 0, 0, 1, {}, kLongestRound, reach));
    ASSERT_GE(stimuli.size(), 20U);
    std::vector<std::size_t> count(4, 0);
    for (const std::size_t s : stimuli) {
      ++count[s];
      EXPECT_LE(*std::ranges::max_element(count) - *std::ranges::min_element(count), 1U);
    }
  }
}

TEST(RoundPlan, IsEmptyWhenNothingIsWanted) {
  std::vector<Sampler> samplers(2, Sampler(five_each()));
  for (Sampler& sampler : samplers) sampler.stop(StopReason::goal);
  EXPECT_TRUE(plan_round(samplers, 1, 0, 0, 1).empty());
}

TEST(RoundPlan, TheOrderDependsOnlyOnSeedDirectionAndRound) {
  const std::vector<Sampler> samplers(12, Sampler(five_each()));
  const auto first = order(plan_round(samplers, 1, 0, 0, 1));
  EXPECT_EQ(order(plan_round(samplers, 1, 0, 0, 99)), first);
  EXPECT_NE(order(plan_round(samplers, 2, 0, 0, 1)), first);
  EXPECT_NE(order(plan_round(samplers, 1, 1, 0, 1)), first);
  EXPECT_NE(order(plan_round(samplers, 1, 0, 1, 1)), first);
}

TEST(RoundPlan, StimuliAreInterleaved) {
  const std::vector<Sampler> samplers(12, Sampler(five_each()));
  const auto stimuli = order(plan_round(samplers, 1, 0, 0, 1));
  ASSERT_EQ(stimuli.size(), 60U);
  // In random order a stimulus's mean position is 29.5 with a deviation of 7.4; in blocks it would be 2 to 57.
  for (std::size_t s = 0; s < 12; ++s) {
    double sum = 0;
    for (std::size_t n = 0; n < stimuli.size(); ++n) sum += stimuli[n] == s ? static_cast<double>(n) : 0;
    EXPECT_NEAR(sum / 5, 29.5, 4 * 7.4) << s;
  }
  std::size_t repeats = 0;
  for (std::size_t n = 1; n < stimuli.size(); ++n) repeats += stimuli[n] == stimuli[n - 1] ? 1 : 0;
  EXPECT_LT(repeats, 20U) << "48 in blocks, about 4 at random";
}

TEST(RoundPlan, ALongRoundIsCut) {
  SamplerOptions options = five_each();
  options.first_count = options.cap_count = 20;
  const std::vector<Sampler> samplers(12, Sampler(options));
  EXPECT_EQ(plan_round(samplers, 1, 0, 0, 1).size(), kLongestRound);
}

TEST(RoundPlan, ScarceLineTimeGoesToTheHighestGain) {
  SamplerOptions options;
  std::vector<Sampler> samplers(3, Sampler(options));
  const double around[] = {-0.3, 1.2, -1.5, 0.8, -0.1};
  for (const double one : around) {
    samplers[0].add_score(3 + 0.12 * one);
    samplers[1].add_score(3 + 0.5 * one);
    samplers[2].add_score(3 + 0.01 * one);
  }
  ASSERT_TRUE(samplers[2].finished());
  const auto count = [](const std::vector<Planned>& planned, std::size_t stimulus) {
    return static_cast<std::size_t>(std::ranges::count(order(planned), stimulus));
  };
  const auto all = plan_round(samplers, 1, 0, 0, 1);
  EXPECT_EQ(count(all, 0), samplers[0].wanted());
  EXPECT_EQ(count(all, 1), samplers[1].wanted());
  EXPECT_EQ(count(all, 2), 0U);
  EXPECT_EQ(order(plan_round(samplers, 1, 0, 0, 1, {}, 4)), (std::vector<std::size_t>{1, 1, 1, 1}));
  EXPECT_TRUE(plan_round(samplers, 1, 0, 0, 1, {}, 0).empty());
}

// The first of many measurements of a scattered stimulus gains more than any of a steady one, though on average all of
// them together gain less: the half-width falls with the root of the count.
TEST(RoundPlan, GainIsThatOfTheNextMeasurementNotOfAllWanted) {
  SamplerOptions options;
  options.cap_count = 100;
  std::vector<Sampler> samplers(2, Sampler(options));
  for (const double one : {-0.3, 1.2, -1.5, 0.8, -0.1}) {
    samplers[0].add_score(3 + 0.3 * one);
    samplers[1].add_score(3 + 0.12 * one);
  }
  const auto all_of = [&](std::size_t i) {
    return samplers[i].expected_gain(samplers[i].wanted()) / static_cast<double>(samplers[i].wanted());
  };
  ASSERT_GT(samplers[0].expected_gain(1), samplers[1].expected_gain(1));
  ASSERT_LT(all_of(0), all_of(1));
  EXPECT_EQ(order(plan_round(samplers, 1, 0, 0, 1, {}, 1)), (std::vector<std::size_t>{0}));
  // Each goes to the stimulus with the highest gain at that time.
  std::vector<std::size_t> away{0, 0};
  for (std::size_t budget = 1; budget <= 6; ++budget) {
    const double first =
        samplers[0].expected_gain(away[0] + 1) - (away[0] == 0 ? 0 : samplers[0].expected_gain(away[0]));
    const double second =
        samplers[1].expected_gain(away[1] + 1) - (away[1] == 0 ? 0 : samplers[1].expected_gain(away[1]));
    ++away[first > second ? 0 : 1];
    const auto planned = order(plan_round(samplers, 1, 0, 0, 1, {}, budget));
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(planned, std::size_t{0})), away[0]) << budget;
  }
}

TEST(RoundPlan, OutstandingMeasurementsReduceTheGain) {
  std::vector<Sampler> samplers(2, Sampler(SamplerOptions{}));
  for (Sampler& one : samplers) {
    for (const double score : {2.5, 3.2, 2.1, 3.4, 2.9}) one.add_score(score);
  }
  EXPECT_EQ(order(plan_round(samplers, 1, 0, 0, 1, {3, 0}, 1)), (std::vector<std::size_t>{1}));
  EXPECT_EQ(order(plan_round(samplers, 1, 0, 0, 1, {0, 3}, 1)), (std::vector<std::size_t>{0}));
}

TEST(RoundPlan, NoStimulusIsTwoAheadOfAnotherBeforeAllHaveTheirFirstCount) {
  constexpr std::size_t kStimuli = 12;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (const std::size_t budget : {std::size_t{17}, std::size_t{60}}) {
      std::vector<Sampler> samplers(kStimuli, Sampler(SamplerOptions{}));
      std::vector<std::size_t> made(kStimuli, 0);
      // Rounds of any length, one with a measurement without a score.
      for (std::uint64_t round = 0; round < 4; ++round) {
        for (const std::size_t i : order(plan_round(samplers, seed, 0, round, 1, {}, budget))) {
          if (std::ranges::all_of(samplers, [](const Sampler& one) { return one.scores().size() >= 5; })) break;
          ++made[i];
          const auto [least, most] = std::ranges::minmax(made);
          ASSERT_LE(most, least + 1) << "seed " << seed << ", round " << round;
          samplers[i].add_score(3 + 0.1 * static_cast<double>(made[i] % 3));
        }
      }
      EXPECT_EQ(std::ranges::min(made), 5U);
    }
  }
}

TEST(RoundPlan, ChanceDecidesWhichStimulusIsLeftShort) {
  constexpr std::size_t kStimuli = 6, kSeeds = 600;
  std::vector<std::size_t> ahead(kStimuli, 0), ahead_in_gain(kStimuli, 0);
  std::vector<Sampler> alike(kStimuli, Sampler(SamplerOptions{}));
  for (Sampler& one : alike) {
    for (const double score : {2.5, 3.2, 2.1, 3.4, 2.9}) one.add_score(score);
  }
  const std::vector<Sampler> fresh(kStimuli, Sampler(SamplerOptions{}));
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto turn = order(plan_round(fresh, seed, 0, 0, 1, {}, 3 * kStimuli + 1));
    ++ahead.at(turn.back());
    ++ahead_in_gain.at(order(plan_round(alike, seed, 0, 1, 1, {}, 1)).front());
  }
  // 100 each; binomial deviation 9.1.
  for (std::size_t i = 0; i < kStimuli; ++i) {
    EXPECT_NEAR(static_cast<double>(ahead[i]), 100, 37) << i;
    EXPECT_NEAR(static_cast<double>(ahead_in_gain[i]), 100, 37) << i;
  }
}

TEST(RunId, Has24BitsAndDiffersBetweenSeeds) {
  EXPECT_NE(run_id_of(1), run_id_of(2));
  EXPECT_NE(run_id_of(1), run_id_of(1, 1)) << "runs of one seed differ";
  EXPECT_NE(run_id_of(1, 1), run_id_of(1, 2));
  EXPECT_EQ(run_id_of(7, 3), run_id_of(7, 3));
  for (std::uint64_t seed = 0; seed < 100; ++seed) EXPECT_LT(run_id_of(seed), 1U << 24);
}

}  // namespace
}  // namespace vqas
