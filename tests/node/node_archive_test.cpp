#include "node/wire/node_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "support/signals.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class NodeArchiveTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              (std::string("vqas-archive-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(NodeArchiveTest, RecordingsAreLoadedByName) {
  const auto archive = NodeArchive::open(folder_ / "deep" / "down");
  ASSERT_TRUE(archive);
  const Signal signal = test::sine(1020, 0.3, 1);
  ASSERT_TRUE((*archive)->keep("s-a-to-b-M6-0001.flac", signal));
  const auto bytes = (*archive)->load("s-a-to-b-M6-0001.flac");
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->substr(0, 4), "fLaC");
  const auto back = read_audio(folder_ / "deep" / "down" / "recordings" / "s-a-to-b-M6-0001.flac");
  ASSERT_TRUE(back);
  EXPECT_EQ(to_int16(*back), to_int16(signal));
}

TEST_F(NodeArchiveTest, OtherFilesAreNotLoaded) {
  const auto archive = NodeArchive::open(folder_);
  ASSERT_TRUE(archive);
  std::ofstream(folder_ / "secret.flac") << "secret";
  for (const std::string name : {"../secret.flac", "", ".flac", "gone.flac", "../node-journal.jsonl", "a/b.flac", "..",
                                 "/etc/passwd", "x.flac/../../secret.flac", "node-journal.jsonl"}) {
    EXPECT_FALSE((*archive)->load(name)) << name;
  }
  std::string long_name(100000, 'x');
  long_name += ".flac";
  EXPECT_FALSE((*archive)->load(long_name));
  EXPECT_FALSE((*archive)->load(std::string("x\0y.flac", 8)));
}

TEST_F(NodeArchiveTest, AppendingKeepsEarlierLines) {
  for (const std::string line : {"one", "two"}) {
    const auto archive = NodeArchive::open(folder_);
    ASSERT_TRUE(archive);
    ASSERT_TRUE((*archive)->append(line));
  }
  std::ifstream file(folder_ / "node-journal.jsonl");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "one\ntwo\n");
}

TEST_F(NodeArchiveTest, AnImpossibleFolderIsAnErrorThatNamesIt) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "in the way";
  const auto archive = NodeArchive::open(folder_ / "file" / "data");
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code, ErrorCode::io);
  EXPECT_THAT(archive.error().message, HasSubstr("file"));
}

TEST_F(NodeArchiveTest, FileNamesArePlain) {
  EXPECT_EQ(as_file_name("M6"), "M6");
  EXPECT_EQ(as_file_name("../anna B.1"), "___anna_B_1");
}

TEST_F(NodeArchiveTest, UnreadableAndUnknownRecordingsAreDifferentErrors) {
  const auto archive = NodeArchive::open(folder_);
  ASSERT_TRUE(archive);
  ASSERT_TRUE((*archive)->keep("s-a-to-b-M6-0001.flac", test::sine(1020, 0.1, 1)));
  EXPECT_EQ((*archive)->load("s-a-to-b-M6-0002.flac").error().code, ErrorCode::bad_input);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(0);
  ::close(next);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto refused = (*archive)->load("s-a-to-b-M6-0001.flac");
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_THAT(refused.error().message, HasSubstr("Too many open files"));
  EXPECT_TRUE((*archive)->load("s-a-to-b-M6-0001.flac"));
}

}  // namespace
}  // namespace vqas
