// Import of recordings into a corpus on disk.
#include "vqas/corpus/import.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>

#include "scratch_corpus.h"
#include "support/float_wav.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Import : public test::ScratchFolder {
 protected:
  void SetUp() override {
    ScratchFolder::SetUp();
    into_ = folder_ / "mine";
  }

  static fs::path speech(const std::string& id, const std::string& rate = "16k") {
    return test::project_corpus() / rate / (id + ".wav");
  }
  static ImportRequest request(const fs::path& file, const std::string& id) {
    return {file, 0, id, "anna", "A sentence.", "CC0-1.0"};
  }
  ImportOutcome import(const ImportRequest& one) const {
    const auto outcomes = import_recordings(into_, {one});
    EXPECT_TRUE(outcomes);
    EXPECT_THAT(*outcomes, SizeIs(1));
    return outcomes->front();
  }
  void expect_refused(const ImportRequest& one, Refusal expected) const {
    const auto outcome = import(one);
    EXPECT_STREQ(name_of(outcome.refusal), name_of(expected)) << outcome.reason;
    EXPECT_THAT(outcome.reason, HasSubstr(one.file.filename().string()));
    EXPECT_FALSE(fs::exists(into_ / "manifest.json"));
    EXPECT_FALSE(fs::exists(into_ / "8k"));
  }
  fs::path write_float(const std::string& name, const std::vector<float>& samples, int channels, int rate) const {
    return test::write_float(folder_ / name, samples, channels, rate);
  }

  fs::path into_;
};

TEST_F(Import, AGoodRecordingBecomesAStimulusAtBothRates) {
  const auto outcome = import(request(speech("F1"), "A1"));
  ASSERT_EQ(outcome.refusal, Refusal::none) << outcome.reason;
  EXPECT_THAT(outcome.reason, IsEmpty());
  const auto corpus = Corpus::load(into_);
  ASSERT_TRUE(corpus) << corpus.error().message;
  ASSERT_THAT(corpus->stimuli(), SizeIs(1));
  const Stimulus& one = corpus->stimuli().front();
  EXPECT_EQ(one.id, "A1");
  EXPECT_EQ(one.talker, "anna");
  EXPECT_EQ(one.text, "A sentence.");
  EXPECT_EQ(one.licence, "CC0-1.0");
  EXPECT_THAT(one.recipe, AllOf(HasSubstr("F1.wav"), HasSubstr("16000 Hz")));
  EXPECT_THAT(one.files, SizeIs(2));
  const auto checks = check_corpus(into_);
  ASSERT_TRUE(checks);
  for (const FileCheck& check : *checks) EXPECT_THAT(check.fault, IsEmpty());
}

TEST_F(Import, ANarrowSourceGivesOnlyTheLineRate) {
  ASSERT_EQ(import(request(speech("F1", "8k"), "A1")).refusal, Refusal::none);
  const auto corpus = Corpus::load(into_);
  ASSERT_TRUE(corpus);
  EXPECT_THAT(corpus->stimuli().front().files, SizeIs(1));
  EXPECT_FALSE(fs::exists(into_ / "16k"));
}

TEST_F(Import, OtherFormatsAreRead) {
  ASSERT_TRUE(write_audio(folder_ / "speech.flac", *read_audio(speech("M4")), AudioFormat::flac16));
  EXPECT_EQ(import(request(folder_ / "speech.flac", "A1")).refusal, Refusal::none);
}

TEST_F(Import, AChosenChannelIsTaken) {
  const auto left = read_audio(speech("M4"));
  ASSERT_TRUE(left);
  std::vector<float> both;
  for (const float sample : left->samples) both.insert(both.end(), {sample, 0.0F});
  auto one = request(write_float("stereo.wav", both, 2, left->rate_hz), "A1");
  expect_refused(one, Refusal::unreadable);
  one.channel = 2;
  expect_refused(one, Refusal::silent);
  one.channel = 3;
  expect_refused(one, Refusal::unreadable);
  one.channel = 1;
  const auto outcome = import(one);
  ASSERT_EQ(outcome.refusal, Refusal::none) << outcome.reason;
  EXPECT_THAT(Corpus::load(into_)->stimuli().front().recipe, HasSubstr("channel 1"));
}

TEST_F(Import, FilesThatCannotBeReadAreRefused) {
  test::write_text(folder_ / "text.wav", "not a recording");
  test::write_text(folder_ / "empty.wav", "");
  fs::copy_file(speech("M1"), folder_ / "cut.wav");
  fs::resize_file(folder_ / "cut.wav", fs::file_size(folder_ / "cut.wav") / 2);
  auto samples = read_audio(speech("M1"))->samples;
  samples[20000] = std::nanf("");
  for (const fs::path& file : {folder_ / "gone.wav", folder_ / "text.wav", folder_ / "empty.wav", folder_ / "cut.wav",
                               write_float("nan.wav", samples, 1, 16000), folder_}) {
    expect_refused(request(file, "A1"), Refusal::unreadable);
  }
}

TEST_F(Import, APipeOrDeviceIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe.wav").c_str(), 0600), 0);
  expect_refused(request(folder_ / "pipe.wav", "A1"), Refusal::unreadable);
  expect_refused(request("/dev/zero", "A1"), Refusal::unreadable);
}

