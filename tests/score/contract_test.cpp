// Guarantees of the score that do not depend on its constants.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "score/recipes.h"
#include "vqas/score/score.h"
#include "vqas/score/segments.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

class ScoreContract : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    speech_ = test::corpus_sentence(GetParam());
    ASSERT_FALSE(speech_.empty()) << "corpus/8k/" << GetParam() << ".wav is missing";
  }
  double mos(const Signal& degraded) { return mos(speech_, degraded); }
  double mos(const Signal& reference, const Signal& degraded) {
    const Score score = scorer_.score(reference, degraded);
    EXPECT_EQ(score.outcome, Outcome::scored) << score.reason;
    if (!score.mos_lqo) return -1;
    EXPECT_LE(*score.mos_lqo, 4.55);
    EXPECT_GE(*score.mos_lqo, 1.0);
    EXPECT_GE(*score.auditory_distance, 0.0);
    return *score.mos_lqo;
  }
  /// Scores fall from the maximum as the fault grows; one step may gain at most `slack` by chance.
  void expect_falling(const char* fault, const std::vector<double>& strengths,
                      const std::function<Signal(double)>& degrade, double slack) {
    double before = 4.55;
    double first = 0;
    for (const double strength : strengths) {
      const double now = mos(degrade(strength));
      EXPECT_LE(now, before + slack) << fault << " " << strength;
      if (strength == strengths.front()) first = now;
      before = now;
    }
    EXPECT_LT(before, first - 0.5) << fault << " has no effect";
  }

  Signal speech_;
  Scorer scorer_;
};

TEST_P(ScoreContract, IdentityIsExactlyTheTopOfTheScale) {
  for (const int rate : {8000, 16000, 44100, 48000}) {
    const Signal same = *resample(speech_, rate);
    const Score score = scorer_.score(same, same);
    ASSERT_EQ(score.outcome, Outcome::scored) << score.reason;
    EXPECT_EQ(*score.auditory_distance, 0.0) << rate;
    EXPECT_EQ(*score.mos_lqo, 4.55) << rate;
    EXPECT_EQ(*score.delay_ms, 0.0) << rate;
    EXPECT_NEAR(*score.level_difference_db, 0.0, 1e-3) << rate;
    EXPECT_TRUE(score.reason.empty());
    ASSERT_EQ(score.delay_track.size(), 1U);
    EXPECT_NEAR(score.delay_track[0].length_s, speech_.seconds(), 0.05);
  }
}

TEST_P(ScoreContract, GainPolarityDelayOffsetAndSilenceAfterwardsChangeNothing) {
  const Signal noisy = test::with_noise(speech_, 25, 1);
  for (const Signal& line : {speech_, noisy}) {
    const double plain = mos(line);
    for (const double gain_db : {-30.0, -20.0, 20.0, 30.0}) {
      EXPECT_NEAR(mos(test::with_gain(line, std::pow(10, gain_db / 20))), plain, 0.02) << gain_db << " dB";
    }
    EXPECT_NEAR(mos(test::with_gain(line, -1)), plain, 0.02) << "polarity";
    EXPECT_NEAR(mos(test::padded(line, 4000, 0)), plain, 0.02) << "delay 0.5 s";
    EXPECT_NEAR(mos(test::padded(line, 64000, 0)), plain, 0.02) << "delay 8 s";
    EXPECT_NEAR(mos(test::padded(line, 0, 40000)), plain, 0.02) << "5 s of silence afterwards";
    Signal offset = line;
    for (float& sample : offset.samples) sample += 0.05F;
    EXPECT_NEAR(mos(offset), plain, 0.02) << "DC";
  }
}

TEST_P(ScoreContract, DigitalSilenceAroundTheReferenceIsNoPartOfIt) {
  const Signal line = test::with_losses(test::with_noise(speech_, 25, 1), 0.1, 2);
  const double plain = mos(line);
  for (const std::size_t around : {4096U, 16384U, 65536U}) {  // 0.5 to 8 s on either side, whole frames
    const Signal reference = test::padded(speech_, around, around);
    const Signal silent = test::padded(line, around, around);
    Signal noisy = silent;
    test::Random random(3);
    for (std::size_t n = 0; n < noisy.size(); ++n) {
      if (n < around || n >= noisy.size() - around) noisy.samples[n] = static_cast<float>(0.01 * random.normal());
    }
    EXPECT_NEAR(mos(reference, silent), plain, 0.03) << around << ": it makes what is heard count no less";
    EXPECT_NEAR(mos(reference, noisy), plain, 0.03) << around << ": and noise there is not heard";
  }
}

