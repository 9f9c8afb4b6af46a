// Guarantees for a score's confidence; its calibration is described in libvqas/doc/record/calibration.md.
#include "score/confidence/confidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "score/recipes.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

TEST(Confidence, IsGivenWithEveryScoreAndOnlyThen) {
  Scorer scorer;
  const Signal speech = test::corpus_sentence("M1");
  for (const double ber : {0.0, 1e-3, 1e-2}) {
    const Score score = scorer.score(speech, test::with_bit_errors(speech, ber, 1));
    ASSERT_TRUE(score.confidence) << ber;
    EXPECT_GT(*score.confidence, 0.5) << ber;
    EXPECT_LE(*score.confidence, 1) << ber;
  }
  EXPECT_FALSE(scorer.score(speech, test::corpus_sentence("F4")).confidence);
  EXPECT_FALSE(scorer.score(speech, Signal{}).confidence);
}

TEST(Confidence, FallsOnlyWithItsTerms) {
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::narrowband);
  const scoring::Measurements clean{0.01, 0, 0, 0};
  const scoring::Circumstances plain;
  const double best = scoring::confidence_of(4.55, clean, plain, 0, model);
  EXPECT_GT(best, 0.98);
  EXPECT_LT(best, 1);
  EXPECT_EQ(scoring::confidence_of(1.0, clean, plain, 0, model), best);
  EXPECT_LT(scoring::confidence_of(2.775, clean, plain, 0, model), best);
  EXPECT_LT(scoring::confidence_of(4.55, clean, plain, 300, model), best);
  EXPECT_EQ(scoring::confidence_of(4.55, clean, plain, -300, model),
            scoring::confidence_of(4.55, clean, plain, 300, model));
  EXPECT_GT(scoring::confidence_of(4.55, clean, plain, 10000, model),
            scoring::confidence_of(4.55, clean, plain, 12500, model));
  EXPECT_LT(scoring::confidence_of(4.55, clean, plain, 10000, model), 0.7) << "a wrong speed matters more than a drift";
  EXPECT_LT(scoring::confidence_of(4.55, clean, plain, 5000, model),
            scoring::confidence_of(4.55, clean, plain, 3000, model));
  scoring::Circumstances less = plain;
  less.shortness = 0.5;
  EXPECT_LT(scoring::confidence_of(4.55, clean, less, 0, model), best);
  less = plain;
  less.step_distance = 0.3;
  const double one_step = scoring::confidence_of(4.55, clean, less, 0, model);
  EXPECT_LT(one_step, best);
  less.step_distance = 1;
  EXPECT_LT(scoring::confidence_of(4.55, clean, less, 0, model), one_step) << "the more the steps cost, the more doubt";
  less = plain;
  less.foreign_s = 1;
  EXPECT_LT(scoring::confidence_of(4.55, clean, less, 0, model), best);
  less = plain;
  less.jumps = 0.3;
  EXPECT_LT(scoring::confidence_of(4.55, clean, less, 0, model), best) << "only a seam";
  const double middle = scoring::confidence_of(2.775, clean, plain, 0, model);
  less = plain;
  less.noise = 0.5;
  EXPECT_LT(scoring::confidence_of(2.775, clean, less, 0, model), middle);
  EXPECT_EQ(scoring::confidence_of(1.0, clean, less, 0, model), best);
  less = plain;
  less.by_pattern = true;
  EXPECT_LT(scoring::confidence_of(2.775, clean, less, 0, model), middle);
  less = plain;
  less.jumps = 0.3;
  const scoring::Measurements bad{0.2, 0, 0.1, 0};
  EXPECT_EQ(scoring::confidence_of(1.0, bad, less, 0, model), scoring::confidence_of(1.0, bad, plain, 0, model))
      << "with much other sound a seam does not matter";
}

