// An operator's note on a measurement: what it brings, and that it reaches the report.
#include "vqas/campaign/operator_note.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/run_in_a_folder.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/campaign/renewed_report.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/run/session_record.h"

namespace vqas {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class NoteOnARun : public ::testing::Test {
 protected:
  Result<std::string> heard(std::uint32_t sequence, const std::string& direction, bool different = true) const {
    return write_note(run_.folder(), {End::a, sequence, different, "every word was clear", "2026-11-23T10:00:00Z"},
                      direction);
  }
  std::string follows(const std::string& direction = "a-to-b", bool different = true) const {
    const auto told = heard(3, direction, different);
    EXPECT_TRUE(told) << told.error().message;
    return told ? *told : "";
  }
  /// As a controller leaves it.
  void keep_session(const std::string& holder) const {
    test::write_text(run_.folder() / kSessionFile,
                     R"({"schema":"vqas-session/1","session":"1","key":"2","node_a":"ws://h:1","node_b":"ws://h:2",)"
                     R"("holder":")" +
                         holder + "\"}\n");
  }
  test::RunInAFolder run_;
};

TEST_F(NoteOnARun, WithoutItsLineNothingMoreIsMeasured) {
  EXPECT_EQ(follows(), "the run is over, and its line with it: nothing more is measured");
  EXPECT_EQ(follows("a-to-b", false), "") << "a note that asks for nothing";
  keep_session(kOwnLine);
  EXPECT_EQ(follows(), "the run is over, and its line with it: nothing more is measured");
}

TEST_F(NoteOnARun, BetweenTwoNodesTheRunCanBeResumed) {
  keep_session("vqas");
  EXPECT_THAT(follows(), AllOf(HasSubstr("vqas measure --resume " + run_.folder().string()),
                               HasSubstr("measures up to 5 more of M1, as long as its two nodes serve")));
}

TEST_F(NoteOnARun, ACompleteRunOfACampaignIsNotMeasuredAgain) {
  test::write_text(run_.folder() / kPlanFile, "{}");
  EXPECT_EQ(follows(), "the run is over, and its campaign does not measure it again");
}

TEST_F(NoteOnARun, ARunInProgressMeasuresMore) {
  const auto measuring = RunLock::take(run_.folder());
  ASSERT_TRUE(measuring);
  EXPECT_EQ(follows(), "the run measures more of M1");
  EXPECT_EQ(follows("a-to-b", false), "its report will have it");
}

TEST_F(NoteOnARun, OneMeasurementMustBeMeant) {
  EXPECT_THAT(heard(3, "").error().message, HasSubstr("--direction a-to-b or --direction b-to-a"));
  EXPECT_THAT(heard(300, "b-to-a").error().message, HasSubstr("has no measurement 300 b-to-a; its results.csv"));
  EXPECT_FALSE(write_note(run_.folder() / "none", {End::a, 3, true, "heard", ""}));
}

TEST_F(NoteOnARun, IsInTheReportAndCostsNoMeasurementOfADamagedJournal) {
  ASSERT_TRUE(renew_report(run_.folder()));
  const std::string whole = test::read_text(run_.folder() / kResultsFile);
  run_.damage_first_measurement();
  follows();
  const auto results = read_results(run_.folder());
  ASSERT_TRUE(results) << results.error().message;
  ASSERT_EQ(results->results.notes.size(), 1U);
  EXPECT_EQ(results->results.notes[0].from, End::a);
  EXPECT_EQ(test::read_text(run_.folder() / kKeptResults), whole);
}

}  // namespace
}  // namespace vqas
