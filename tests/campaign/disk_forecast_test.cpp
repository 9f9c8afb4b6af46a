// The disk of a campaign foreseen, with planted figures.
#include "vqas/campaign/disk_forecast.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/temporary_folder.h"

namespace vqas {
namespace {

constexpr double kQuarter_s = 900;

std::vector<double> quarters(std::size_t runs) {
  std::vector<double> begins_s;
  for (std::size_t n = 0; n < runs; ++n) begins_s.push_back(static_cast<double>(n) * kQuarter_s);
  return begins_s;
}

class DiskForecastTest : public testing::Test {
 protected:
  DiskForecast foresee() {
    outlook_.measured = measured_;
    return foresee_disk(outlook_);
  }
  std::vector<RunBytes> measured_ = {{100, 80, 20}};
  DiskOutlook outlook_{.free_bytes = 1'000'000,
                       .planned = {500, 400, 100},
                       .measured = {},
                       .begins_s = quarters(2688),
                       .recordings_held = 0,
                       .recordings_cap = {}};
};

TEST_F(DiskForecastTest, WithRoomForADayNothingIsForeseen) {
  const DiskForecast forecast = foresee();
  EXPECT_TRUE(forecast.fits);
  EXPECT_FALSE(forecast.full_in_s);
  EXPECT_EQ(forecast.run_bytes, 125U) << "a quarter more than the largest run";
}

TEST_F(DiskForecastTest, TheTimeUntilTheDiskIsFullFollowsTheMeanOfTheRuns) {
  outlook_.free_bytes = 125 + 10 * 100;
  EXPECT_EQ(foresee().full_in_s, 11 * kQuarter_s) << "ten runs leave exactly enough for the eleventh";
  measured_ = {{100, 0, 0}, {100, 80, 20}};
  EXPECT_EQ(foresee().full_in_s, 21 * kQuarter_s);
}

TEST_F(DiskForecastTest, WithoutAMeasuredRunThePlanCountsWithoutASpareShare) {
  measured_.clear();
  outlook_.free_bytes = 499;
  EXPECT_FALSE(foresee().fits);
  outlook_.free_bytes = 500;
  EXPECT_TRUE(foresee().fits);
  EXPECT_EQ(foresee().full_in_s, kQuarter_s);
}

TEST_F(DiskForecastTest, ARunThatDoesNotFitIsFullNow) {
  outlook_.free_bytes = 124;
  const DiskForecast forecast = foresee();
  EXPECT_FALSE(forecast.fits);
  EXPECT_EQ(forecast.full_in_s, 0);
}

TEST_F(DiskForecastTest, ACampaignThatEndsBeforeNeedsNoMore) {
  outlook_.free_bytes = 125 + 10 * 100;
  outlook_.begins_s = quarters(11);
  EXPECT_FALSE(foresee().full_in_s);
  outlook_.begins_s = quarters(12);
  EXPECT_TRUE(foresee().full_in_s);
}

TEST_F(DiskForecastTest, ACapOnRecordingsLeavesOnlyTheNumbersToGrow) {
  outlook_.free_bytes = 125 + 200 + 60 * 20;
  outlook_.recordings_cap = 1000;
  outlook_.recordings_held = 800;
  EXPECT_EQ(foresee().full_in_s, 61 * kQuarter_s);
  outlook_.recordings_held = 5000;
  EXPECT_EQ(foresee().full_in_s, 71 * kQuarter_s) << "more is held than the cap allows: nothing is added";
}

TEST_F(DiskForecastTest, TimesOfDayAreForeseenAtTheirInstants) {
  outlook_.free_bytes = 125 + 100;
  outlook_.begins_s = {0, 8 * 3600.0, 24 * 3600.0, 32 * 3600.0};
  EXPECT_EQ(foresee().full_in_s, 24 * 3600.0);
}

TEST_F(DiskForecastTest, OneRunOnlyFitsOrNot) {
  outlook_.begins_s = {0};
  outlook_.free_bytes = 124;
  EXPECT_FALSE(foresee().fits);
  EXPECT_FALSE(foresee().full_in_s);
}

TEST(PlannedBytes, RulesOnRecordingsLowerWhatStaysButNotTheMost) {
  CampaignPlan plan;
  const RunBytes all = planned_bytes(plan, 12);
  plan.keep.chosen = true;
  const RunBytes chosen = planned_bytes(plan, 12);
  EXPECT_EQ(chosen.most, all.most);
  EXPECT_EQ(all.recordings, 12U * 2 * 30 * 150'000);
  EXPECT_EQ(chosen.recordings, 10U * 150'000);
}

TEST(PlannedBytes, TheRecordingsOfACampaignEndAtTheSmallerOfCapAndAge) {
  CampaignPlan plan;
  EXPECT_FALSE(recordings_cap(plan, 100));
  plan.every_s = kQuarter_s;
  plan.keep.days = 2;
  EXPECT_EQ(recordings_cap(plan, 100), 2U * 96 * 100);
  plan.keep.cap_bytes = 5000;
  EXPECT_EQ(recordings_cap(plan, 100), 5000U);
  plan.every_s = 0;
  plan.at_min = {540, 1020};
  EXPECT_EQ(recordings_cap(plan, 100), 2U * 2 * 100) << "times of day";
  EXPECT_EQ(bytes_needed({100, 80, 20}, 1000, 5000), 999U * 20 + 5000 + 100);
  EXPECT_EQ(bytes_needed({100, 80, 20}, 0, {}), 0U);
}

TEST(BytesBelow, CountsFilesAndFollowsNoLinks) {
  const test::TemporaryFolder home;
  std::filesystem::create_directories(home.path() / "a/b");
  test::write_text(home.path() / "a/one", "12345");
  test::write_text(home.path() / "a/b/two", "123");
  std::filesystem::create_symlink("one", home.path() / "a/link");
  EXPECT_EQ(bytes_below(home.path() / "a"), 8U);
  EXPECT_EQ(bytes_below(home.path() / "missing"), 0U);
}

}  // namespace
}  // namespace vqas
