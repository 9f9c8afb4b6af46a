#include "vqas/report/e_model.h"

#include <gtest/gtest.h>

#include <limits>

namespace vqas {
namespace {

TEST(EModel, MosOfRatingMatchesTableB1) {
  EXPECT_NEAR(mos_of_rating(93.2), 4.41, 0.005);
  // ITU-T G.107, table B.1: R 90, 80, 70, 60, 50.
  EXPECT_NEAR(mos_of_rating(90), 4.34, 0.005);
  EXPECT_NEAR(mos_of_rating(80), 4.03, 0.007);  // the equation gives 4.024; the table prints 4.03
  EXPECT_NEAR(mos_of_rating(70), 3.60, 0.006);
  EXPECT_NEAR(mos_of_rating(60), 3.10, 0.005);
  EXPECT_NEAR(mos_of_rating(50), 2.58, 0.006);
  EXPECT_EQ(mos_of_rating(-3), 1);
  EXPECT_EQ(mos_of_rating(3), 1);
  EXPECT_EQ(mos_of_rating(120), 4.5);
}

TEST(EModel, RatingOfMosIsTheInverse) {
  for (double rating = 10; rating < 100; rating += 3.7) EXPECT_NEAR(rating_of_mos(mos_of_rating(rating)), rating, 1e-6);
  EXPECT_EQ(rating_of_mos(0.5), 6.5);
  EXPECT_EQ(rating_of_mos(4.55), 100);
}

TEST(EModel, NoImpairmentAboveTheCeiling) {
  EXPECT_EQ(equipment_impairment(4.55), 0);
  EXPECT_EQ(equipment_impairment(4.42), 0);
  EXPECT_GT(equipment_impairment(4.3), 0);
  EXPECT_NEAR(equipment_impairment(mos_of_rating(93.2 - 20)), 20, 1e-6);
  EXPECT_TRUE(conversational_quality(4.5, {}).at_ceiling);
  EXPECT_FALSE(conversational_quality(4.0, {}).at_ceiling);
}

TEST(EModel, WithoutDelayAndEchoItEqualsTheListeningQuality) {
  const ConversationEstimate estimate = conversational_quality(3.5, {.one_way_delay_ms = 0, .echo_loss_db = 65});
  EXPECT_NEAR(estimate.mos_cqe, 3.5, 1e-6);
  EXPECT_NEAR(conversational_quality(4.55, {}).rating, 93.2, 1e-9);
}

TEST(EModel, DelayAboveATenthOfASecondImpairs) {
  EXPECT_EQ(conversational_quality(4.4, {.one_way_delay_ms = 100}).idd, 0);
  // Idd of 400 ms, X = 2: 25 ((1 + 64)^(1/6) - 3 (1 + (2/3)^6)^(1/6) + 2) = 24.07
  EXPECT_NEAR(conversational_quality(4.4, {.one_way_delay_ms = 400}).idd, 24.07, 0.1);
  EXPECT_LT(conversational_quality(4.4, {.one_way_delay_ms = 400}).mos_cqe,
            conversational_quality(4.4, {.one_way_delay_ms = 150}).mos_cqe);
}

TEST(EModel, LateAndLoudEchoImpairs) {
  const auto echo = [](double delay_ms, double loss_db) {
    return conversational_quality(4.4, {.one_way_delay_ms = delay_ms, .echo_loss_db = loss_db}).idte;
  };
  EXPECT_LT(echo(0, 30), 1e-9);
  EXPECT_GT(echo(250, 40), echo(250, 55));
  EXPECT_GT(echo(250, 40), echo(20, 40));
  EXPECT_LT(echo(250, 65), 6);
}

TEST(EModel, NoEchoGivesNoEchoImpairment) {
  const ConversationEstimate none =
      conversational_quality(3.5, {.one_way_delay_ms = 500, .echo_loss_db = std::numeric_limits<double>::infinity()});
  EXPECT_EQ(none.idte, 0);
  EXPECT_EQ(none.idle, 0);
  EXPECT_GT(none.idd, 20);
  EXPECT_NEAR(none.rating, 93.2 - none.ie_eff - none.idd, 1e-9);
  const ConversationEstimate faint = conversational_quality(3.5, {.one_way_delay_ms = 500, .echo_loss_db = 65});
  EXPECT_LT(faint.rating, none.rating - 3);
}

}  // namespace
}  // namespace vqas
