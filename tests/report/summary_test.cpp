#include "vqas/report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/sample_run.h"
#include "vqas/sampling/mean_sampler.h"

namespace vqas {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

StimulusRun stimulus_of(std::size_t scored_count, std::size_t unscored_count, Outcome outcome = Outcome::not_found) {
  StimulusRun stimulus{.stimulus = "M1", .measurements = {}, .interval = {}};
  std::uint32_t sequence = 0;
  for (std::size_t i = 0; i < scored_count; ++i) stimulus.measurements.push_back(test::scored(++sequence, 4));
  for (std::size_t i = 0; i < unscored_count; ++i)
    stimulus.measurements.push_back(test::unscored(++sequence, outcome, "because"));
  return stimulus;
}

TEST(GoalInWords, GoalsThatHoldTogetherNameTheConfidenceOfBothDirections) {
  SamplerOptions sampling;
  sampling.goal_of = GoalOf::mean;
  EXPECT_THAT(goal_in_words(sampling), Not(HasSubstr("together")));
  sampling.goal = simultaneous_goal(sampling.goal, 2);
  sampling.fallback = simultaneous_goal(*sampling.fallback, 2);
  EXPECT_THAT(goal_in_words(sampling),
              HasSubstr("the intervals of both directions hold together at 99 %, or at 95 % where "
                        "one ended with the fallback"));
}

TEST(StimulusSummary, CountsEveryOutcomeOnce) {
  StimulusRun stimulus = stimulus_of(3, 2);
  stimulus.measurements.push_back(test::unscored(6, Outcome::line_lost, "gone"));
  const StimulusSummary summary = summarise(stimulus);
  EXPECT_EQ(summary.outcomes.of(Outcome::scored), 3U);
  EXPECT_EQ(summary.outcomes.of(Outcome::not_found), 2U);
  EXPECT_EQ(summary.outcomes.of(Outcome::line_lost), 1U);
  EXPECT_EQ(summary.outcomes.of(Outcome::bad_input), 0U);
  EXPECT_EQ(summary.outcomes.total(), 6U);
  EXPECT_DOUBLE_EQ(summary.outcomes.share_unscored(), 0.5);
}

TEST(StimulusSummary, MoreThanTenPercentUnscoredIsConditional) {
  EXPECT_FALSE(summarise(stimulus_of(10, 0)).conditional);
  EXPECT_FALSE(summarise(stimulus_of(9, 1)).conditional);
  EXPECT_TRUE(summarise(stimulus_of(8, 1)).conditional);
}

TEST(StimulusSummary, BoundCountsUnscoredAtTheBottomOfTheScale) {
  EXPECT_DOUBLE_EQ(*summarise(stimulus_of(2, 1)).bound, (4.0 + 4.0 + 1.0) / 3);
  EXPECT_DOUBLE_EQ(*summarise(stimulus_of(0, 3)).bound, 1.0);
  EXPECT_FALSE(summarise(stimulus_of(0, 0)).bound);
}

TEST(StimulusSummary, MeasurementsThatWereCancelledOrSpoiltByTheInstrumentSayNothingOfTheLine) {
  for (const Outcome outcome : {Outcome::cancelled, Outcome::audio_fault}) {
    const StimulusSummary summary = summarise(stimulus_of(5, 5, outcome));
    EXPECT_EQ(summary.outcomes.share_unscored(), 0);
    EXPECT_FALSE(summary.conditional);
    EXPECT_DOUBLE_EQ(*summary.bound, 4.0);
    EXPECT_EQ(summary.outcomes.of(outcome), 5U) << "still counted";
  }
  EXPECT_FALSE(summarise(stimulus_of(0, 3, Outcome::audio_fault)).bound);
}

TEST(StimulusSummary, MeasurementsLostWithTheCallAreCountedAndNamed) {
  const StimulusSummary summary = summarise(stimulus_of(5, 1, Outcome::line_lost));
  EXPECT_TRUE(summary.conditional);
  EXPECT_THAT(conditional_in_words(summary),
              HasSubstr("16.7 % without a score (1 because the call or an end was lost)"));
  EXPECT_THAT(conditional_in_words(summarise(stimulus_of(5, 1))), Not(HasSubstr("was lost")));
}

TEST(SequenceGaps, NumbersWithoutAMeasurementAreListed) {
  DirectionRun direction;
  EXPECT_TRUE(sequence_gaps(direction).empty());
  direction.stimuli = {stimulus_of(0, 0), stimulus_of(0, 0)};
  for (const std::uint32_t sequence : {3U, 9U, 4U})
    direction.stimuli[0].measurements.push_back(test::scored(sequence, 4));
  for (const std::uint32_t sequence : {8U}) direction.stimuli[1].measurements.push_back(test::scored(sequence, 4));
  const auto gaps = sequence_gaps(direction);
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0].first, 1U) << "the first ones too";
  EXPECT_EQ(gaps[0].last, 2U);
  EXPECT_EQ(gaps[1].first, 5U);
  EXPECT_EQ(gaps[1].last, 7U);
}

