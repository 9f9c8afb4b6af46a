// The report of a run written again.
#include "vqas/campaign/renewed_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "campaign/run_in_a_folder.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

TEST(RenewedReport, IsTheJournals) {
  const test::RunInAFolder run;
  const auto renewed = renew_report(run.folder());
  ASSERT_TRUE(renewed) << renewed.error().message;
  const auto written = read_results(run.folder());
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->results.directions.at(1).stimuli.at(0).measurements.size(), 6U);
  EXPECT_TRUE(fs::exists(run.folder() / "report.html"));
  EXPECT_FALSE(fs::exists(run.folder() / kRunLockFile));
}

TEST(RenewedReport, NothingIsCreatedWithoutARun) {
  const test::RunInAFolder run;
  const auto refused = renew_report(run.folder() / "none");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(fs::exists(run.folder() / "none"));
}

TEST(RenewedReport, TakesTheLockOfItsFolder) {
  const test::RunInAFolder run;
  fs::create_directories(run.folder() / kRunLockFile / "in the way of the lock");
  const auto refused = renew_report(run.folder());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
}

TEST(RenewedReport, ShowsARunInProgress) {
  const test::RunInAFolder run;
  const auto measuring = RunLock::take(run.folder());
  ASSERT_TRUE(measuring);
  const auto renewed = renew_report(run.folder());
  ASSERT_TRUE(renewed) << renewed.error().message;
  EXPECT_TRUE(run_goes_on(run.folder())) << "the lock stays with its holder";
}

TEST(RenewedReport, KeepsTheFirstResultsBesideADamagedJournal) {
  const test::RunInAFolder run;
  ASSERT_TRUE(renew_report(run.folder()));
  const std::string whole = test::read_text(run.folder() / kResultsFile);
  run.damage_first_measurement();
  for (int time = 0; time < 2; ++time) {
    const auto renewed = renew_report(run.folder());
    ASSERT_TRUE(renewed) << renewed.error().message;
    EXPECT_EQ(renewed->damaged, 1U);
    EXPECT_EQ(test::read_text(run.folder() / kKeptResults), whole);
    EXPECT_NE(test::read_text(run.folder() / kResultsFile), whole);
  }
}

}  // namespace
}  // namespace vqas
