#include "vqas/store/recording_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QCryptographicHash>
#include <QFile>
#include <chrono>
#include <cmath>
#include <fstream>

#include "support/temporary_folder.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class Archive : public ::testing::Test {
 protected:
  /// Makes a recording in the run's folder with samples that depend on `seed`; returns its name.
  std::string file(const std::string& name, int seed = 1) {
    Signal signal{std::vector<float>(800), 8000};
    for (std::size_t n = 0; n < signal.size(); ++n)
      signal.samples[n] = 0.5F * static_cast<float>(std::sin(0.01 * static_cast<double>(n) * seed));
    EXPECT_TRUE(write_audio(run() / name, signal, AudioFormat::flac16));
    return name;
  }
  std::filesystem::path run() {
    std::filesystem::create_directories(folder_.path() / "run" / "recordings");
    return folder_.path() / "run";
  }
  std::string digest_of(const std::filesystem::path& path) {
    QFile bytes(QString::fromStdString(path.string()));
    EXPECT_TRUE(bytes.open(QIODevice::ReadOnly));
    return QCryptographicHash::hash(bytes.readAll(), QCryptographicHash::Sha256).toHex().toStdString();
  }
  RecordingArchive open(const ArchiveOptions& options = {}) {
    auto archive = RecordingArchive::open(folder_.path() / "archive", options);
    EXPECT_TRUE(archive);
    return *std::move(archive);
  }
  test::TemporaryFolder folder_;
  bool added_ = false;
};

TEST_F(Archive, ARecordingIsNamedByItsDigestAndStoredOnce) {
  RecordingArchive archive = open();
  const auto digest = archive.take(run(), file("one"), Outcome::scored, added_);
  ASSERT_TRUE(digest);
  EXPECT_EQ(*digest, digest_of(run() / "one"));
  EXPECT_TRUE(added_);
  EXPECT_EQ(*archive.take(run(), file("two"), Outcome::scored, added_), *digest);
  EXPECT_FALSE(added_);
  EXPECT_EQ(archive.bytes(), std::filesystem::file_size(run() / "one"));
  EXPECT_EQ(open().bytes(), archive.bytes());
  EXPECT_TRUE(archive.find(*digest));
}

TEST_F(Archive, OnlyRecordingsOfThePolicyAreKept) {
  RecordingArchive failed = open({.keep = KeepRecordings::failed, .cap_bytes = 0});
  EXPECT_EQ(*failed.take(run(), file("one"), Outcome::scored, added_), "");
  EXPECT_NE(*failed.take(run(), file("one"), Outcome::not_aligned, added_), "");
  RecordingArchive none = open({.keep = KeepRecordings::none, .cap_bytes = 0});
  EXPECT_EQ(*none.take(run(), file("one", 2), Outcome::not_aligned, added_), "");
}

TEST_F(Archive, BeyondTheCapTheOldestAreRemoved) {
  const std::uint64_t one = std::filesystem::file_size(run() / file("sized"));
  RecordingArchive archive = open({.keep = KeepRecordings::all, .cap_bytes = one * 5 / 2});
  std::string digests[3];
  for (int i = 0; i < 3; ++i) {
    digests[i] = *archive.take(run(), file("one", i + 1), Outcome::scored, added_);
    const auto kept = archive.find(digests[i]);
    ASSERT_TRUE(kept);
    std::filesystem::last_write_time(*kept, std::filesystem::file_time_type::clock::now() - std::chrono::hours(3 - i));
  }
  EXPECT_LE(archive.bytes(), one * 5 / 2);
  EXPECT_EQ(archive.removed(), 1U);
  EXPECT_FALSE(archive.find(digests[0]));
  EXPECT_TRUE(archive.find(digests[1]));
  EXPECT_TRUE(archive.find(digests[2]));
}

