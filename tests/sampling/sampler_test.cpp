#include "vqas/sampling/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sampling/certain.h"
#include "sampling/simulation.h"
#include "vqas/channel/random.h"

namespace vqas {
namespace {

// Scores with a deviation of `swing`, neither on two levels nor dependent on each other.
void add_scattered(Sampler& sampler, std::size_t count, double mean, double swing) {
  constexpr double kAround[] = {-0.3, 1.2, -1.5, 0.8, -0.1, 1.6, -1.0, 0.4, -1.3, 0.2};
  for (std::size_t i = 0; i < count; ++i) sampler.add_score(mean + swing * kAround[sampler.scores().size() % 10]);
}

TEST(Sampler, WantsTheFirstCountInOneBatchAndCountsDown) {
  Sampler sampler(SamplerOptions{});
  EXPECT_EQ(sampler.wanted(), 5U);
  EXPECT_FALSE(sampler.finished());
  sampler.add_score(3);
  EXPECT_EQ(sampler.wanted(), 4U);
  EXPECT_EQ(sampler.stopped_because(), std::nullopt);
}

TEST(Sampler, StopsWithTheGoalWhenTheFirstScoresAgree) {
  Sampler sampler(SamplerOptions{});
  add_scattered(sampler, 5, 4.2, 0.01);
  EXPECT_TRUE(sampler.finished());
  EXPECT_EQ(sampler.wanted(), 0U);
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
  EXPECT_EQ(sampler.interval().confidence, 0.99);
  EXPECT_LE(sampler.interval().half_width, 0.1);
}

TEST(Sampler, DoesNotLookBeforeAPlannedCountIsReached) {
  Sampler sampler(SamplerOptions{});
  add_scattered(sampler, 4, 4.2, 0.001);
  EXPECT_FALSE(sampler.finished());
  add_scattered(sampler, 1, 4.2, 0.3);
  ASSERT_FALSE(sampler.finished());
  const std::size_t asked = sampler.wanted();
  for (std::size_t i = 1; i < asked; ++i) {
    sampler.add_score(4.2);
    EXPECT_EQ(sampler.wanted(), asked - i);
  }
}

TEST(Sampler, AsksInMultiplesOfTheStepAndNeverBeyondTheCap) {
  SamplerOptions options;
  options.step = 4;
  options.cap_count = 30;
  for (const double swing : {0.05, 0.1, 0.2, 0.5, 1.0}) {
    Sampler sampler(options);
    std::size_t n = 0;
    while (!sampler.finished()) {
      const std::size_t asked = sampler.wanted();
      const bool between = n > 0 && n + asked < options.cap_count;
      EXPECT_EQ(between ? asked % 4 : 0, 0U);
      EXPECT_LE(n + asked, 30U);
      add_scattered(sampler, asked, 3, swing);
      n += asked;
    }
    EXPECT_EQ(sampler.scores().size(), n);
  }
}

TEST(Sampler, AsksForMoreTheMoreTheScoresScatter) {
  SamplerOptions options;
  options.cap_count = 1000;
  std::size_t before = 0;
  for (const double swing : {0.15, 0.3, 0.6, 1.0}) {
    Sampler sampler(options);
    add_scattered(sampler, 5, 3, swing);
    EXPECT_GT(sampler.wanted(), before) << swing;
    EXPECT_GE(sampler.expected_more(), sampler.wanted());
    before = sampler.wanted();
  }
}

TEST(Sampler, ExpectsTheCountOfTheTFormula) {
  SamplerOptions options;
  options.cap_count = 1000;
  options.step = 1;
  Sampler sampler(options);
  add_scattered(sampler, 5, 3, 0.3);
  const double deviation = sampler.interval().standard_deviation;
  const std::size_t total = 5 + sampler.expected_more();
  const auto width = [&](std::size_t n) {
    const auto size = static_cast<double>(n);
    return two_sided_t(0.99, size - 1) * deviation / std::sqrt(size) * (1 + 0.35 * std::pow(4 / (size - 1), 0.75));
  };
  EXPECT_LE(width(total), 0.1);
  EXPECT_GT(width(total - 1), 0.1);
}

TEST(Sampler, NamesTheFallbackWhenOnlyThatIsReachedAtTheCap) {
  Sampler sampler(SamplerOptions{});
  while (!sampler.finished()) add_scattered(sampler, 1, 3, 0.25);
  EXPECT_EQ(sampler.scores().size(), 30U);
  EXPECT_EQ(sampler.stopped_because(), StopReason::fallback);
  EXPECT_EQ(sampler.interval().confidence, 0.95);
  EXPECT_LE(sampler.interval().half_width, 0.15);
}

TEST(Sampler, NamesTheCapWhenNeitherGoalIsReached) {
  Sampler sampler(SamplerOptions{});
  while (!sampler.finished()) add_scattered(sampler, 1, 3, 1);
  EXPECT_EQ(sampler.scores().size(), 30U);
  EXPECT_EQ(sampler.stopped_because(), StopReason::cap_count);
  EXPECT_EQ(sampler.interval().confidence, 0.99);
  EXPECT_GT(sampler.interval().half_width, 0.15);
}

TEST(Sampler, HasNoFallbackWhenNoneIsGiven) {
  SamplerOptions options;
  options.fallback.reset();
  Sampler sampler(options);
  while (!sampler.finished()) add_scattered(sampler, 1, 3, 0.25);
  EXPECT_EQ(sampler.stopped_because(), StopReason::cap_count);
}

TEST(Sampler, TriesTheFallbackAtACapOfLineTime) {
  Sampler sampler(SamplerOptions{});
  add_scattered(sampler, 5, 3, 0.1);
  ASSERT_FALSE(sampler.finished());
  add_scattered(sampler, 4, 3, 0.1);
  sampler.stop(StopReason::cap_line_time);
  EXPECT_EQ(sampler.stopped_because(), StopReason::fallback);

  Sampler scattered(SamplerOptions{});
  add_scattered(scattered, 6, 3, 1);
  scattered.stop(StopReason::cap_line_time);
  EXPECT_EQ(scattered.stopped_because(), StopReason::cap_line_time);
}

TEST(Sampler, ReachesNoGoalAtACapOfLineTimeBeforeItsFirstCount) {
  for (const std::size_t count : {2U, 4U}) {
    Sampler sampler(SamplerOptions{});
    for (std::size_t i = 0; i < count; ++i) sampler.add_score(3);
    sampler.stop(StopReason::cap_line_time);
    EXPECT_EQ(sampler.stopped_because(), StopReason::cap_line_time) << count;
  }
}

TEST(Sampler, StopsFromOutsideOnceAndKeepsTheFirstReason) {
  Sampler sampler(SamplerOptions{});
  sampler.add_score(3);
  sampler.stop(StopReason::cancelled);
  EXPECT_EQ(sampler.wanted(), 0U);
  sampler.stop(StopReason::line_lost);
  EXPECT_EQ(sampler.stopped_because(), StopReason::cancelled);
  EXPECT_EQ(sampler.expected_more(), 0U);
}

TEST(Sampler, AbandonsTheStimulusAfterTooManyFailures) {
  SamplerOptions options;
  options.max_failures = 3;
  Sampler sampler(options);
  sampler.add_score(3);
  sampler.add_failure();
  EXPECT_EQ(sampler.wanted(), 4U);
  sampler.add_failure();
  sampler.add_failure();
  EXPECT_EQ(sampler.stopped_because(), StopReason::failures);
  EXPECT_EQ(sampler.failures(), 3U);
  EXPECT_EQ(sampler.interval().n, 1U);
}

TEST(Sampler, CountsAScoreThatIsNotANumberAsAFailure) {
  Sampler sampler(SamplerOptions{});
  sampler.add_score(std::numeric_limits<double>::quiet_NaN());
  sampler.add_score(std::numeric_limits<double>::infinity());
  EXPECT_EQ(sampler.failures(), 2U);
  EXPECT_TRUE(sampler.scores().empty());
}

TEST(Sampler, KeepsScoresThatComeAfterItsEndWithoutChangingTheReason) {
  Sampler sampler(SamplerOptions{});
  add_scattered(sampler, 5, 3, 0.01);
  ASSERT_EQ(sampler.stopped_because(), StopReason::goal);
  sampler.add_score(3);
  EXPECT_EQ(sampler.interval().n, 6U);
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
}

TEST(Sampler, TakesTenEqualScoresOfADigitalLineAndKeepsAWidth) {
  Sampler sampler(SamplerOptions{});
  for (int i = 0; i < 5; ++i) sampler.add_score(4.55);
  EXPECT_EQ(sampler.wanted(), 5U);
  EXPECT_TRUE(sampler.widened());
  EXPECT_TRUE(sampler.pattern().equal);
  for (int i = 0; i < 5; ++i) sampler.add_score(4.55);
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
  EXPECT_GT(sampler.interval().half_width, 0);
  EXPECT_TRUE(std::isfinite(sampler.interval().half_width));
}

TEST(Sampler, WidensTheIntervalOnlyIfItsLooksDecidedTheCount) {
  SamplerOptions fixed;
  fixed.cap_count = fixed.first_count;
  Sampler once(fixed);
  Sampler often(SamplerOptions{});
  add_scattered(once, 5, 3, 0.02);
  add_scattered(often, 5, 3, 0.02);
  EXPECT_EQ(once.interval().stopping_factor, 1);
  EXPECT_DOUBLE_EQ(often.interval().half_width, once.interval().half_width * stopping_factor(5));
}

TEST(Sampler, MeasuresTenWhereFiveScoresLieOnTwoLevels) {
  Sampler sampler(SamplerOptions{});
  for (const double score : {4.20, 4.21, 4.13, 4.20, 4.21}) sampler.add_score(score);
  EXPECT_FALSE(sampler.widened());
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);

