// What arrives while a mark is overdue: a line that has died, or speech whose mark was spoilt.
#include "receive/overdue_mark.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "receive/captures.h"
#include "support/signals.h"
#include "vqas/signal/idle_noise.h"
#include "vqas/signal/level.h"
#include "vqas/sync/transmission.h"

namespace vqas {
namespace {

constexpr std::size_t kHeard = 4 * kLineRateHz;

/// Noise of that psophometric level, 4 s.
Signal noise_at(double dbm0p) {
  Signal noise = test::noise(0.1, 4, 1);
  const double gain = db_to_amplitude(dbm0p + kZeroDbm0MuLawDbov - *psophometric_dbov(noise));
  for (float& sample : noise.samples) sample *= static_cast<float>(gain);
  return noise;
}

/// What arrives of a transmission in its first 4 s, without its mark, with this gain.
Signal speech_of(const std::string& stimulus, double gain_db) {
  const Signal speech = test::stimulus(stimulus);
  const std::size_t begins = transmission_layout(speech.size(), {}).speech_start;
  Signal heard;
  heard.samples.assign(kHeard, 0.0F);
  for (std::size_t n = begins; n < kHeard && n - begins < speech.size(); ++n)
    heard.samples[n] = static_cast<float>(db_to_amplitude(gain_db)) * speech.samples[n - begins];
  return heard;
}

Signal sum(Signal one, const Signal& other) {
  for (std::size_t n = 0; n < one.size(); ++n) one.samples[n] += other.samples[n];
  return one;
}

DirectionRun direction_with(double gain_db, std::optional<double> noise_dbm0p) {
  Measurement earlier, last, cut_off;
  earlier.sequence = 1;
  earlier.level_difference_db = 0;
  earlier.marks_found = last.marks_found = MarksFound::both;
  cut_off.sequence = 3;
  cut_off.level_difference_db = -40;
  cut_off.marks_found = MarksFound::leading_only;
  last.sequence = 2;
  last.level_difference_db = gain_db;
  last.findings = MeasurementFindings{};
  last.findings->noise_dbm0p = noise_dbm0p;
  return {End::a, {{"M1", {last}, {}, {}}, {"M2", {earlier, cut_off}, {}, {}}}};
}

std::vector<std::string> stimuli() {
  std::vector<std::string> ids;
  for (const char sex : {'F', 'M'})
    for (char number = '1'; number <= '6'; ++number) ids.push_back({sex, number});
  return ids;
}

TEST(OverdueMark, NoiseOfALineThatHasDiedIsNoSpeech) {
  for (const double noise_dbm0p : {-53.0, -45.0, -35.0}) {
    const IdleInput heard = judge_idle_input(noise_at(noise_dbm0p), false);
    ASSERT_EQ(heard.kind, IdleInput::Kind::noise);
    EXPECT_FALSE(may_be_speech(heard, direction_with(0, noise_dbm0p))) << noise_dbm0p;
  }
  EXPECT_FALSE(may_be_speech(judge_idle_input(noise_at(-45), false), direction_with(-3, -90)))
      << "louder than the noise before it, and far below the speech";
}

TEST(OverdueMark, SpeechIsSpeechAlsoIfItIsQuietAndTheLineIsNoisy) {
  double least_db = std::numeric_limits<double>::infinity(), most_db = -least_db;
  for (const std::string& one : stimuli()) {
    const double below_db = kNominalSpeechLevelDbov - *psophometric_dbov(speech_of(one, 0));
    least_db = std::min(least_db, below_db);
    most_db = std::max(most_db, below_db);
    for (const auto& [gain_db, noise_dbm0p] :
         {std::pair{-3.0, -45.0}, std::pair{-20.0, -45.0}, std::pair{-6.0, -35.0}}) {
      const IdleInput heard = judge_idle_input(sum(speech_of(one, gain_db), noise_at(noise_dbm0p)), false);
      const double on_line_dbm0p = noise_dbm0p + kZeroDbm0MuLawDbov - zero_dbm0_dbov(gain_db);
      EXPECT_TRUE(may_be_speech(heard, direction_with(gain_db, on_line_dbm0p)))
          << one << " at " << gain_db << " dB over noise at " << noise_dbm0p << " dBm0p";
    }
  }
  EXPECT_GT(least_db, 5);
  EXPECT_LT(most_db, 11) << "the constant of the rule";
}

TEST(OverdueMark, NoiseMayBeSpeechWhereNothingIsKnownOfTheDirection) {
  const IdleInput heard = judge_idle_input(noise_at(-40), false);
  EXPECT_TRUE(may_be_speech(heard, DirectionRun{}));
  EXPECT_TRUE(may_be_speech(heard, direction_with(-10, -38))) << "speech is not louder than this noise";
}

TEST(OverdueMark, SilenceAndTonesAreNoSpeech) {
  EXPECT_FALSE(may_be_speech(IdleInput{}, DirectionRun{}));
  IdleInput tone;
  tone.kind = IdleInput::Kind::tone;
  tone.level_dbov = tone.level_dbm0p = -10;
  EXPECT_FALSE(may_be_speech(tone, direction_with(0, -80)));
}

}  // namespace
}  // namespace vqas
