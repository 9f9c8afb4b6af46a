// The words in the picture of a score.
#include "score/plot_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "score/score_text.h"

namespace vqas::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

Score scored() {
  Score score;
  score.outcome = Outcome::scored;
  score.mos_lqo = 2.5;
  score.auditory_distance = 2.6;
  score.confidence = 0.998;
  return score;
}

TEST(PlotWords, TheVerdictHasTheConfidenceAndWhatEachImpairmentCosts) {
  Score score = scored();
  score.impairments = {{Impairment::noise, 1.2, 1.34}, {Impairment::level, 0.4, 0.0}, {Impairment::coding, 0.3}};
  score.loss_parts = {{Impairment::noise, 1.5}, {std::nullopt, 0.55}};
  const auto lines = verdict(score);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[0], HasSubstr("MOS-LQON 2.50  model error ±0.25 (1 σ)  confidence 0.99"));
  EXPECT_EQ(lines[2], "noise is added (costs 1.34 MOS) · the level moves (costs nothing) · a coder or bit errors");
  EXPECT_EQ(lines[3], "lost 2.05 MOS: noise 1.50, other 0.55");
}

TEST(PlotWords, AScoreThatIsAmbiguousSaysSoInThePictureToo) {
  Score score = scored();
  EXPECT_THAT(verdict(score)[0], Not(HasSubstr("ambiguous")));
  score.reason = "0.8 s of speech were not found";
  EXPECT_THAT(verdict(score)[0], EndsWith("confidence 0.99  ambiguous"));
}

TEST(ScoreText, TellsNoiseThatIsNoFaultWhereItCostsSomething) {
  Score score = scored();
  score.indices = Indices{};
  score.mos_lqo = 3.9;
  score.indices->noise = PauseNoise{.dbm0p = -66, .tone_dbm0 = -80, .cost_mos = 0.62};
  score.loss_parts = {{Impairment::noise, 0.62}};
  EXPECT_THAT(to_text(score),
              HasSubstr("Impairment         noise, no more than a good circuit may have (costs 0.62 MOS)"));
  EXPECT_EQ(verdict(score)[2], "noise, no more than a good circuit may have (costs 0.62 MOS)");
  // By its cost among the others.
  score.impairments = {{Impairment::coding, 0.9, 0.8}, {Impairment::level, 0.4, 0.2}};
  EXPECT_THAT(to_text(score), ContainsRegex("Impairment         a coder.*\n +noise, no more.*\n +the level"));
  EXPECT_THAT(verdict(score)[2], EndsWith("noise, no more than a good circuit may have (costs 0.62 MOS)"));
  score.mode = ScoreMode::wideband;
  EXPECT_THAT(to_text(score), HasSubstr("noise, below 4 kHz no more than a good circuit may have"));
  score.mode = ScoreMode::narrowband;
  score.impairments.clear();
  score.mos_lqo = 4.5;
  score.indices->noise->cost_mos = 0.04;
  EXPECT_THAT(to_text(score), HasSubstr("Impairment         none found"));
  EXPECT_EQ(verdict(score)[2], "no impairment found");
}

TEST(ScoreText, SaysWhereNoNoiseCouldBeMeasuredInPauses) {
  Score score = scored();
  score.indices = Indices{};
  EXPECT_THAT(to_text(score), HasSubstr("Noise in pauses    not measured: no pause of the speech is long enough"));
  EXPECT_THAT(to_text(score, true), Not(HasSubstr("Noise in pauses"))) << "that of a long recording is never measured";
  score.indices->noise = PauseNoise{.dbm0p = -60, .tone_dbm0 = -70, .cost_mos = 0.1};
  EXPECT_THAT(to_text(score), HasSubstr("Noise in pauses    -60.0 dBm0p"));
}

TEST(PlotWords, WithoutAScoreTheReasonIsTold) {
  Score score;
  score.outcome = Outcome::not_aligned;
  score.reason = "nothing was found";
  EXPECT_THAT(verdict(score), ElementsAre("No score: not_aligned", "nothing was found"));
}

TEST(PlotWords, WhatIsRoundedToZeroHasNoSign) {
  Score score = scored();
  score.level_difference_db = -0.04;
  score.delay_ms = -0.01;
  score.clock_drift_ppm = -0.3;
  EXPECT_EQ(verdict(score)[1], "auditory distance 2.60    delay 0.0 ms    clock drift 0 ppm    level +0.0 dB");
  for (const double zero : {0.0, -0.0, -1e-9}) EXPECT_EQ(tick_label(zero), "0");
  EXPECT_EQ(tick_label(-0.5), "-0.5");
  EXPECT_EQ(tick_label(0.1 + 0.2), "0.3");
}

}  // namespace
}  // namespace vqas::cli
