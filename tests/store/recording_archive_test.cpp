#include "vqas/store/recording_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "support/temporary_folder.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class Archive : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& content) {
    std::ofstream(folder_.path() / name, std::ios::binary) << content;
    return folder_.path() / name;
  }
  RecordingArchive open(const ArchiveOptions& options = {}) {
    auto archive = RecordingArchive::open(folder_.path() / "archive", options);
    EXPECT_TRUE(archive);
    return *std::move(archive);
  }
  test::TemporaryFolder folder_;
  bool added_ = false;
};

TEST_F(Archive, NamesARecordingByItsDigestAndKeepsEqualOnesOnce) {
  RecordingArchive archive = open();
  const auto digest = archive.take(file("one", "abc"), Outcome::scored, added_);
  ASSERT_TRUE(digest);
  EXPECT_EQ(*digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2, B.1
  EXPECT_TRUE(added_);
  EXPECT_EQ(*archive.take(file("two", "abc"), Outcome::scored, added_), *digest);
  EXPECT_FALSE(added_);
  EXPECT_EQ(archive.bytes(), 3U);
  EXPECT_EQ(open().bytes(), 3U);
  EXPECT_TRUE(archive.find(*digest));
}

TEST_F(Archive, KeepsWhatItsPolicySays) {
  RecordingArchive failed = open({.keep = KeepRecordings::failed, .cap_bytes = 0});
  EXPECT_EQ(*failed.take(file("one", "abc"), Outcome::scored, added_), "");
  EXPECT_NE(*failed.take(file("one", "abc"), Outcome::not_aligned, added_), "");
  RecordingArchive none = open({.keep = KeepRecordings::none, .cap_bytes = 0});
  EXPECT_EQ(*none.take(file("one", "xyz"), Outcome::not_aligned, added_), "");
}

TEST_F(Archive, LetsTheOldestGoBeyondTheCap) {
  RecordingArchive archive = open({.keep = KeepRecordings::all, .cap_bytes = 25});
  std::string digests[3];
  for (int i = 0; i < 3; ++i) {
    digests[i] = *archive.take(file("one", std::string(10, static_cast<char>('a' + i))), Outcome::scored, added_);
    const auto kept = archive.find(digests[i]);
    ASSERT_TRUE(kept);
    std::filesystem::last_write_time(*kept, std::filesystem::file_time_type::clock::now() - std::chrono::hours(3 - i));
  }
  EXPECT_LE(archive.bytes(), 25U);
  EXPECT_EQ(archive.removed(), 1U);
  EXPECT_FALSE(archive.find(digests[0]));
  EXPECT_TRUE(archive.find(digests[1]));
  EXPECT_TRUE(archive.find(digests[2]));
}

TEST_F(Archive, NoticesARecordingThatWasChanged) {
  RecordingArchive archive = open();
  const std::string digest = *archive.take(file("one", "abc"), Outcome::scored, added_);
  std::ofstream(*archive.find(digest)) << "abd";
  EXPECT_THAT(archive.find(digest).error().message, HasSubstr("not what was archived"));
  EXPECT_FALSE(archive.find("../../etc/passwd"));
  EXPECT_FALSE(archive.find(std::string(64, '0')));
}

TEST_F(Archive, SaysWhatRecordingIsMissing) {
  EXPECT_EQ(open().take(folder_.path() / "gone", Outcome::scored, added_).error().code, ErrorCode::bad_input);
}

TEST_F(Archive, AsksForRoomBeforeItIsNeeded) {
  EXPECT_TRUE(check_room(folder_.path() / "not" / "yet" / "there", 1));
  const Status full = check_room(folder_.path(), std::uint64_t{1} << 60U);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::io);
  EXPECT_THAT(full.error().message, HasSubstr("MB free"));
  EXPECT_EQ(check_room("/proc/self", 0).error().code, ErrorCode::io);
}

TEST(KeepRecordings, HasANameEachThatLeadsBack) {
  for (const KeepRecordings policy : {KeepRecordings::all, KeepRecordings::failed, KeepRecordings::none})
    EXPECT_EQ(keep_recordings_from_string(to_string(policy)), policy);
  EXPECT_EQ(keep_recordings_from_string("some"), std::nullopt);
}

}  // namespace
}  // namespace vqas