TEST_F(Import, AFaultyRecordingIsRefusedByNameAndLeavesNoFile) {
  auto samples = read_audio(speech("M1"))->samples;
  for (float& sample : samples) sample = std::min(1.0F, std::max(-1.0F, sample * 10));
  expect_refused(request(write_float("clipped.wav", samples, 1, 16000), "A1"), Refusal::clipped);
  expect_refused(request(write_float("silent.wav", std::vector<float>(64000), 1, 16000), "A1"), Refusal::silent);
  expect_refused(request(write_float("short.wav", std::vector<float>(800, 0.1F), 1, 16000), "A1"), Refusal::too_short);
}

TEST_F(Import, NamesInvalidInAManifestAreRefused) {
  for (const std::string id : {"", "../A1", "A 1", ".A1", "A/1", "A1\n", "\xc3\x84"}) {
    expect_refused(request(speech("M4"), id), Refusal::bad_name);
  }
  for (const std::string& text :
       {std::string(), std::string("two\nlines"), std::string("\xff\xfe"), std::string(501, 'x')}) {
    auto one = request(speech("M4"), "A1");
    one.text = text;
    expect_refused(one, Refusal::bad_name);
  }
  auto one = request(speech("M4"), "A1");
  one.talker = "two words";
  expect_refused(one, Refusal::bad_name);
  one = request(speech("M4"), "A1");
  one.licence = "";
  expect_refused(one, Refusal::bad_name);
}

TEST_F(Import, OfSeveralTheGoodOnesAreImportedAndEveryRefusalIsReported) {
  const auto outcomes = import_recordings(into_, {request(speech("M1"), "A1"), request(folder_ / "gone.wav", "A2"),
                                                  request(speech("M2"), "A3"), request(speech("M3"), "a3")});
  ASSERT_TRUE(outcomes);
  ASSERT_THAT(*outcomes, SizeIs(4));
  EXPECT_EQ((*outcomes)[0].refusal, Refusal::none);
  EXPECT_EQ((*outcomes)[1].refusal, Refusal::unreadable);
  EXPECT_EQ((*outcomes)[2].refusal, Refusal::none);
  EXPECT_EQ((*outcomes)[3].refusal, Refusal::taken) << "some file systems ignore case";
  const auto corpus = Corpus::load(into_);
  ASSERT_TRUE(corpus);
  EXPECT_THAT(corpus->stimuli(), SizeIs(2));
}

TEST_F(Import, ExistingFilesAreNeverReplaced) {
  ASSERT_EQ(import(request(speech("M1"), "A1")).refusal, Refusal::none);
  const std::string before = test::read_text(into_ / "8k/A1.wav");
  EXPECT_EQ(import(request(speech("M2"), "A1")).refusal, Refusal::taken);
  EXPECT_EQ(test::read_text(into_ / "8k/A1.wav"), before);
  ASSERT_EQ(import(request(speech("M2"), "A2")).refusal, Refusal::none);
  const auto corpus = Corpus::load(into_);
  ASSERT_TRUE(corpus);
  EXPECT_EQ(corpus->stimuli()[0].id, "A1");
  EXPECT_EQ(corpus->stimuli()[1].id, "A2");
  EXPECT_EQ(test::read_text(into_ / "8k/A1.wav"), before);
}

TEST_F(Import, TheSameImportGivesTheSameDigest) {
  ASSERT_EQ(import(request(speech("M1"), "A1")).refusal, Refusal::none);
  const std::string digest = Corpus::load(into_)->digest();
  fs::remove_all(into_);
  ASSERT_EQ(import(request(speech("M1"), "A1")).refusal, Refusal::none);
  EXPECT_EQ(Corpus::load(into_)->digest(), digest);
}

TEST_F(Import, ADamagedCorpusIsNotOverwritten) {
  fs::create_directories(into_);
  test::write_text(into_ / "manifest.json", "{\"schema\": [");
  const auto outcomes = import_recordings(into_, {request(speech("M1"), "A1")});
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(outcomes.error().code, ErrorCode::bad_input);
  EXPECT_EQ(test::read_text(into_ / "manifest.json"), "{\"schema\": [");
}

TEST_F(Import, AFolderThatCannotBeCreatedIsASystemError) {
  test::write_text(folder_ / "file", "here");
  const auto outcomes = import_recordings(folder_ / "file" / "corpus", {request(speech("M1"), "A1")});
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(outcomes.error().code, ErrorCode::io);
  EXPECT_THAT(outcomes.error().message, HasSubstr("file/corpus"));
}

TEST_F(Import, AManifestThatCannotBeWrittenLeavesNoRecordings) {
  fs::create_directories(into_ / "16k");
  test::write_text(into_ / "8k", "a file where a folder should be");
  const auto outcomes = import_recordings(into_, {request(speech("M1"), "A1")});
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(outcomes.error().code, ErrorCode::io);
  EXPECT_TRUE(fs::is_empty(into_ / "16k"));
  EXPECT_FALSE(fs::exists(into_ / "manifest.json"));
}

TEST_F(Import, ASecondImportIntoTheSameFolderFailsWithoutWaiting) {
  fs::create_directories(into_);
  const int held = ::open(into_.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_GE(held, 0);
  ASSERT_EQ(::flock(held, LOCK_EX | LOCK_NB), 0);
  const auto outcomes = import_recordings(into_, {request(speech("M1"), "A1")});
  ::close(held);
  ASSERT_FALSE(outcomes);
  EXPECT_THAT(outcomes.error().message, HasSubstr("another import"));
  EXPECT_TRUE(import_recordings(into_, {request(speech("M1"), "A1")}));
}

}  // namespace
}  // namespace vqas
