#include "vqas/campaign/run_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sample_run.h"
#include "vqas/campaign/hook_watch.h"
#include "vqas/report/findings.h"
#include "vqas/report/report.h"

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
    EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::no_limit);
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
  EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::no_limit);
  run.directions.clear();
  EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::not_measured);
}

TEST(RunVerdict, ARunThatWasBrokenOffIsNotMeasuredInEachPlaceThatStatesIt) {
  RunResults run = test::sample_run();
  run.about.limit_mos = 4.5;
  ASSERT_EQ(verdict_word(run, current_provenance()), "fail");
  run.ended_because = "the line was lost";
  EXPECT_EQ(verdict_of(run, current_provenance()), RunVerdict::not_measured);
  EXPECT_FALSE(judge_run(run, current_provenance()));
  EXPECT_THAT(results_json(run), testing::HasSubstr("\"verdict\": \"not_measured\""));
  EXPECT_EQ(run_end_of(run, current_provenance()).verdict, RunVerdict::not_measured);
}

TEST(RunVerdict, WithoutALimitNoRunPasses) {
  EXPECT_EQ(verdict_word(test::sample_run(), current_provenance()), "no_limit");
}

}  // namespace
}  // namespace vqas
