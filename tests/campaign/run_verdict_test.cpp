#include "vqas/campaign/run_verdict.h"

#include <gtest/gtest.h>

#include "support/sample_run.h"

namespace vqas {
namespace {

void take_scores_of(DirectionRun& direction) {
  for (StimulusRun& stimulus : direction.stimuli) {
    for (Measurement& one : stimulus.measurements)
      one = test::unscored(one.sequence, Outcome::not_found, "no mark and no speech was found");
  }
}

TEST(RunVerdict, ADirectionWithoutAnyScoreIsNotMeasured) {
  for (const std::size_t silent : {0U, 1U}) {
    RunResults run = test::sample_run();
    EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::pass);
    take_scores_of(run.directions[silent]);
    EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::not_measured);
  }
}

TEST(RunVerdict, ADirectionWithoutAnyScoreIsWorseThanALimitThatTheOtherMisses) {
  RunResults run = test::sample_run();
  run.about.limit_mos = 4.5;
  EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::fail);
  take_scores_of(run.directions[1]);
  EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::not_measured);
}

TEST(RunVerdict, ARunOfOneDirectionIsMeasured) {
  RunResults run = test::sample_run();
  run.directions.pop_back();
  EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::pass);
  run.directions.clear();
  EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::not_measured);
}

}  // namespace
}  // namespace vqas
