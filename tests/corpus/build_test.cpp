// Building the project's corpus, with a double in place of the synthesiser.
#include "vqas/corpus/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch_corpus.h"
#include "support/signals.h"
#include "vqas/corpus/import.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// Uses the shipped narrowband recordings as speech (the recipe brightens them once more), with digital silence before
// them and an offset, as from synthesisers.
Synthesiser double_of_a_voice() {
  return {"a double", "none", [](const Utterance& utterance) -> Result<Signal> {
            auto speech = read_audio(test::project_corpus() / "8k" / (utterance.id + ".wav"), {0, 16000, 60});
            if (!speech) return speech;
            speech->samples.insert(speech->samples.begin(), 5000, 0.0F);
            for (float& sample : speech->samples) sample = sample * 0.5F + 0.01F;
            return speech;
          }};
}

class Build : public test::ScratchFolder {};

TEST_F(Build, MakesTwelveStimuliAtLevelFromAnyVoice) {
  const auto corpus = build_corpus(folder_, double_of_a_voice());
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_THAT(corpus->stimuli(), SizeIs(12));
  const auto checks = check_corpus(folder_);
  ASSERT_TRUE(checks);
  EXPECT_THAT(*checks, SizeIs(24));
  for (const FileCheck& check : *checks) EXPECT_EQ(check.fault, "");
  EXPECT_THAT(corpus->find("M1")->recipe, HasSubstr("a double"));
}

TEST_F(Build, PausesHaveTheSameLengthAroundEverySentence) {
  const auto corpus = build_corpus(folder_, double_of_a_voice());
  ASSERT_TRUE(corpus);
  for (const Stimulus& one : corpus->stimuli()) {
    const auto signal = corpus->recording(one.id);
    ASSERT_TRUE(signal);
    EXPECT_NEAR(rms_dbov({signal->samples.data(), 2240}), -75, 1.5) << one.id;
    EXPECT_GT(rms_dbov({signal->samples.data() + 2400, 1600}), -55) << one.id;
    EXPECT_NEAR(rms_dbov({signal->samples.data() + signal->size() - 2640, 2640}), -75, 1.5) << one.id;
    EXPECT_GT(rms_dbov({signal->samples.data() + signal->size() - 4400, 1600}), -65) << one.id;
  }
}

TEST_F(Build, ASecondBuildGivesTheSameBytes) {
  ASSERT_TRUE(build_corpus(folder_ / "one", double_of_a_voice()));
  ASSERT_TRUE(build_corpus(folder_ / "two", double_of_a_voice()));
  ASSERT_TRUE(build_corpus(folder_ / "two", double_of_a_voice()));
  EXPECT_EQ(test::read_text(folder_ / "one/manifest.json"), test::read_text(folder_ / "two/manifest.json"));
  EXPECT_EQ(Corpus::load(folder_ / "one")->digest(), Corpus::load(folder_ / "two")->digest());
}

TEST_F(Build, NeverReplacesAUsersOwnCorpus) {
  const auto mine =
      import_recordings(folder_, {{test::project_corpus() / "8k/M1.wav", 0, "A1", "anna", "A sentence.", "CC0-1.0"}});
  ASSERT_TRUE(mine);
  const auto corpus = build_corpus(folder_, double_of_a_voice());
  ASSERT_FALSE(corpus);
  EXPECT_THAT(corpus.error().message, HasSubstr("A1"));
  EXPECT_THAT(Corpus::load(folder_)->stimuli(), SizeIs(1));
}

TEST_F(Build, ReturnsTheErrorOfTheSynthesiser) {
  const Synthesiser mute{"mute", "none", [](const Utterance&) -> Result<Signal> {
                           return Error{ErrorCode::unsupported, "no voice today"};
                         }};
  const auto failed = build_corpus(folder_, mute);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::unsupported);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "manifest.json"));
  const Synthesiser silent{"silent", "none", [](const Utterance&) -> Result<Signal> {
                             return Signal{std::vector<float>(32000), 16000};
                           }};
  const auto nothing = build_corpus(folder_, silent);
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, HasSubstr("M1"));
}

}  // namespace
}  // namespace vqas