TEST_F(Archive, AChangedRecordingIsDetected) {
  RecordingArchive archive = open();
  const std::string digest = *archive.take(run(), file("one"), Outcome::scored, added_);
  std::ofstream(*archive.find(digest)) << "abd";
  EXPECT_THAT(archive.find(digest).error().message, HasSubstr("not what was archived"));
  EXPECT_FALSE(archive.find("../../etc/passwd"));
  EXPECT_FALSE(archive.find(std::string(64, '0')));
}

TEST_F(Archive, AMissingRecordingIsNamed) {
  const auto gone = open().take(run(), "gone", Outcome::scored, added_);
  EXPECT_EQ(gone.error().code, ErrorCode::bad_input);
  EXPECT_THAT(gone.error().message, HasSubstr("no such file"));
}

// A foreign run may name any file.
TEST_F(Archive, OnlyRegularFilesBelowTheRunAreTaken) {
  namespace fs = std::filesystem;
  const fs::path secret = folder_.path() / "secret.flac";
  fs::rename(run() / file("secret"), secret);
  fs::create_directories(run() / "real");
  file("real/one");
  fs::create_symlink(secret, run() / "recordings" / "link.flac");
  fs::create_symlink(run() / "real" / "one", run() / "recordings" / "inside.flac");
  fs::create_directory_symlink(run() / "real", run() / "linked");
  ASSERT_EQ(::mkfifo((run() / "pipe.flac").c_str(), 0600), 0);
  RecordingArchive archive = open();
  for (const std::string& name :
       {std::string("recordings/link.flac"), std::string("recordings/inside.flac"), std::string("linked/one"),
        std::string("pipe.flac"), std::string("real"), std::string("real/"), std::string("../secret.flac"),
        std::string("real/../../secret.flac"), secret.string(), std::string("/dev/zero"), std::string()}) {
    const auto taken = archive.take(run(), name, Outcome::scored, added_);
    ASSERT_FALSE(taken) << name;
    EXPECT_EQ(taken.error().code, ErrorCode::bad_input) << name;
  }
  EXPECT_EQ(archive.bytes(), 0U);
  EXPECT_THAT(archive.take(run(), "recordings/link.flac", Outcome::scored, added_).error().message,
              HasSubstr("symbolic link"));
  EXPECT_TRUE(archive.take(run(), "real/one", Outcome::scored, added_));
  fs::create_directory_symlink(run(), folder_.path() / "run-by-another-name");
  EXPECT_TRUE(archive.take(folder_.path() / "run-by-another-name", "real/one", Outcome::scored, added_))
      << "the operator named the folder";
}

TEST_F(Archive, FilesThatAreNotAudioAreRefused) {
  std::ofstream(run() / "key.flac") << "-----BEGIN PRIVATE KEY-----\n";
  std::ofstream(run() / "empty.flac");
  file("cut.flac");
  std::filesystem::resize_file(run() / "cut.flac", 60);
  RecordingArchive archive = open();
  for (const char* name : {"key.flac", "empty.flac", "cut.flac"}) {
    const auto taken = archive.take(run(), name, Outcome::scored, added_);
    ASSERT_FALSE(taken) << name;
    EXPECT_THAT(taken.error().message, HasSubstr("not a recording of a line"));
  }
  EXPECT_EQ(open().bytes(), 0U) << "and no copy is left";
}

TEST_F(Archive, TooLittleSpaceIsReportedInAdvance) {
  EXPECT_TRUE(check_room(folder_.path() / "not" / "yet" / "there", 1));
  const Status full = check_room(folder_.path(), std::uint64_t{1} << 60U);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::io);
  EXPECT_THAT(full.error().message, HasSubstr("MB free"));
  EXPECT_EQ(check_room("/proc/self", 0).error().code, ErrorCode::io);
}

TEST(KeepRecordings, EveryPolicyHasANameThatCanBeParsed) {
  for (const KeepRecordings policy : {KeepRecordings::all, KeepRecordings::failed, KeepRecordings::none})
    EXPECT_EQ(keep_recordings_from_string(to_string(policy)), policy);
  EXPECT_EQ(keep_recordings_from_string("some"), std::nullopt);
}

}  // namespace
}  // namespace vqas
