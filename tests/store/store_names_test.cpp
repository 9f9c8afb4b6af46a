// Valid addresses of a store and folders of runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temporary_folder.h"
#include "vqas/store/run_store.h"

namespace vqas {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RunStore, AnInvalidAddressIsRefused) {
  test::TemporaryFolder folder;
  EXPECT_EQ(RunStore::open("").error().code, ErrorCode::bad_input);
  EXPECT_EQ(RunStore::open("mysql://there/db").error().code, ErrorCode::bad_input);
  EXPECT_EQ(RunStore::open((folder.path() / "missing" / "store.sqlite").string()).error().code, ErrorCode::io);
  std::ofstream(folder.path() / "text") << std::string(5000, 'x');
  EXPECT_FALSE(RunStore::open((folder.path() / "text").string()));
  EXPECT_EQ(RunStore::open("postgresql://vqas@127.0.0.1:1/db").error().code, ErrorCode::io);
  for (const char* const what : {"sslmode=perhaps", "password=secret-word", "sslmode=require%20host=elsewhere"}) {
    const auto odd = RunStore::open(std::string("postgresql://vqas@127.0.0.1:1/db?") + what);
    EXPECT_EQ(odd.error().code, ErrorCode::bad_input) << what;
    EXPECT_THAT(odd.error().message, Not(HasSubstr("secret-word")));
  }
}

TEST(RunStore, MessagesDoNotContainThePassword) {
  const auto store = RunStore::open("postgresql://vqas:secret-word@127.0.0.1:1/db");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().message.find("secret-word"), std::string::npos) << store.error().message;
}

TEST(RunFolders, TheFolderItselfOrThoseBelowItAreFound) {
  test::TemporaryFolder folder;
  const auto run = [&folder](const char* name) {
    std::filesystem::create_directories(folder.path() / name);
    test::write_text(folder.path() / name / kJournalFile, "");
    return folder.path() / name;
  };
  const auto second = run("winter/run-0002"), first = run("winter/run-0001");
  run("winter/run-0001/nodes");
  const auto elsewhere = run("elsewhere");
  std::filesystem::create_directory_symlink(elsewhere, folder.path() / "winter" / "link");
  const auto found = run_folders(folder.path() / "winter");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, (std::vector{first, second}));
  EXPECT_EQ(*run_folders(first), std::vector{first});
  const auto removed = run("winter/removed/run-0003");
  EXPECT_EQ(*run_folders(folder.path() / "winter"), (std::vector{first, second})) << "a bin is left out";
  EXPECT_EQ(*run_folders(folder.path() / "winter" / kRemovedRunsFolder), std::vector{removed});
  std::filesystem::create_directory(folder.path() / "empty");
  for (const char* none : {"empty", "missing"}) {
    const auto nothing = run_folders(folder.path() / none);
    ASSERT_FALSE(nothing) << none;
    EXPECT_EQ(nothing.error().code, ErrorCode::bad_input);
    EXPECT_THAT(nothing.error().message, HasSubstr("no run is there or below it"));
  }
}

}  // namespace
}  // namespace vqas
