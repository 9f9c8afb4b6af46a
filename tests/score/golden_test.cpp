#include <gtest/gtest.h>

#include <cmath>

#include "score/golden_cases.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

// Single precision and the same model in double precision agree to 1e-5; the rest is for other mathematical libraries,
// whose sine may turn one code of a recipe.
constexpr double kTolerance = 1e-3;

TEST(Golden, AgreesWithAnIndependentImplementation) {
  Scorer scorer;
  for (const auto& golden : test::golden_cases()) {
    const Score score = scorer.score(golden.reference, golden.degraded);
    ASSERT_EQ(score.outcome, Outcome::scored) << golden.name << ": " << score.reason;
    EXPECT_NEAR(*score.auditory_distance, golden.auditory_distance, kTolerance) << golden.name;
  }
}

TEST(Golden, TheMapIsMonotoneAndEndsAtTheTopOfTheScale) {
  EXPECT_DOUBLE_EQ(mos_from_auditory_distance(0), 4.55);
  double before = 4.56;
  for (double distance = 0; distance < 12; distance += 0.1) {
    const double mos = mos_from_auditory_distance(distance);
    EXPECT_LT(mos, before);
    EXPECT_GT(mos, 1.0);
    before = mos;
  }
  EXPECT_NEAR(mos_from_auditory_distance(2.0655), 3.0, 1e-3);
  EXPECT_TRUE(std::isnan(mos_from_auditory_distance(std::nan("")))) << "what is no number is not perfect";
  EXPECT_EQ(mos_from_auditory_distance(-1), 4.55) << "nothing scores above identity";
}

TEST(Golden, TheVersionAndTheErrorAreNamed) {
  EXPECT_STREQ(kScoreVersion, "vqas-nb-2");
  const ModelError error = model_error();
  EXPECT_GT(error.mos, 0.05);
  EXPECT_LT(error.mos, 0.5);
  EXPECT_STRNE(error.label, "");
  EXPECT_STRNE(error.source, "");
}

}  // namespace
}  // namespace vqas
