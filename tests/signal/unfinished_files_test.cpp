#include "vqas/signal/unfinished_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace vqas {
namespace {

TEST(UnfinishedFiles, AreRecognisedByTheirNames) {
  for (const char* const name : {".results.json.123.part", "folder/.M6.flac.1.part"})
    EXPECT_TRUE(is_unfinished_file(name)) << name;
  for (const char* const name :
       {"results.json", "results.json.123.part", ".results.json.part", ".results.json.12x.part", ".part", ".7.part", "",
        ".results.json.0.part", ".results.json.-1.part", ".results.json.123.parts"})
    EXPECT_FALSE(is_unfinished_file(name)) << name;
}

// A process number says nothing: it may be in use again after a kill, or belong to another machine.
TEST(UnfinishedFiles, OnlyThoseThatNoProcessClaimsAreRemoved) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "recordings");
  std::filesystem::create_directories(folder.path() / ".folder.1.part");
  const auto left = folder.path() / "recordings" / unfinished_name("a.flac");
  const auto elsewhere = folder.path() / ".b.json.2147483646.part";  // no process here has this number
  const auto whole = folder.path() / "b.json";
  for (const auto& path : {left, whole}) std::ofstream(path) << "x";
  const auto link = folder.path() / ".c.1.part";
  std::filesystem::create_symlink(whole, link);
  const int claim = open_unfinished_file(elsewhere);
  ASSERT_GE(claim, 0);
  remove_unfinished_files(folder.path());
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(elsewhere));
  EXPECT_TRUE(std::filesystem::exists(whole));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / ".folder.1.part"));
  ::close(claim);
  remove_unfinished_files(folder.path());
  EXPECT_FALSE(std::filesystem::exists(elsewhere)) << "as after a kill of its writer";
  remove_unfinished_files(folder.path() / "missing");
}

}  // namespace
}  // namespace vqas
