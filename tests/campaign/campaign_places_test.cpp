// Which runs of a campaign have a folder.
#include "campaign/campaign_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace vqas::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CampaignPlaces, RunsAreFoundByTheNamesOfTheirFolders) {
  const test::TemporaryFolder home;
  CampaignPlan plan;
  plan.every_s = 60;
  plan.for_s = 60.0 * 12000;
  CampaignOptions options;
  options.folder = home.path() / "campaign";
  EXPECT_THAT(runs_with_folders(plan, options), IsEmpty()) << "without a folder";
  for (const char* const name : {"run-10000", "run-0012", "run-0001", "run-12", "run-00003", "run-0000", "run-12001",
                                 "run-0004-copy", "my-run-0005", "run-", "99999999999999999999999"})
    std::filesystem::create_directories(options.folder / name);
  EXPECT_THAT(runs_with_folders(plan, options), ElementsAre(1, 12, 10000));
  plan.every_s = plan.for_s = 0;
  EXPECT_THAT(runs_with_folders(plan, options), ElementsAre(1)) << "the campaign's own folder";
}

}  // namespace
}  // namespace vqas::campaign
