// The project's corpus as shipped, and the reaction to changes of it.
#include "vqas/corpus/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "scratch_corpus.h"
#include "vqas/corpus/digest.h"
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

class BrokenCorpus : public test::ScratchCorpus {
 protected:
  std::string load_error() const {
    const auto corpus = Corpus::load(folder_);
    return corpus ? "it was loaded" : corpus.error().message;
  }
};

TEST(Sha256, AgreesWithThePublishedVectors) {
  // FIPS 180-4 examples, as published by NIST.
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Digest, OnlyHexadecimalDigitsAreADigest) {
  EXPECT_TRUE(is_hex_digest(sha256_hex("abc")));
  EXPECT_TRUE(is_hex_digest(sha256_hex("abc").substr(0, 16), 16));
  EXPECT_FALSE(is_hex_digest(sha256_hex("abc").substr(1)));
  EXPECT_FALSE(is_hex_digest("0123456789ABCDEF", 16));
  EXPECT_FALSE(is_hex_digest("0123456789abcdeg", 16));
}

TEST(ProjectCorpus, HoldsTwelveStimuliInOrderWithEveryField) {
  const auto corpus = Corpus::load(test::project_corpus());
  ASSERT_TRUE(corpus) << corpus.error().message;
  std::vector<std::string> ids;
  for (const Stimulus& one : corpus->stimuli()) {
    ids.push_back(one.id);
    EXPECT_EQ(one.talker, one.id.substr(0, 1));
    EXPECT_THAT(one.licence, HasSubstr("Carnegie Mellon"));
    EXPECT_THAT(one.recipe, AllOf(HasSubstr("flite"), HasSubstr(one.talker == "M" ? "voice rms" : "voice slt")));
    ASSERT_THAT(one.files, SizeIs(2));
    for (const auto& [rate, file] : one.files) {
      EXPECT_TRUE(rate == 8000 || rate == 16000);
      EXPECT_EQ(file.path.generic_string(), std::to_string(rate / 1000) + "k/" + one.id + ".wav");
      EXPECT_EQ(file.sha256, sha256_hex(test::read_text(test::project_corpus() / file.path)));
      EXPECT_GE(file.duration_s, 3.0) << one.id;
      EXPECT_LE(file.duration_s, 6.0) << one.id;
    }
  }
  EXPECT_THAT(ids, ElementsAre("M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"));
}

TEST(ProjectCorpus, BothTalkersSayTheSameSixSentences) {
  const auto corpus = Corpus::load(test::project_corpus());
  ASSERT_TRUE(corpus);
  std::set<std::string> sentences;
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(corpus->stimuli()[n].text, corpus->stimuli()[n + 6].text);
    sentences.insert(corpus->stimuli()[n].text);
  }
  EXPECT_THAT(sentences, SizeIs(6));
  EXPECT_EQ(corpus->find("F5")->text,
            "More books have resulted from somebody's need to write them than from anybody's need to read them.");
}

TEST(ProjectCorpus, EveryFileIsMono16BitAtItsRateAndAtNominalLevel) {
  const auto corpus = Corpus::load(test::project_corpus());
  ASSERT_TRUE(corpus);
  for (const Stimulus& one : corpus->stimuli()) {
    for (const auto& [rate, file] : one.files) {
      const auto signal = read_audio(test::project_corpus() / file.path);
      ASSERT_TRUE(signal) << signal.error().message;
      EXPECT_EQ(signal->rate_hz, rate);
      EXPECT_NEAR(signal->seconds(), file.duration_s, 1e-6);
      EXPECT_EQ(fs::file_size(test::project_corpus() / file.path), 44 + 2 * signal->size()) << file.path;
      const auto level = measure_speech_level(signal->samples, rate);
      ASSERT_TRUE(level);
      EXPECT_NEAR(level->active_level_dbov, -26.0, 0.1) << file.path;
      EXPECT_NEAR(level->active_level_dbov, file.active_level_dbov, 0.001) << file.path;
    }
  }
}

