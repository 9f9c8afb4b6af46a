#include "vqas/signal/level.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/signals.h"
#include "support/speech.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

TEST(SpeechLevel, FullScaleSineIsThreeDecibelsBelowOverload) {
  const auto level = measure_speech_level(test::sine(1000, 1.0, 10).samples, kLineRateHz);
  ASSERT_TRUE(level);
  EXPECT_NEAR(level->long_term_level_dbov, -3.01, 0.01);
  EXPECT_NEAR(level->activity_factor, 1.0, 0.01);
}

TEST(SpeechLevel, ReproducesThePublishedCheckValue) {
  VQAS_SPEECH_OR_SKIP(folder);
  auto speech = read_audio(folder / "long.flac");
  ASSERT_TRUE(speech);
  const auto segment = std::span<const float>(speech->samples).subspan(24000, 48000);
  const auto level = measure_speech_level(segment, speech->rate_hz);
  ASSERT_TRUE(level);
  EXPECT_NEAR(level->active_level_dbov, -27.2326, 0.02);
  EXPECT_NEAR(level->activity_factor, 0.92605, 0.005);
}

TEST(SpeechLevel, PausesLowerTheLongTermLevelButNotTheActiveLevel) {
  Signal talk = test::noise(0.1, 4, 1);
  const auto without = measure_speech_level(talk.samples, talk.rate_hz);
  talk.samples.resize(talk.size() * 2, 0.0F);
  const auto with = measure_speech_level(talk.samples, talk.rate_hz);
  ASSERT_TRUE(without && with);
  EXPECT_NEAR(with->long_term_level_dbov, without->long_term_level_dbov - 3.01, 0.01);
  EXPECT_NEAR(with->active_level_dbov, without->active_level_dbov, 0.35);  // the hangover counts 0.2 of 4 s as active
  EXPECT_NEAR(with->activity_factor, 0.5, 0.05);
}

TEST(SpeechLevel, FollowsGainOverSixtyDecibels) {
  const Signal loud = test::noise(0.5, 2, 2);
  const auto base = measure_speech_level(loud.samples, loud.rate_hz);
  ASSERT_TRUE(base);
  for (const double gain_db : {-20.0, -40.0, -60.0}) {
    Signal quiet = loud;
    for (float& sample : quiet.samples) sample *= static_cast<float>(db_to_amplitude(gain_db));
    const auto level = measure_speech_level(quiet.samples, quiet.rate_hz);
    ASSERT_TRUE(level);
    EXPECT_NEAR(level->active_level_dbov, base->active_level_dbov + gain_db, 0.05);
  }
}

TEST(SpeechLevel, RefusesInputWithoutSpeech) {
  EXPECT_FALSE(measure_speech_level({}, kLineRateHz));
  EXPECT_FALSE(measure_speech_level(std::vector<float>(8000, 0.0F), kLineRateHz));
  std::vector<float> broken(8000, 0.1F);
  broken[17] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(measure_speech_level(broken, kLineRateHz));
  EXPECT_FALSE(measure_speech_level(std::vector<float>(8000, 0.1F), 0));
}

}  // namespace
}  // namespace vqas
