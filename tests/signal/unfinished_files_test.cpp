#include "vqas/signal/unfinished_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace vqas {
namespace {

// No process has this number: the kernel's numbers end below it.
constexpr const char* kDead = "2147483646";

TEST(UnfinishedFiles, AreRecognisedByTheirNames) {
  for (const char* const name : {".results.json.123.part", "folder/.M6.flac.1.part"})
    EXPECT_TRUE(is_unfinished_file(name)) << name;
  for (const char* const name :
       {"results.json", "results.json.123.part", ".results.json.part", ".results.json.12x.part", ".part", ".7.part", "",
        ".results.json.0.part", ".results.json.-1.part", ".results.json.123.parts"})
    EXPECT_FALSE(is_unfinished_file(name)) << name;
}

TEST(UnfinishedFiles, OnlyThoseOfDeadProcessesAreRemoved) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "recordings");
  std::filesystem::create_directories(folder.path() / (".folder." + std::string(kDead) + ".part"));
  const auto dead = folder.path() / "recordings" / (".a.flac." + std::string(kDead) + ".part");
  const auto living = folder.path() / (".b.json." + std::to_string(::getpid()) + ".part");
  const auto whole = folder.path() / "b.json";
  for (const auto& path : {dead, living, whole}) std::ofstream(path) << "x";
  const auto link = folder.path() / (".c." + std::string(kDead) + ".part");
  std::filesystem::create_symlink(whole, link);
  remove_unfinished_files(folder.path());
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(living));
  EXPECT_TRUE(std::filesystem::exists(whole));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / (".folder." + std::string(kDead) + ".part")));
  remove_unfinished_files(folder.path() / "missing");
}

}  // namespace
}  // namespace vqas
