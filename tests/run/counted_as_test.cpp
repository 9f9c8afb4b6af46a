// How a measurement counts for its sampler, for every program that counts.
#include "run/counted_as.h"

#include <gtest/gtest.h>

#include "run/sampling_of_run.h"
#include "support/sample_run.h"

namespace vqas {
namespace {

Measurement first_silence() {
  Measurement one = test::unscored(1, Outcome::not_found, "no mark has come yet");
  one.call = 0;
  return one;
}

TEST(CountedAs, AScoreAndAFailureCountInAnyCase) {
  for (const Silent silent : {Silent::fails, Silent::is_spared}) {
    EXPECT_EQ(counted_as(test::scored(1, 4), silent), CountedAs::score);
    EXPECT_EQ(counted_as(test::unscored(1, Outcome::not_found, "nothing came"), silent), CountedAs::failure);
    EXPECT_EQ(counted_as(test::unscored(1, Outcome::audio_fault, "a device hiccuped"), silent), CountedAs::failure);
    EXPECT_EQ(counted_as(test::unscored(1, Outcome::cancelled, "stopped"), silent), CountedAs::nothing);
  }
}

TEST(CountedAs, ALostLineAndSilenceBeforeTheFirstMarkFailOnlyWhereTheyAreNotSpared) {
  for (const Measurement& one : {test::unscored(1, Outcome::line_lost, "the call is gone"), first_silence()}) {
    EXPECT_EQ(counted_as(one), CountedAs::nothing);
    EXPECT_EQ(counted_as(one, Silent::fails), CountedAs::failure);
  }
}

TEST(CountedAs, ARebuiltJournalCountsNoLostLine) {
  SamplerOptions options;
  options.max_failures = 2;
  DirectionRun direction;
  StimulusRun& run = direction.stimuli.emplace_back();
  for (std::uint32_t n = 1; n <= 4; ++n) run.measurements.push_back(test::unscored(n, Outcome::line_lost, "gone"));
  store::replay_stops(direction, options);
  EXPECT_EQ(run.stopped_because, StopReason::line_lost);
  for (Measurement& one : run.measurements) one.outcome = Outcome::not_found;
  store::replay_stops(direction, options);
  EXPECT_EQ(run.stopped_because, StopReason::failures);
}

}  // namespace
}  // namespace vqas