TEST(ProjectCorpus, PausesAreFaintNoiseAndNeverDigitalSilence) {
  const auto corpus = Corpus::load(test::project_corpus());
  ASSERT_TRUE(corpus);
  for (const Stimulus& one : corpus->stimuli()) {
    const auto signal = corpus->recording(one.id);
    ASSERT_TRUE(signal);
    const std::size_t lead = 2000;  // 0.25 s
    EXPECT_NEAR(rms_dbov({signal->samples.data(), lead}), -75, 1.5) << one.id;
    EXPECT_NEAR(rms_dbov({signal->samples.data() + signal->size() - lead, lead}), -75, 1.5) << one.id;
    std::size_t run = 0;
    std::size_t longest = 0;
    for (const float sample : signal->samples) {
      run = sample == 0 ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    EXPECT_LT(longest, 8U) << one.id;  // 1 ms
  }
}

TEST(ProjectCorpus, NoPeakIsNearFullScale) {
  const auto checks = check_corpus(test::project_corpus());
  ASSERT_TRUE(checks);
  ASSERT_THAT(*checks, SizeIs(24));
  for (const FileCheck& check : *checks) {
    EXPECT_THAT(check.fault, IsEmpty());
    EXPECT_LT(check.peak_dbov.value(), -1.0) << check.path;
    EXPECT_NEAR(check.active_level_dbov.value(), -26, 0.1) << check.path;
  }
}

TEST(ProjectCorpus, RecordingsEqualTheirFiles) {
  const auto corpus = Corpus::load(test::project_corpus());
  ASSERT_TRUE(corpus);
  const auto narrow = corpus->recording("M6");
  const auto wide = corpus->recording("M6", 16000);
  ASSERT_TRUE(narrow);
  ASSERT_TRUE(wide);
  EXPECT_EQ(narrow->rate_hz, 8000);
  EXPECT_EQ(wide->rate_hz, 16000);
  EXPECT_NEAR(narrow->seconds(), wide->seconds(), 1e-3);
  EXPECT_EQ(narrow->samples, read_audio(test::project_corpus() / "8k/M6.wav")->samples);
}

TEST(ProjectCorpus, UnknownStimuliAndRatesAreNamed) {
  const auto corpus = Corpus::load(test::project_corpus());
  ASSERT_TRUE(corpus);
  EXPECT_EQ(corpus->find("M7"), nullptr);
  EXPECT_THAT(corpus->recording("M7").error().message, HasSubstr("M7"));
  EXPECT_THAT(corpus->recording("M6", 48000).error().message, HasSubstr("48000"));
  EXPECT_EQ(corpus->recording("M6", 48000).error().code, ErrorCode::bad_input);
}

TEST_F(BrokenCorpus, AnUntouchedCopyHasTheSameDigest) {
  const auto original = Corpus::load(test::project_corpus());
  const auto copy = Corpus::load(folder_);
  ASSERT_TRUE(original);
  ASSERT_TRUE(copy);
  EXPECT_EQ(original->digest(), copy->digest());
  EXPECT_THAT(copy->digest(), SizeIs(64));
}

TEST_F(BrokenCorpus, OneBitAnywhereInAFileIsFound) {
  const auto size = fs::file_size(folder_ / "8k/F5.wav");
  for (const std::size_t byte : {std::size_t{0}, std::size_t{40}, std::size_t{1000}, std::size_t{size - 1}}) {
    flip_bit("8k/F5.wav", byte);
    EXPECT_THAT(load_error(), HasSubstr("8k/F5.wav")) << byte;
    flip_bit("8k/F5.wav", byte);
  }
  EXPECT_TRUE(Corpus::load(folder_)) << load_error();
}

TEST_F(BrokenCorpus, AFileChangedOnPurposeGivesAnotherDigest) {
  const auto before = Corpus::load(folder_);
  ASSERT_TRUE(before);
  const std::size_t in_the_lead = 200;
  flip_bit("8k/F5.wav", in_the_lead);
  auto json = manifest();
  json["stimuli"][10]["files"]["8000"]["sha256"] = sha256_hex(test::read_text(folder_ / "8k/F5.wav"));
  write_manifest(json);
  const auto after = Corpus::load(folder_);
  ASSERT_TRUE(after) << load_error();
  EXPECT_NE(before->digest(), after->digest());
}

TEST_F(BrokenCorpus, AnotherOrderOrNameGivesAnotherDigest) {
  const auto before = Corpus::load(folder_);
  auto json = manifest();
  std::swap(json["stimuli"][0], json["stimuli"][1]);
  write_manifest(json);
  const auto swapped = Corpus::load(folder_);
  ASSERT_TRUE(swapped);
  EXPECT_NE(before->digest(), swapped->digest());
  std::swap(json["stimuli"][0], json["stimuli"][1]);
  json["stimuli"][0]["id"] = "X1";
  write_manifest(json);
  const auto renamed = Corpus::load(folder_);
  ASSERT_TRUE(renamed);
  EXPECT_NE(before->digest(), renamed->digest());
  EXPECT_NE(swapped->digest(), renamed->digest());
}

TEST_F(BrokenCorpus, AMissingFileIsAnErrorThatNamesIt) {
  fs::remove(folder_ / "16k/M3.wav");
  EXPECT_THAT(load_error(), HasSubstr("16k/M3.wav"));
}

TEST_F(BrokenCorpus, AFileLostAfterLoadingIsAnError) {
  const auto corpus = Corpus::load(folder_);
  ASSERT_TRUE(corpus);
  fs::copy_file(folder_ / "8k/M2.wav", folder_ / "8k/M1.wav", fs::copy_options::overwrite_existing);
  fs::remove(folder_ / "8k/M4.wav");
  EXPECT_FALSE(corpus->recording("M1"));
  EXPECT_FALSE(corpus->recording("M4"));
  EXPECT_TRUE(corpus->recording("M2"));
}

TEST_F(BrokenCorpus, CheckingListsEveryFault) {
  flip_bit("8k/M1.wav", 5000);
  fs::remove(folder_ / "16k/F6.wav");
  const auto checks = check_corpus(folder_);
  ASSERT_TRUE(checks);
  std::vector<std::string> faulty;
  for (const FileCheck& check : *checks) {
    if (!check.fault.empty()) faulty.push_back(check.path.generic_string());
  }
  EXPECT_THAT(faulty, ElementsAre("8k/M1.wav", "16k/F6.wav"));
}

TEST_F(BrokenCorpus, CheckingFindsAWrongLevelDespiteACorrectDigest) {
  auto quieter = read_audio(folder_ / "8k/M1.wav");
  ASSERT_TRUE(quieter);
  for (float& sample : quieter->samples) sample *= 0.97F;  // -0.26 dB
  ASSERT_TRUE(write_audio(folder_ / "8k/M1.wav", *quieter, AudioFormat::wav16));
  auto json = manifest();
  json["stimuli"][0]["files"]["8000"]["sha256"] = sha256_hex(test::read_text(folder_ / "8k/M1.wav"));
  write_manifest(json);
  const auto checks = check_corpus(folder_);
  ASSERT_TRUE(checks);
  EXPECT_THAT(checks->front().fault, AllOf(HasSubstr("8k/M1.wav"), HasSubstr("-26.26")));
}

TEST_F(BrokenCorpus, AFileOfAnotherRateOrDurationThanListedIsRefused) {
  auto json = manifest();
  auto files = json["stimuli"][0]["files"];
  json["stimuli"][0]["files"]["8000"] = files["16000"];
  write_manifest(json);
  EXPECT_THAT(load_error(), HasSubstr("16000 Hz"));
  json["stimuli"][0]["files"] = files;
  json["stimuli"][0]["files"]["8000"]["duration_s"] = 4.0;
  write_manifest(json);
  EXPECT_THAT(load_error(), HasSubstr("4.000000"));
}

TEST_F(BrokenCorpus, ALinkOutOfTheFolderIsNotFollowed) {
  fs::copy_file(folder_ / "8k/M1.wav", folder_.string() + "-outside.wav", fs::copy_options::overwrite_existing);
  fs::remove(folder_ / "8k/M1.wav");
  fs::create_symlink(folder_.string() + "-outside.wav", folder_ / "8k/M1.wav");
  EXPECT_THAT(load_error(), HasSubstr("leads out"));
  fs::remove(folder_.string() + "-outside.wav");
}

}  // namespace
}  // namespace vqas