// A change of one of these must change the version and the history in libvqas/doc/record/score-versions.md.
TEST(Confidence, BelongsToTheScoreVersion) {
  EXPECT_STREQ(kScoreVersion, "vqas-nb-16");
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::narrowband);
  const scoring::Measurements little{0.01, 0, 0, 0};
  scoring::Circumstances plain;
  const auto rounded = [&](double mos, double drift_ppm) {
    return std::round(1e4 * scoring::confidence_of(mos, little, plain, drift_ppm, model));
  };
  EXPECT_EQ(rounded(4.55, 0), 9983);
  EXPECT_EQ(rounded(2.775, 0), 9859);
  EXPECT_EQ(rounded(4.55, 1000), 9864);
  plain.shortness = 0.5;
  EXPECT_EQ(rounded(4.55, 0), 9969);
  plain.step_distance = 0.5;
  EXPECT_EQ(rounded(4.55, 0), 9723);
  plain.jumps = 0.3;
  EXPECT_EQ(rounded(4.55, 0), 9419);
  plain = {};
  plain.foreign_s = 1;
  EXPECT_EQ(rounded(4.55, 0), 8055);
  plain = {};
  plain.noise = 0.5;
  EXPECT_EQ(rounded(2.775, 0), 9618);
  plain = {};
  plain.by_pattern = true;
  EXPECT_EQ(rounded(2.775, 0), 8584);
}

TEST(Confidence, OfTheWidebandModelBelongsToItsVersionAndHasALimit) {
  EXPECT_STREQ(score_version(ScoreMode::wideband), "vqas-wb-8");
  const scoring::ScoreModel model = scoring::score_model(ScoreMode::wideband);
  const scoring::Measurements little{0.01, 0, 0, 0};
  scoring::Circumstances plain;
  const auto rounded = [&](double mos, double drift_ppm) {
    return std::round(1e4 * scoring::confidence_of(mos, little, plain, drift_ppm, model));
  };
  EXPECT_EQ(rounded(4.6439, 0), 8900) << "the limit";
  EXPECT_EQ(rounded(2.8433, 0), 8900) << "the limit";
  EXPECT_EQ(rounded(4.6439, 10000), 2855);
  plain.noise = 1;
  EXPECT_EQ(rounded(2.8433, 0), 5781);
  plain = {};
  plain.by_pattern = true;
  EXPECT_EQ(rounded(4.6439, 0), 8388);
}

TEST(Confidence, IsLowerAfterADeletionOfSpeech) {
  Scorer scorer;
  const Signal speech = test::corpus_sentence("M5");
  const double whole = scorer.score(speech, speech).confidence.value_or(0);
  const double shorter = scorer.score(speech, test::with_jump(speech, 0.5, -800)).confidence.value_or(1);
  EXPECT_GT(whole, 0.95);
  EXPECT_LT(shorter, whole - 0.02);
}

TEST(Confidence, DelayThatGrowsInAShortSentenceIsTrustedLessThanInALongOne) {
  Signal longer = test::corpus_sentence("M1");
  for (const char* next : {"M6", "M5", "M4"}) {
    const Signal more = test::corpus_sentence(next);
    longer.samples.insert(longer.samples.end(), more.samples.begin(), more.samples.end());
  }
  ASSERT_GT(longer.size(), 8U * kLineRateHz);
  constexpr std::size_t kStep = 480;
  const auto stretched = [](const Signal& speech, bool by_sound) {
    Signal grown = speech;
    const std::size_t at = test::corpus_sentence("M1").size() / 2;
    std::vector<float> inserted(kStep, 0.0F);
    for (std::size_t n = 0; by_sound && n < kStep; ++n) inserted[n] = speech.samples[at - 160 + n % 160];
    grown.samples.insert(grown.samples.begin() + static_cast<std::ptrdiff_t>(at), inserted.begin(), inserted.end());
    return grown;
  };
  const Signal sentence = test::corpus_sentence("M1");
  Scorer scorer;
  for (const bool by_sound : {false, true}) {
    const double in_short = scorer.score(sentence, stretched(sentence, by_sound)).confidence.value_or(1);
    // Repeated sound is heard less than silence. Of twelve such sentences four are stated above 0.9, and all four
    // scores lie within 0.2 of the label.
    EXPECT_LT(in_short, by_sound ? 0.95 : 0.9) << by_sound;
    EXPECT_GT(scorer.score(longer, stretched(longer, by_sound)).confidence.value_or(0), in_short + 0.03) << by_sound;
  }
}

