// Finding runs by the name that a user gives.
#include "vqas/campaign/stored_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node/event_loop.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

TEST(StoredRuns, AFoldersNameComesBeforeAStore) {
  const test::TemporaryFolder folder;
  RunResults run = test::sample_run();
  ASSERT_TRUE(write_report(folder.path(), run));
  const auto found = find_runs({folder.path().string()}, {});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().results.started_utc, run.started_utc);
  const auto recordings = RunRecordings::of(folder.path().string(), {});
  ASSERT_TRUE(recordings);
  EXPECT_EQ(*recordings->find("recordings/one.flac"), folder.path() / "recordings/one.flac");
}

TEST(StoredRuns, AMissingStoreIsReportedWithTheCommandThatMakesIt) {
  test::application();
  const test::TemporaryFolder folder;
  const StoreOptions options{(folder.path() / "my store.sqlite").string(), {}};
  const auto found = find_run("3f2a", options);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("--store '" + options.url + "'"));
  EXPECT_FALSE(std::filesystem::exists(options.url));
  EXPECT_EQ(archive_folder(options), options.url + ".recordings");
}

TEST(StoredRuns, AFileThatIsNotADatabaseIsBadInput) {
  test::application();
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "text").string();
  test::write_text(file, "this is a text, and long enough for the header of a database: " + std::string(100, 'x'));
  const std::string before = test::read_text(file);
  for (const auto access : {RunStore::Access::read, RunStore::Access::write}) {
    const auto store = open_store({file, {}}, access);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::bad_input);
    EXPECT_THAT(store.error().message, HasSubstr("file is not a database; name a file"));
  }
  EXPECT_EQ(test::read_text(file), before);
}

TEST(StoredRuns, ATagNeedsANameAndAnEqualsSign) {
  RunFilter filter;
  EXPECT_TRUE(add_tag("site=north", filter));
  EXPECT_TRUE(add_tag("circuit=", filter));
  EXPECT_FALSE(add_tag("=north", filter));
  EXPECT_FALSE(add_tag("north", filter));
  EXPECT_EQ(filter.tags, (std::map<std::string, std::string>{{"site", "north"}, {"circuit", ""}}));
}

}  // namespace
}  // namespace vqas
