// Without a known position, recordings that cannot be measured get an outcome and a reason, never a number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "score/recipes.h"
#include "support/signals.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class Refusal : public ::testing::Test {
 protected:
  void expect_refused(const Signal& reference, const Signal& degraded, Outcome outcome, const char* what) {
    const Score score = scorer_.score(reference, degraded);
    EXPECT_EQ(to_string(score.outcome), to_string(outcome)) << what << ": " << score.reason;
    EXPECT_FALSE(score.mos_lqo) << what;
    EXPECT_FALSE(score.auditory_distance) << what;
    EXPECT_FALSE(score.reason.empty()) << what;
  }
  static Signal filled(float value, double seconds = 4) {
    return {std::vector<float>(static_cast<std::size_t>(seconds * kLineRateHz), value), kLineRateHz};
  }

  Signal speech_ = test::corpus_sentence("M1");
  Scorer scorer_;
};

TEST_F(Refusal, ARecordingWithoutSoundIsNoSpeech) {
  expect_refused(speech_, filled(0), Outcome::no_speech, "silence");
  expect_refused(speech_, filled(0.25F), Outcome::no_speech, "a constant");
  expect_refused(speech_, test::noise(1e-4, 4, 1), Outcome::no_speech, "line noise at -85 dBov");
  expect_refused(speech_, test::with_gain(speech_, 1e-4), Outcome::no_speech, "speech at -106 dBov");
}

TEST_F(Refusal, AReferenceMustNotBeClippedButADegradedRecordingMay) {
  Signal clipped = test::with_gain(speech_, 8);
  for (float& sample : clipped.samples) sample = std::clamp(sample, -0.5F, 0.5F);
  expect_refused(clipped, speech_, Outcome::clipped_input, "a clipped reference");
  const Score score = scorer_.score(speech_, clipped);
  EXPECT_EQ(to_string(score.outcome), "scored") << score.reason;
  EXPECT_LT(score.mos_lqo.value_or(5), 4.4);
}

TEST_F(Refusal, AReferenceMustHoldSpeech) {
  expect_refused(filled(0), speech_, Outcome::no_speech, "silence");
  expect_refused(filled(0), filled(0), Outcome::no_speech, "silence with itself");
  const Signal noise = test::noise(0.1, 4, 2);
  expect_refused(noise, noise, Outcome::no_speech, "noise with itself");
  const Signal tone = test::sine(1020, 0.1, 4);
  expect_refused(tone, tone, Outcome::no_speech, "a tone with itself");
  expect_refused(tone, speech_, Outcome::no_speech, "a tone");
}

TEST_F(Refusal, NoiseAndTonesAreNotTheReference) {
  for (const std::uint64_t seed : {3, 4, 5}) {
    expect_refused(speech_, test::noise(0.1, 6, seed), Outcome::not_aligned, "noise");
  }
  for (const double hz : {50.0, 425.0, 1020.0, 2100.0}) {
    expect_refused(speech_, test::sine(hz, 0.1, 6), Outcome::not_aligned, "tone");
  }
  Signal dial = test::sine(425, 0.1, 6);
  for (std::size_t n = 0; n < dial.size(); ++n) dial.samples[n] *= n / 2000 % 2 == 0 ? 1.0F : 0.0F;
  expect_refused(speech_, dial, Outcome::not_aligned, "busy tone");
  expect_refused(speech_, test::with_modulated_noise(test::with_gain(speech_, 1e-3), -60, 6), Outcome::not_aligned,
                 "noise with the envelope of the speech");
  Signal backwards = speech_;
  std::reverse(backwards.samples.begin(), backwards.samples.end());
  expect_refused(speech_, backwards, Outcome::not_aligned, "backwards");
}

TEST_F(Refusal, NoWrongSentenceAndNoSwappedTalkerIsEverScored) {
  for (const char talker : {'M', 'F'}) {
    for (char number = '1'; number <= '6'; ++number) {
      const std::string id{talker, number};
      const Signal reference = test::corpus_sentence(id);
      ASSERT_FALSE(reference.empty());
      for (char other = '1'; other <= '6'; ++other) {
        if (other == number) continue;
        expect_refused(reference, test::padded(test::corpus_sentence({talker, other}), 1234, 800), Outcome::not_aligned,
                       "another sentence");
      }
      const char swapped = talker == 'M' ? 'F' : 'M';
      expect_refused(reference, test::corpus_sentence({swapped, number}), Outcome::not_aligned, "the other talker");
    }
  }
}

TEST_F(Refusal, TheWorstLinesAreStillScored) {
  for (const char* id : {"M1", "F2", "M4", "F6"}) {
    const Signal reference = test::corpus_sentence(id);
    const std::vector<Signal> worst = {
        test::with_bit_errors(reference, 1e-2, 1), test::with_bit_errors(reference, 3e-2, 2),
        test::with_noise(reference, 0, 3),         test::with_modulated_noise(reference, 5, 4),
        test::with_losses(reference, 0.2, 5),      test::clipped(reference, 0.03)};
    for (const Signal& line : worst) {
      const Score score = scorer_.score(reference, test::padded(line, 9000, 3000));
      EXPECT_EQ(to_string(score.outcome), "scored") << id << " " << score.reason;
      EXPECT_LT(score.mos_lqo.value_or(5), 2.2) << id;
      EXPECT_NEAR(score.delay_ms.value_or(0), 1125, 0.5) << id;
    }
  }
}

TEST_F(Refusal, BadSamplesAreBadInput) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max()}) {
    Signal broken = speech_;
    broken.samples[20000] = bad;
    expect_refused(speech_, broken, Outcome::bad_input, "degraded");
    expect_refused(broken, speech_, Outcome::bad_input, "reference");
  }
  EXPECT_THAT(scorer_.score(speech_, Signal{}).reason, HasSubstr("degraded recording is empty"));
  EXPECT_THAT(scorer_.score(Signal{}, speech_).reason, HasSubstr("reference recording is empty"));
  expect_refused(Signal{}, Signal{}, Outcome::bad_input, "empty");
  Signal slow = speech_;
  for (const int rate : {0, -8000, 6000, 2000000}) {
    slow.rate_hz = rate;
    expect_refused(speech_, slow, Outcome::bad_input, "rate");
    expect_refused(slow, speech_, Outcome::bad_input, "rate");
  }
}

TEST_F(Refusal, ShortRecordingsAreTooShort) {
  for (const std::size_t samples : {1U, 63U, 255U, 256U, 4000U, 7999U}) {
    Signal part = speech_;
    part.samples.resize(samples);
    expect_refused(speech_, part, Outcome::too_short, "degraded");
    expect_refused(part, speech_, Outcome::too_short, "reference");
  }
  Signal word = speech_;
  std::fill(word.samples.begin(), word.samples.begin() + 16000, 0.0F);
  std::fill(word.samples.begin() + 17600, word.samples.end(), 0.0F);
  expect_refused(word, word, Outcome::too_short, "0.2 s of speech");
}

TEST_F(Refusal, LoudButFiniteSamplesAreScored) {
  const Score score = scorer_.score(speech_, test::with_gain(speech_, 32768));
  EXPECT_EQ(score.outcome, Outcome::scored) << score.reason;
  EXPECT_EQ(score.mos_lqo.value_or(0), 4.55);
}

}  // namespace
}  // namespace vqas
