// What a score's confidence promises; how well it is calibrated stands in libvqas/doc/calibration.md.
#include "score/confidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "score/recipes.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

TEST(Confidence, IsThereWithEveryScoreAndOnlyThen) {
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

TEST(Confidence, FallsWithEachOfItsTermsAndWithNothingElse) {
  const scoring::PerceptualModel model;
  const scoring::Measurements clean{0.01, 0, 0};
  const scoring::Circumstances plain;
  const double best = scoring::confidence_of(4.55, clean, plain, 0, model);
  EXPECT_GT(best, 0.98);
  EXPECT_EQ(scoring::confidence_of(1.0, clean, plain, 0, model), best);
  EXPECT_LT(scoring::confidence_of(2.775, clean, plain, 0, model), best);
  EXPECT_LT(scoring::confidence_of(4.55, clean, plain, 300, model), best);
  EXPECT_EQ(scoring::confidence_of(4.55, clean, plain, -300, model),
            scoring::confidence_of(4.55, clean, plain, 300, model));
  EXPECT_EQ(scoring::confidence_of(4.55, clean, plain, 5000, model),
            scoring::confidence_of(4.55, clean, plain, 9000, model));
  EXPECT_LT(scoring::confidence_of(4.55, clean, plain, 5000, model),
            scoring::confidence_of(4.55, clean, plain, 3000, model));
  scoring::Circumstances less = plain;
  less.shortness = 0.5;
  EXPECT_LT(scoring::confidence_of(4.55, clean, less, 0, model), best);
  less = plain;
  less.jumps = 0.3;
  EXPECT_LT(scoring::confidence_of(4.55, clean, less, 0, model), best) << "a seam and nothing else";
  scoring::Circumstances leapt = plain;
  leapt.deleted = 0.05;
  EXPECT_LT(scoring::confidence_of(3.5, clean, leapt, 0, model), scoring::confidence_of(3.5, clean, plain, 0, model));
  EXPECT_EQ(scoring::confidence_of(1.0, clean, leapt, 0, model), best)
      << "at the ends of the scale nothing depends on it";
  const scoring::Measurements bad{0.2, 0.1, 0};
  EXPECT_EQ(scoring::confidence_of(1.0, bad, less, 0, model), scoring::confidence_of(1.0, bad, plain, 0, model))
      << "where much else is heard a seam does not matter";
}

// Who changes one of these changes the version, and the history in libvqas/doc/score.md.
TEST(Confidence, BelongsToTheScoreVersion) {
  EXPECT_STREQ(kScoreVersion, "vqas-nb-5");
  const scoring::PerceptualModel model;
  const scoring::Measurements little{0.01, 0, 0};
  scoring::Circumstances plain;
  const auto rounded = [&](double mos, double drift_ppm) {
    return std::round(1e4 * scoring::confidence_of(mos, little, plain, drift_ppm, model));
  };
  EXPECT_EQ(rounded(4.55, 0), 9967);
  EXPECT_EQ(rounded(2.775, 0), 9929);
  EXPECT_EQ(rounded(4.55, 1000), 9913);
  plain.shortness = 0.5;
  EXPECT_EQ(rounded(4.55, 0), 9925);
  plain.jumps = 0.3;
  EXPECT_EQ(rounded(4.55, 0), 9348);
  plain.jumps = 0;
  plain.deleted = 0.1;
  EXPECT_EQ(rounded(2.775, 0), 8828);
}

TEST(Confidence, IsLowerWhereSpeechWasDeletedThanWhereItWasNot) {
  Scorer scorer;
  const Signal speech = test::corpus_sentence("M5");
  const double whole = scorer.score(speech, speech).confidence.value_or(0);
  const double shorter = scorer.score(speech, test::with_jump(speech, 0.5, -800)).confidence.value_or(1);
  EXPECT_GT(whole, 0.95);
  EXPECT_LT(shorter, whole - 0.02);
}

}  // namespace
}  // namespace vqas