TEST_P(ScoreContract, SilenceThatMakesTheReferenceALongRecordingIsNoPartOfItEither) {
  const Signal line = test::with_losses(test::with_noise(speech_, 25, 1), 0.1, 2);
  constexpr int kAround = 8192 * 58;
  const Signal reference = test::padded(speech_, kAround, kAround);
  const Signal degraded = test::padded(line, kAround, kAround);
  const auto result = score_in_segments(scorer_, as_long_recording(reference), as_long_recording(degraded), {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->scored, 1U);
  EXPECT_NEAR(result->overall.mos_lqo.value_or(0), mos(line), 0.25) << "but for the part of a second on either side";
}

TEST_P(ScoreContract, LevelDifferenceIsThatOfTheGain) {
  for (const double gain_db : {-30.0, -6.0, 12.0, 30.0}) {
    const Score score = scorer_.score(speech_, test::with_gain(speech_, std::pow(10, gain_db / 20)));
    EXPECT_NEAR(score.level_difference_db.value_or(99), gain_db, 0.2);
  }
}

TEST_P(ScoreContract, FallsWithNoise) {
  expect_falling(
      "noise", {40, 30, 20, 10, 0}, [&](double snr) { return test::with_noise(speech_, snr, 2); }, 0.0);
}

TEST_P(ScoreContract, FallsWithModulatedNoise) {
  expect_falling(
      "MNRU", {40, 30, 20, 10, 5}, [&](double q) { return test::with_modulated_noise(speech_, q, 3); }, 0.0);
}

TEST_P(ScoreContract, FallsWithBitErrors) {
  expect_falling(
      "BER", {0, 1e-5, 1e-4, 1e-3, 1e-2, 3e-2}, [&](double ber) { return test::with_bit_errors(speech_, ber, 4); },
      0.02);
}

TEST_P(ScoreContract, FallsWithMuting) {
  // The same seed: a larger share mutes the same segments and more.
  expect_falling(
      "muting", {0.01, 0.05, 0.1, 0.2, 0.4}, [&](double share) { return test::with_losses(speech_, share, 5); }, 0.02);
}

TEST_P(ScoreContract, FallsWithClipping) {
  expect_falling(
      "clipping", {0.5, 0.2, 0.1, 0.05}, [&](double share) { return test::clipped(speech_, share); }, 0.0);
}

TEST_P(ScoreContract, WithHalfASentenceMissingQualityIsBelowFair) {
  EXPECT_LE(mos(test::silenced(speech_, 0.5, 1)), 2.3);
  EXPECT_LE(mos(test::silenced(speech_, 0, 0.5)), 2.3);
}

TEST_P(ScoreContract, TheRateOfARecordingHardlyMatters) {
  const Signal line = test::with_noise(speech_, 25, 6);
  const double plain = mos(line);
  for (const int rate : {16000, 44100, 48000}) {
    EXPECT_NEAR(mos(*resample(speech_, rate), *resample(line, rate)), plain, 0.05) << rate;
    EXPECT_NEAR(mos(speech_, *resample(line, rate)), plain, 0.05) << rate;
  }
}

TEST_P(ScoreContract, TheSamePairGivesTheSameScoreOnAnyInstanceInAnyOrder) {
  const Signal first = test::with_losses(speech_, 0.1, 7);
  const Signal second = test::padded(test::with_jump(test::with_noise(speech_, 15, 8), 0.4, 500), 3000, 0);
  const Score a = scorer_.score(speech_, first);
  const Score b = scorer_.score(speech_, second);
  Scorer other;
  const Score b_again = other.score(speech_, second);
  const Score a_again = other.score(speech_, first);
  const Score a_third = Scorer(std::move(other)).score(speech_, first);
  for (const auto& [one, two] : {std::pair{&a, &a_again}, {&b, &b_again}, {&a, &a_third}}) {
    EXPECT_EQ(one->auditory_distance, two->auditory_distance);
    EXPECT_EQ(one->delay_ms, two->delay_ms);
    EXPECT_EQ(one->clock_drift_ppm, two->clock_drift_ppm);
    EXPECT_EQ(one->level_difference_db, two->level_difference_db);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, ScoreContract, ::testing::Values("M1", "F4", "F5"),
                         [](const auto& sentence) { return sentence.param; });

}  // namespace
}  // namespace vqas