TEST(DirectionSummary, IsTheEqualWeightMeanOfItsStimuli) {
  const RunResults run = test::sample_run();
  const DirectionSummary summary = summarise(run.directions[0], run.sampling);
  EXPECT_NEAR(summary.mean.mean, (4.1 + 3.5) / 2, 1e-12);
  EXPECT_NEAR(summary.mean.range, 0.6, 1e-12);
  EXPECT_EQ(summary.mean.strata, 2U);
  EXPECT_TRUE(std::isfinite(summary.mean.half_width));
  EXPECT_EQ(summary.mean.confidence, 0.99);
  EXPECT_FALSE(summary.conditional);
  EXPECT_TRUE(summary.omitted.empty());
}

TEST(DirectionSummary, OmittedStimuliAreNamed) {
  const RunResults run = test::sample_run();
  const DirectionSummary summary = summarise(run.directions[1], run.sampling);
  EXPECT_THAT(summary.omitted, ElementsAre("F5"));
  EXPECT_EQ(summary.mean.strata, 1U);
  EXPECT_TRUE(summary.conditional);
  EXPECT_NEAR(*summary.bound, ((5 * 3.9 + 1) / 6 + 1) / 2, 1e-12);
}

TEST(DirectionSummary, ShareUnscoredWeighsEachStimulusEqually) {
  // Many measurements of eleven complete stimuli do not hide one that is mostly unscored.
  DirectionRun direction{.from = End::a, .stimuli = {}};
  for (int i = 0; i < 11; ++i) direction.stimuli.push_back(stimulus_of(30, 0));
  direction.stimuli.push_back(stimulus_of(5, 10));
  for (StimulusRun& stimulus : direction.stimuli) test::settle(stimulus, SamplerOptions{});
  const DirectionSummary hardly = summarise(direction, {});
  EXPECT_NEAR(hardly.share_unscored, 10.0 / 15 / 12, 1e-12);
  EXPECT_TRUE(hardly.conditional);
  // One loss exceeds a tenth of its stimulus, but is a small part of the mean.
  direction.stimuli.back() = stimulus_of(5, 1);
  test::settle(direction.stimuli.back(), SamplerOptions{});
  EXPECT_FALSE(summarise(direction, {}).conditional);
  // More than a tenth of the mean, although a small part of all measurements.
  for (std::size_t i = 0; i < 4; ++i) {
    direction.stimuli[i] = stimulus_of(5, 4);
    test::settle(direction.stimuli[i], SamplerOptions{});
  }
  const DirectionSummary many = summarise(direction, {});
  EXPECT_LT(many.outcomes.share_unscored(), kConditionalShare);
  EXPECT_GT(many.share_unscored, kConditionalShare);
  EXPECT_TRUE(many.conditional);
}

TEST(MeanInWords, AConditionalMeanHasItsShareAndBound) {
  const RunResults run = test::sample_run();
  const std::string whole =
      mean_in_words(summarise(run.directions[0], run.sampling), 0.3, "P.862.1", ScoreMode::narrowband);
  EXPECT_THAT(whole, HasSubstr("mean MOS-LQON 3.80, repeatability ±"));
  EXPECT_THAT(whole, HasSubstr("(1 σ, against P.862.1); 10 of 10 measurements scored"));
  EXPECT_THAT(whole, Not(HasSubstr("conditional")));
  const std::string partly =
      mean_in_words(summarise(run.directions[1], run.sampling), 0.3, "P.862.1", ScoreMode::narrowband);
  EXPECT_THAT(partly, HasSubstr("; 5 of 11 measurements scored; conditional: 58.3 % without a score, F5 left out; with "
                                "those at the bottom of the scale the mean would be 2.21"));
  EXPECT_EQ(mean_in_words(DirectionSummary{}, 0.3, "P.862.1", ScoreMode::narrowband),
            "no score; 0 measurements, none scored");
  EXPECT_EQ(conditional_in_words(summarise(stimulus_of(10, 0))), "");
  EXPECT_EQ(conditional_in_words(summarise(stimulus_of(2, 1))),
            "conditional: 33.3 % without a score; with those at the bottom of the scale the mean would be 3.00");
}

