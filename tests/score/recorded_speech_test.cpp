// The same guarantees for recorded human speech, which is not part of the project.
#include <gtest/gtest.h>

#include "score/recipes.h"
#include "support/speech.h"
#include "vqas/score/score.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

Signal recording(const std::filesystem::path& folder, const char* name) {
  const auto read = read_audio(folder / (std::string(name) + ".flac"), {.rate_hz = kLineRateHz});
  return read ? *read : Signal{};
}

TEST(RecordedSpeech, IdentityIsExactAndFaultsLowerTheScore) {
  VQAS_SPEECH_OR_SKIP(folder);
  Scorer scorer;
  for (const char* name :
       {"harvard_F1", "harvard_M1", "dense_F1", "dense_M3", "words_F1_01", "words_M3_02", "twice_F1"}) {
    const Signal speech = recording(folder, name);
    ASSERT_FALSE(speech.empty()) << name;
    const Score same = scorer.score(speech, test::padded(test::with_gain(speech, -0.1), 7777, 100));
    EXPECT_EQ(same.mos_lqo.value_or(0), 4.55) << name << " " << same.reason;
    EXPECT_NEAR(same.delay_ms.value_or(0), 7777 / 8.0, 0.01) << name;
    const Score noisy = scorer.score(speech, test::with_noise(speech, 10, 1));
    EXPECT_LT(noisy.mos_lqo.value_or(9), 2.6) << name;
    const Score half = scorer.score(speech, test::silenced(speech, 0.5, 1));
    EXPECT_LE(half.mos_lqo.value_or(1), 2.3) << name;
  }
}

TEST(RecordedSpeech, SilenceNeverGetsAScore) {
  VQAS_SPEECH_OR_SKIP(folder);
  Scorer scorer;
  const Signal silence = recording(folder, "long_silence");
  const Signal speech = recording(folder, "long");
  ASSERT_FALSE(silence.empty() || speech.empty());
  for (const auto& [reference, degraded] : {std::pair{&silence, &silence}, {&speech, &silence}, {&silence, &speech}}) {
    const Score score = scorer.score(*reference, *degraded);
    EXPECT_EQ(score.outcome, Outcome::no_speech) << score.reason;
    EXPECT_FALSE(score.mos_lqo);
  }
}

TEST(RecordedSpeech, OtherWordsAreNotAligned) {
  VQAS_SPEECH_OR_SKIP(folder);
  Scorer scorer;
  const std::vector<const char*> names{"harvard_F1",  "harvard_M1",  "dense_F1",    "dense_M3",
                                       "words_F1_01", "words_F1_05", "words_M3_02", "long"};
  for (const char* reference : names) {
    for (const char* degraded : names) {
      if (reference == degraded) continue;
      const Score score = scorer.score(recording(folder, reference), recording(folder, degraded));
      EXPECT_EQ(to_string(score.outcome), "not_aligned") << reference << " " << degraded;
    }
  }
}

}  // namespace
}  // namespace vqas