/// Fills the silence of `samples` samples at `from` at the recording's own level.
void put(Signal& signal, std::ptrdiff_t from, std::size_t samples, const std::function<double(std::size_t)>& sound) {
  const double level = test::rms(signal);
  for (std::size_t n = 0; n < samples; ++n) {
    signal.samples[static_cast<std::size_t>(from) + n] = static_cast<float>(level * sound(n));
  }
}

TEST(Confidence, IsLowForAWrongSpeed) {
  const Signal speech = test::corpus_sentence("M1");
  for (const double ppm : {-15000.0, 20000.0}) {
    const Score score = Scorer().score(speech, test::resampled_by_clock(speech, ppm, 0));
    ASSERT_EQ(score.outcome, Outcome::scored) << ppm;
    EXPECT_LT(score.confidence.value_or(1), 0.9) << ppm;
  }
}

TEST(Confidence, IsLowerForAToneThanForNoiseOfItsLevel) {
  const Signal speech = test::padded(test::corpus_sentence("M1"), 4000, 4000);
  Signal tone = speech;
  for (std::size_t n = 0; n < tone.size(); ++n) {
    tone.samples[n] += static_cast<float>(0.1 * test::rms(speech) *
                                          std::sin(2 * std::numbers::pi * 3000 * static_cast<double>(n) / kLineRateHz));
  }
  Scorer scorer;
  const double noisy = scorer.score(speech, test::with_noise(speech, 23, 1)).confidence.value_or(0);
  EXPECT_GT(noisy, 0.9);
  EXPECT_LT(scorer.score(speech, tone).confidence.value_or(1), noisy - 0.02);
}

TEST(Confidence, IsLoweredByLoudSoundWithinSpeechAndNotBySilence) {
  const Signal first = test::corpus_sentence("M1");
  const Signal second = test::corpus_sentence("M6");
  constexpr std::size_t kPause = 4000;
  constexpr std::size_t kInserted = 16000;
  const auto joined = [&](std::size_t pause) {
    Signal both = first;
    both.samples.resize(first.size() + pause, 0.0F);
    both.samples.insert(both.samples.end(), second.samples.begin(), second.samples.end());
    return both;
  };
  const Signal reference = joined(kPause);
  const Signal silent = joined(kPause + kInserted);
  const auto from = static_cast<std::ptrdiff_t>(first.size() + kPause / 2);
  Signal noise = silent;
  test::Random random(1);
  put(noise, from, kInserted, [&](std::size_t) { return random.normal(); });
  Signal tone = silent;
  put(tone, from, kInserted,
      [](std::size_t n) { return std::sin(2 * std::numbers::pi * 425 * static_cast<double>(n) / kLineRateHz); });

  Scorer scorer;
  const Score quiet = scorer.score(reference, silent);
  ASSERT_EQ(quiet.outcome, Outcome::scored);
  EXPECT_EQ(quiet.reason, "");
  EXPECT_GT(quiet.confidence.value_or(0), 0.9);
  for (const Signal& heard : {noise, tone}) {
    const Score score = scorer.score(reference, heard);
    ASSERT_EQ(score.outcome, Outcome::scored);
    EXPECT_LE(score.confidence.value_or(1), 0.4) << "of 39 such pairs 12 were within 0.5 of the label";
    EXPECT_NE(score.reason.find("1.8 s of loud sound"), std::string::npos) << score.reason;
  }
}

}  // namespace
}  // namespace vqas