TEST(MeanInWords, UnmeasuredStimuliAreNotCountedAtTheBottomOfTheScale) {
  DirectionRun direction = test::sample_run().directions[0];
  StimulusRun none;
  none.stimulus = "F6";
  direction.stimuli.push_back(none);
  EXPECT_EQ(conditional_in_words(summarise(direction, {})), "conditional: F6 not measured");
  direction.stimuli[0] = stimulus_of(2, 1);
  direction.stimuli[0].interval.n = 2;
  direction.stimuli[0].interval.mean = 4;
  EXPECT_THAT(conditional_in_words(summarise(direction, {})),
              AllOf(HasSubstr("% without a score, F6 not measured; with the unscored ones at the bottom"),
                    Not(HasSubstr("left out"))));
}

TEST(DirectionSummary, OfARunForTheMeanHoldsTheSamplersInterval) {
  const RunResults run = test::sample_run_of_the_mean(0.1);
  MeanSampler sampler(run.sampling, 3);
  for (std::uint32_t sequence = 1; !sampler.finished(); ++sequence) {
    for (std::size_t s = 0; s < 3; ++s) {
      for (const Measurement& one : run.directions[0].stimuli[s].measurements) {
        if (one.sequence == sequence) sampler.add_score(s, *one.mos_lqo);
      }
    }
  }
  const DirectionSummary summary = summarise(run.directions[0], run.sampling);
  EXPECT_EQ(summary.stopped_because, StopReason::goal);
  EXPECT_DOUBLE_EQ(summary.mean.mean, sampler.mean().mean);
  EXPECT_DOUBLE_EQ(summary.mean.half_width, sampler.mean().half_width);
  EXPECT_LE(summary.mean.half_width, 0.1);
  EXPECT_THAT(mean_in_words(summary, 0.3, "P.862.1", ScoreMode::narrowband),
              HasSubstr("the goal, ±0.1 at 99 %, was reached"));
}

TEST(DirectionSummary, OfARunForTheMeanSaysThatTheGoalWasMissed) {
  const RunResults fallback = test::sample_run_of_the_mean(0.22, 8);
  const DirectionSummary less = summarise(fallback.directions[0], fallback.sampling);
  EXPECT_EQ(less.stopped_because, StopReason::fallback);
  EXPECT_EQ(less.mean.confidence, 0.95);
  EXPECT_THAT(less.goal, HasSubstr("±0.15 at 95 % was reached, but not the goal"));
  const RunResults capped = test::sample_run_of_the_mean(1, 8);
  EXPECT_THAT(summarise(capped.directions[0], capped.sampling).goal, HasSubstr("limit of 8 measurements"));
  RunResults timed = test::sample_run_of_the_mean(1, 8);
  for (StimulusRun& one : timed.directions[0].stimuli) one.stopped_because = StopReason::cap_line_time;
  EXPECT_THAT(cap_in_words(timed), HasSubstr("the mean of 1 of 1 directions"));
}

TEST(DirectionSummary, OfARunForTheMeanOmitsAnAbandonedStimulusWithOneScore) {
  RunResults run = test::sample_run_of_the_mean(0.1);
  run.directions[0].stimuli[1] = stimulus_of(1, 10);
  run.directions[0].stimuli[1].stopped_because = StopReason::failures;
  run.directions[0].stimuli[1].interval.n = 1;
  const DirectionSummary summary = summarise(run.directions[0], run.sampling);
  EXPECT_EQ(summary.mean.strata, 2U);
  EXPECT_EQ(summary.omitted, std::vector<std::string>{"M1"});
  EXPECT_TRUE(std::isfinite(summary.mean.half_width));
}

TEST(DirectionSummary, OfARunAgainstALimitSaysWhereTheMeanLies) {
  RunResults run = test::sample_run_of_the_mean(0.1);
  run.sampling.goal_of = GoalOf::above;
  run.sampling.limit = {3, 0.1};
  EXPECT_THAT(summarise(run.directions[0], run.sampling).goal, HasSubstr("not below 3.00"));
  run.sampling.limit.mos = 4;
  EXPECT_THAT(summarise(run.directions[0], run.sampling).goal, HasSubstr("below 4.00"));
  for (StimulusRun& one : run.directions[0].stimuli) one.stopped_because = StopReason::undecidable;
  EXPECT_THAT(summarise(run.directions[0], run.sampling).goal, HasSubstr("too close to 4.00"));
}