  Sampler heaps(SamplerOptions{});
  for (const double score : {4.200, 4.201, 4.100, 4.200, 4.101}) heaps.add_score(score);
  EXPECT_TRUE(heaps.widened());
  EXPECT_TRUE(heaps.pattern().two_levels);
  EXPECT_EQ(heaps.wanted(), 5U);
}

TEST(Sampler, PostponesItsFirstLookNoFurtherThanTheCap) {
  SamplerOptions options;
  options.cap_count = 7;
  Sampler sampler(options);
  for (int i = 0; i < 7; ++i) sampler.add_score(4.55);
  EXPECT_TRUE(sampler.finished());
}

TEST(Sampler, GivesNoIntervalWiderThanTheGoalItReached) {
  SamplerOptions options;
  options.cap_count = 1000;
  for (const double swing : {0.01, 0.05, 0.08, 0.2, 0.5}) {
    Sampler sampler(options);
    while (!sampler.finished()) add_scattered(sampler, 1, 3, swing);
    ASSERT_EQ(sampler.stopped_because(), StopReason::goal);
    EXPECT_LE(sampler.interval().half_width, 0.1);
    EXPECT_GE(sampler.interval().half_width, t_interval(sampler.scores(), 0.99).half_width);
  }
}

TEST(Sampler, MeasuresMoreWhenAnOperatorAsksForIt) {
  Sampler sampler(SamplerOptions{});
  for (const double score : {3.01, 2.99, 3.02, 3.00, 2.98}) sampler.add_score(score);
  ASSERT_EQ(sampler.stopped_because(), StopReason::goal);
  sampler.ask_for_more(5);
  EXPECT_EQ(sampler.wanted(), 5U);
  for (const double score : {3.01, 2.99, 3.02, 3.00}) sampler.add_score(score);
  EXPECT_FALSE(sampler.finished());
  sampler.add_score(2.98);
  EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
  sampler.ask_for_more(1000);
  EXPECT_EQ(sampler.wanted(), 20U);

  Sampler lost(SamplerOptions{});
  lost.stop(StopReason::line_lost);
  lost.ask_for_more(5);
  EXPECT_EQ(lost.wanted(), 0U);
}

TEST(Sampler, MeasuresAWholeStepMoreForEachRequest) {
  constexpr double kScores[] = {3.01, 2.99, 3.02, 3.00, 2.98};
  for (std::size_t asked_after = 0; asked_after <= 5; ++asked_after) {
    Sampler sampler(SamplerOptions{});
    std::size_t made = 0;
    const auto add = [&] { sampler.add_score(kScores[made++ % 5]); };
    while (made < asked_after) add();
    sampler.ask_for_more(5);
    EXPECT_EQ(sampler.expected_more(), 10 - asked_after) << asked_after;
    while (!sampler.finished()) add();
    EXPECT_EQ(made, 10U) << "asked after " << asked_after;
    EXPECT_EQ(sampler.stopped_because(), StopReason::goal);
  }
  Sampler twice(SamplerOptions{});
  twice.ask_for_more(5);
  twice.ask_for_more(5);
  for (std::size_t made = 0; !twice.finished(); ++made) twice.add_score(kScores[made % 5]);
  EXPECT_EQ(twice.scores().size(), 15U);
  SamplerOptions few;
  few.cap_count = 7;
  Sampler capped(few);
  capped.ask_for_more(5);
  EXPECT_LE(capped.expected_more(), 7U);
  for (std::size_t made = 0; !capped.finished(); ++made) capped.add_score(kScores[made % 5]);
  EXPECT_EQ(capped.scores().size(), 7U);
}

TEST(Sampler, ExpectsToGainMostWhereTheScoresScatterMost) {
  Sampler steady(SamplerOptions{});
  Sampler wild(SamplerOptions{});
  EXPECT_EQ(steady.expected_gain(1), INFINITY);
  add_scattered(steady, 5, 3, 0.12);
  add_scattered(wild, 5, 3, 0.6);
  EXPECT_GT(steady.expected_gain(5), 0);
  EXPECT_GT(wild.expected_gain(5), steady.expected_gain(5));
  EXPECT_GT(wild.expected_gain(10), wild.expected_gain(5));
  wild.stop(StopReason::cancelled);
  EXPECT_EQ(wild.expected_gain(5), 0);
}

TEST(StoppingFactor, FallsTowardsOneWithTheCount) {
  EXPECT_NEAR(stopping_factor(5), 1.32, 1e-12);
  EXPECT_GT(stopping_factor(5), stopping_factor(10));
  EXPECT_GT(stopping_factor(10), stopping_factor(30));
  EXPECT_LT(stopping_factor(100'000), 1.001);
  EXPECT_EQ(stopping_factor(1), 1);
}

TEST(SamplerOptions, WrongOptionsAreRefusedByName) {
  const auto message = [](auto change) {
    SamplerOptions options;
    change(options);
    const Status status = validate(options);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(message([](auto&) {}), "");
  EXPECT_NE(message([](auto& o) { o.first_count = 1; }).find("first_count"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.step = 0; }).find("step"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.cap_count = 4; }).find("cap_count"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.max_failures = 0; }).find("max_failures"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.goal.half_width = 0; }).find("goal.half_width"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.goal.half_width = NAN; }).find("goal.half_width"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.goal.confidence = 1; }).find("goal.confidence"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.fallback->confidence = 0; }).find("fallback.confidence"), std::string::npos);
}

