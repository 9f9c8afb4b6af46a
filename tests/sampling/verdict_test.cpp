#include "vqas/sampling/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vqas {
namespace {

MeasuredMean measured(double mean, double half_width = 0.1, double model_error = 0.2) {
  return {.mean = mean, .half_width = half_width, .confidence = 0.95, .model_error = model_error, .bound = {}};
}

TEST(LimitVerdict, AddsTheSquaresOfRepeatabilityAndModelError) {
  EXPECT_NEAR(with_model_error(0.3, 0.95, 0.4 / 1.959963985), 0.5, 1e-9);
  EXPECT_NEAR(with_model_error(0.1, 0.95, 0), 0.1, 1e-12);
}

TEST(LimitVerdict, PassesFailsOrIsUndecidedByBothTogether) {
  // Together 0.405.
  EXPECT_EQ(judge(measured(3.41), 3.0).verdict, LimitVerdict::pass);
  EXPECT_EQ(judge(measured(3.40), 3.0).verdict, LimitVerdict::undecided);
  EXPECT_EQ(judge(measured(2.60), 3.0).verdict, LimitVerdict::undecided);
  EXPECT_EQ(judge(measured(2.59), 3.0).verdict, LimitVerdict::fail);
  // Repeatability alone would have passed this.
  EXPECT_GT(3.2 - 0.1, 3.0);
  EXPECT_EQ(judge(measured(3.2), 3.0).verdict, LimitVerdict::undecided);
}

TEST(LimitVerdict, NeverPassesAConditionalMeanButMayFailIt) {
  MeasuredMean mean = measured(4.0);
  mean.conditional = true;
  mean.bound = 3.1;
  EXPECT_EQ(judge(mean, 3.0).verdict, LimitVerdict::undecided);
  EXPECT_NE(judge(mean, 3.0).reason.find("3.10"), std::string::npos);
  EXPECT_EQ(judge(mean, 4.5).verdict, LimitVerdict::fail);
}

TEST(LimitVerdict, IsUndecidedWhereAnErrorIsUnknown) {
  EXPECT_EQ(judge(measured(4.0, INFINITY), 1.5).verdict, LimitVerdict::undecided);
  EXPECT_EQ(judge(measured(4.0, 0.1, 0), 1.5).verdict, LimitVerdict::undecided);
}

}  // namespace
}  // namespace vqas