TEST(PrecisionInWords, AHalfWidthIsNeverZero) {
  EXPECT_EQ(half_width_text(0, ScoreMode::narrowband), "<0.01");
  EXPECT_EQ(half_width_text(0.00499, ScoreMode::narrowband), "<0.01");
  EXPECT_EQ(half_width_text(0.005, ScoreMode::narrowband), "±0.01");
  EXPECT_THAT(precision_in_words(4.6e-5, 0.99, 0.3, "P.862.1", ScoreMode::narrowband),
              HasSubstr("repeatability <0.01 (99 %)"));
}

TEST(PrecisionInWords, RepeatabilityAndModelErrorAreSeparate) {
  EXPECT_EQ(precision_in_words(0.0961, 0.99, 0.3, "P.862.1", ScoreMode::narrowband),
            "repeatability ±0.10 (99 %); model error about ±0.3 (1 σ, against P.862.1)");
  EXPECT_THAT(precision_in_words(INFINITY, 0.99, 0.3, "P.862.1", ScoreMode::narrowband),
              HasSubstr("repeatability not known"));
  EXPECT_THAT(precision_in_words(0.1, 0.95, 0, "", ScoreMode::narrowband), HasSubstr("model error not known"));
}

TEST(DifferenceText, ZeroHasNoSign) {
  EXPECT_EQ(difference_text(-0.001), "0.00");
  EXPECT_EQ(difference_text(0.004), "0.00");
  EXPECT_EQ(difference_text(-0.006), "-0.01");
  EXPECT_EQ(difference_text(0.1), "+0.10");
}

TEST(CapInWords, CountsStimuliInEachDirection) {
  RunResults results;
  results.directions.resize(2);
  for (DirectionRun& direction : results.directions) direction.stimuli.resize(3);
  EXPECT_EQ(cap_in_words(results), "");
  results.directions[0].stimuli[2].stopped_because = StopReason::cap_line_time;
  results.directions[1].stimuli[0].stopped_because = StopReason::cap_line_time;
  EXPECT_THAT(cap_in_words(results), HasSubstr("2 of 6 stimuli"));
}

TEST(PrecisionInWords, AHalfWidthWiderThanTheScaleHasNoFigure) {
  EXPECT_EQ(half_width_text(0.104, ScoreMode::narrowband), "±0.10");
  EXPECT_EQ(half_width_text(5.744, ScoreMode::narrowband), ">3.55");
  EXPECT_EQ(half_width_text(3.58, ScoreMode::wideband), "±3.58") << "the wideband scale is wider";
  EXPECT_EQ(half_width_text(INFINITY, ScoreMode::narrowband), "–");
  EXPECT_THAT(precision_in_words(5.744, 0.99, 0.3, "P.862.1", ScoreMode::narrowband),
              HasSubstr("repeatability wider than the scale (99 %)"));
}

TEST(ReproduceCommand, GivesSeedCapAndConditionsOfASimulatedLine) {
  const std::string command = reproduce_command(test::sample_run());
  EXPECT_THAT(command, HasSubstr("vqas quickstart"));
  EXPECT_THAT(command, HasSubstr("--seed 7 --cap 30 --stimuli M1,F5"));
  EXPECT_THAT(command, HasSubstr("--ber 1e-05"));
  EXPECT_THAT(command, HasSubstr("--clock-a-ppm 20 --clock-b-ppm 0"));
  EXPECT_THAT(command, Not(HasSubstr("--no-band-limit")));
}

TEST(ReproduceCommand, StatesAGoalThatItsCommandDoesNotHaveAnyway) {
  RunResults run = test::sample_run();
  EXPECT_THAT(reproduce_command(run), Not(HasSubstr("--each-stimulus"))) << "quickstart has that goal";
  run.sampling.goal_of = GoalOf::mean;
  EXPECT_THAT(reproduce_command(run), HasSubstr("--mean"));
  run.simulated.clear();
  EXPECT_THAT(reproduce_command(run), Not(HasSubstr("--mean"))) << "measure has that goal";
  run.sampling.goal_of = GoalOf::each_stimulus;
  EXPECT_THAT(reproduce_command(run), HasSubstr("--each-stimulus"));
  run.sampling.goal_of = GoalOf::above;
  EXPECT_THAT(reproduce_command(run), HasSubstr("--above 3.5"));
  run.sampling.goal_of = GoalOf::line_time;
  EXPECT_THAT(reproduce_command(run), HasSubstr("--minutes 11"));
}

TEST(ReproduceCommand, ARealLineIsMeasuredAgain) {
  RunResults run = test::sample_run();
  run.simulated.clear();
  EXPECT_THAT(reproduce_command(run), HasSubstr("vqas measure"));
  run.directions.clear();
  EXPECT_THAT(reproduce_command(run), HasSubstr("--seed 7"));
}

}  // namespace
}  // namespace vqas