TEST(StopReason, NamesConvertBackToTheirReasons) {
  for (const StopReason reason :
       {StopReason::goal, StopReason::fallback, StopReason::cap_count, StopReason::cap_line_time, StopReason::cancelled,
        StopReason::line_lost, StopReason::failures})
    EXPECT_EQ(stop_reason_from_string(to_string(reason)), reason);
  EXPECT_EQ(stop_reason_from_string("tired"), std::nullopt);
}

// Sent before a look: the sampler never wants fewer in the end than were certain before.
TEST(Certain, IsNeverMoreThanWhatIsMeasuredInTheEnd) {
  std::size_t told_more = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed, 0, 0);
    const double deviation = 0.02 + 0.5 * random.next_unit();
    Sampler sampler(SamplerOptions{});
    std::size_t most = 0;
    while (!sampler.finished()) {
      EXPECT_GE(certain(sampler), sampler.wanted());
      told_more += certain(sampler) > sampler.wanted() ? 1 : 0;
      most = std::max(most, sampler.scores().size() + certain(sampler));
      // The sum of twelve uniform values is nearly normal; -6 centres it.
      double sum = -6;
      for (int i = 0; i < 12; ++i) sum += random.next_unit();
      sampler.add_score(3 + deviation * sum);
    }
    EXPECT_LE(most, sampler.scores().size()) << "seed " << seed;
    EXPECT_EQ(certain(sampler), 0U);
  }
  EXPECT_GT(told_more, 1000U) << "otherwise nothing was tested";
}

TEST(Certain, IncludesAStepOnlyIfScoresAtTheMeanWouldNotSuffice) {
  Sampler steady(SamplerOptions{}), scattered(SamplerOptions{});
  for (const double around : {-0.3, 1.2, -1.5, 0.8}) {
    steady.add_score(3 + 0.02 * around);
    scattered.add_score(3 + 0.2 * around);
  }
  EXPECT_EQ(certain(steady), 1U);
  EXPECT_GE(certain(scattered), 6U);
  EXPECT_EQ(scattered.wanted(), 1U);
}

}  // namespace
}  // namespace vqas
