#include "experiment/statements.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vqas::experiment {
namespace {

ExperimentPoint scored(const std::string& series, double x, double mos, const std::string& stimulus = "M6") {
  ExperimentPoint point;
  point.series = series;
  point.x = x;
  point.stimulus = stimulus;
  point.outcome = Outcome::scored;
  point.mos_lqo = mos;
  return point;
}

ExperimentPoint released(const std::string& series, double x) {
  ExperimentPoint point;
  point.series = series;
  point.x = x;
  point.outcome = Outcome::line_lost;
  point.released = true;
  return point;
}

std::vector<Verdict> verdicts(const std::vector<Statement>& statements) {
  std::vector<Verdict> result;
  for (const Statement& one : statements) result.push_back(one.verdict);
  return result;
}

constexpr Verdict kYes = Verdict::agrees;
constexpr Verdict kNo = Verdict::differs;
constexpr Verdict kUnknown = Verdict::cannot_be_compared;
using Verdicts = std::vector<Verdict>;

// Mean scores at 1e-9 to 1e-3, and without errors.
Points sweep(std::vector<double> means, double clean = 4.4) {
  Points points{scored("M6, without errors", kNoErrors, clean), scored("F1, without errors", kNoErrors, clean, "F1")};
  double x = 9;
  for (const double mean : means) {
    points.push_back(scored("M6, a to b", x, mean));
    points.push_back(scored("F1, a to b", x, mean, "F1"));
    --x;
  }
  return points;
}

Points ten_scored() {
  Points points;
  for (int i = 0; i < 10; ++i) points.push_back(scored("x", i, 4));
  return points;
}

TEST(BerSweepStatements, AFallWhereTheReportHasItAgrees) {
  EXPECT_EQ(verdicts(check_ber_sweep(sweep({4.4, 4.4, 4.38, 4.3, 3.9, 3, 2}))), (Verdicts{kYes, kYes, kYes, kUnknown}));
}

TEST(BerSweepStatements, AFallElsewhereDiffers) {
  // A degradation at 1e-7.
  EXPECT_EQ(check_ber_sweep(sweep({4.4, 4.4, 4.2, 4.2, 3.9, 3, 2}))[0].verdict, kNo);
  // A loss at all three.
  EXPECT_EQ(check_ber_sweep(sweep({3, 3, 3, 2.9, 2.5, 2.2, 1.5}))[0].verdict, kNo);
  EXPECT_EQ(check_ber_sweep(sweep({4.4, 4.4, 4.4, 4.1, 3.9, 3, 2}, 4.5))[1].verdict, kNo);
  // Most of the loss is at 1e-6; none at 1e-3.
  EXPECT_EQ(check_ber_sweep(sweep({4.4, 4.4, 4.4, 3.9, 3.8, 3, 2}))[1].verdict, kNo);
  EXPECT_EQ(check_ber_sweep(sweep({4.4, 4.4, 4.4, 4.4, 4.3, 4.2, 4.1}))[1].verdict, kNo);
  // 1e-4 is better than 1e-5.
  EXPECT_EQ(check_ber_sweep(sweep({4.4, 4.4, 4.4, 4.3, 3, 3.2, 2}))[2].verdict, kNo);
  // 1e-5 is better than 1e-6, 1e-3 than 1e-4.
  EXPECT_EQ(check_ber_sweep(sweep({4.4, 4.4, 4.4, 4.2, 4.3, 3, 2}))[2].verdict, kNo);
  EXPECT_EQ(check_ber_sweep(sweep({4.4, 4.4, 4.4, 4.3, 3.9, 2, 2.1}))[2].verdict, kNo);
}

TEST(BerSweepStatements, ARangeThatEndsLaterDiffers) {
  EXPECT_EQ(check_ber_sweep(sweep({4.4, 4.4, 4.4, 4.4, 4.3, 4, 3.6}))[1].verdict, kNo);
}

TEST(BerSweepStatements, TooFewScoresGiveNoMean) {
  Points points = sweep({4.4, 4.4, 4.38, 4.3, 3.9, 3, 2});
  points.back().mos_lqo.reset();  // half of those at 1e-3
  EXPECT_EQ(verdicts(check_ber_sweep(points)), (Verdicts{kYes, kUnknown, kUnknown, kUnknown}));
}

TEST(MeanScore, FourInFiveScoredGiveAMean) {
  Points points = ten_scored();
  const auto all = [](const ExperimentPoint&) { return true; };
  points[0].mos_lqo.reset();
  points[1].mos_lqo.reset();
  EXPECT_TRUE(mean_score(points, all));
  points[2].mos_lqo.reset();
  EXPECT_FALSE(mean_score(points, all));
}

TEST(BerSweepStatements, WithoutAnErrorFreeLineNothingIsCompared) {
  Points points = sweep({4.4, 4.4, 4.38, 4.3, 3.9, 3, 2});
  points.erase(points.begin(), points.begin() + 2);
  EXPECT_EQ(verdicts(check_ber_sweep(points)), (Verdicts{kUnknown, kUnknown, kYes, kUnknown}));
}

TEST(BerSweepStatements, WithoutScoresNothingIsCompared) {
  EXPECT_EQ(verdicts(check_ber_sweep({})), (Verdicts{kUnknown, kUnknown, kUnknown, kUnknown}));
}

Points wander(double worst) {
  Points points;
  for (int step = 1; step <= 24; ++step) points.push_back(scored("x", step, step >= 8 && step <= 10 ? worst : 4.3));
  return points;
}

TEST(WanderStatements, AllScoredAndWorstStepsWorseAgrees) {
  EXPECT_EQ(verdicts(check_wander(wander(2.9))), (Verdicts{kYes, kYes}));
}

TEST(WanderStatements, AMissingScoreOrNoDegradationDiffers) {
  Points missing = wander(2.9);
  missing[4].mos_lqo.reset();
  EXPECT_EQ(verdicts(check_wander(missing)), (Verdicts{kNo, kYes}));
  EXPECT_EQ(verdicts(check_wander(wander(4.2))), (Verdicts{kYes, kNo}));
  EXPECT_EQ(verdicts(check_wander({})), (Verdicts{kUnknown}));
}

Points storm() {
  Points points;
  for (int step = 1; step <= 24; ++step) {
    const bool gap = step == 2 || step == 8 || step == 21;
    points.push_back(gap ? released("sat", step) : scored("sat", step, 3));
  }
  return points;
}

TEST(ThunderstormStatements, StepsUsedToChooseTheLimitAreNoEvidence) {
  EXPECT_EQ(verdicts(check_thunderstorm(storm())), (Verdicts{kYes, kUnknown}));
}

TEST(ThunderstormStatements, AGapElsewhereOrAnUnscoredStepDiffers) {
  Points elsewhere = storm();
  elsewhere[3] = released("sat", 4);
  EXPECT_EQ(verdicts(check_thunderstorm(elsewhere)), (Verdicts{kNo, kNo}));
  Points held = storm();
  held[1] = scored("sat", 2, 1.2);
  EXPECT_EQ(verdicts(check_thunderstorm(held)), (Verdicts{kYes, kNo}));
  Points unheard = storm();
  unheard[3].mos_lqo.reset();
  EXPECT_EQ(verdicts(check_thunderstorm(unheard)), (Verdicts{kNo, kUnknown}));
  Points no_release = storm();
  no_release[1].released = false;
  EXPECT_EQ(verdicts(check_thunderstorm(no_release)), (Verdicts{kYes, kNo}));
  Points short_storm = storm();
  short_storm.pop_back();
  EXPECT_EQ(verdicts(check_thunderstorm(short_storm)), (Verdicts{kNo, kNo}));
}

TEST(ThunderstormStatements, EachChannelHasItsOwnStatements) {
  Points both = storm();
  for (ExperimentPoint point : storm()) {
    if (point.x == 21) point = scored("sat", 21, 1.2);
    point.series = "second";
    both.push_back(point);
  }
  EXPECT_EQ(verdicts(check_thunderstorm(both)), (Verdicts{kYes, kUnknown, kYes, kNo}));
  EXPECT_EQ(verdicts(check_thunderstorm({})), (Verdicts{kUnknown, kUnknown}));
}

TEST(BurstStatements, TheSlowestRecoveryDecides) {
  Points points{scored("x", 1, 4), scored("x", 5, 4)};
  points[0].recovery_s = 0;
  points[1].recovery_s = 0.3;
  EXPECT_EQ(verdicts(check_bursts(points)), (Verdicts{kUnknown, kUnknown})) << "the line cannot be slow";
  points[0].recovery_s = 1.4;
  EXPECT_EQ(verdicts(check_bursts(points)), (Verdicts{kNo, kUnknown}));
  points[0].recovery_s.reset();
  EXPECT_EQ(check_bursts(points)[0].verdict, kUnknown) << "a burst that missed the speech has no recovery time";
  EXPECT_EQ(check_bursts({})[0].verdict, kUnknown);
}

Points bits(std::vector<double> means) {
  Points points;
  double bit = 1;
  for (const double mean : means) points.push_back(scored("M6", bit++, mean));
  return points;
}

TEST(BitStatements, UpperBitsHurtMostAndTheLastLeast) {
  EXPECT_EQ(verdicts(check_bit_significance(bits({2, 1.5, 1.8, 2.5, 3.5, 4, 4.3, 4.4}))), (Verdicts{kYes}));
  EXPECT_EQ(verdicts(check_bit_significance(bits({4.4, 4.3, 4, 3.5, 2.5, 1.8, 1.5, 2}))), (Verdicts{kNo}));
  EXPECT_EQ(verdicts(check_bit_significance(bits({2, 1.5, 1.8, 2.5, 3.5, 4, 4.4, 4.3}))), (Verdicts{kNo}));
  EXPECT_EQ(verdicts(check_bit_significance(bits({2, 3}))), (Verdicts{kUnknown}));
}

Points voip(double fifo, double fair, double reserved, double fair_video_loss, double reserved_video_loss) {
  Points points;
  for (const double rate : {128, 256, 384, 512}) {
    for (const char* background : {"alone", "files", "video"}) {
      points.push_back(scored(std::string("fifo, ") + background, rate, rate < 512 ? 4.3 : fifo));
      points.push_back(scored(std::string("fair, ") + background, rate, fair));
      points.push_back(scored(std::string("reservation, ") + background, rate, reserved));
      points[points.size() - 2].video_loss = fair_video_loss;
      points.back().video_loss = reserved_video_loss;
    }
    points.push_back(scored(kNoBottleneck, rate, 4.3));
  }
  return points;
}

TEST(VoipStatements, EachStatementIsDecidedByItsOwnFigure) {
  EXPECT_EQ(verdicts(check_voip_satellite(voip(1.5, 4.3, 4.3, 0.2, 0))), (Verdicts{kYes, kYes, kYes}));
  EXPECT_EQ(verdicts(check_voip_satellite(voip(1.5, 3.5, 4.3, 0.2, 0))), (Verdicts{kNo, kYes, kYes}));
  EXPECT_EQ(verdicts(check_voip_satellite(voip(4.2, 4.3, 4.3, 0.2, 0))), (Verdicts{kYes, kNo, kYes}));
  EXPECT_EQ(verdicts(check_voip_satellite(voip(1.5, 4.3, 4.3, 0.0, 0))), (Verdicts{kYes, kYes, kNo}));
  EXPECT_EQ(verdicts(check_voip_satellite(voip(1.5, 4.3, 4.3, 0.2, 0.1))), (Verdicts{kYes, kYes, kNo}));
  EXPECT_EQ(verdicts(check_voip_satellite({})), (Verdicts{kUnknown, kUnknown, kUnknown}));
}

Chosen of(const char* series, double least_rate, double most_rate = 512) {
  return
      [=](const ExperimentPoint& p) { return p.series.starts_with(series) && p.x >= least_rate && p.x <= most_rate; };
}

// Sets the scores of some points, or removes them.
Points with(Points points, const Chosen& chosen, std::optional<double> score, double packet_loss = 0) {
  for (ExperimentPoint& point : points) {
    if (!chosen(point)) continue;
    point.mos_lqo = score;
    point.packet_loss = packet_loss;
  }
  return points;
}

TEST(VoipStatements, AnUnscoredTransmissionIsRuinedNeverGood) {
  const Points points = voip(1.5, 4.3, 4.3, 0.2, 0);
  EXPECT_EQ(verdicts(check_voip_satellite(with(points, of("fair", 512), std::nullopt))), (Verdicts{kNo, kYes, kYes}));
  EXPECT_EQ(verdicts(check_voip_satellite(with(points, of("fifo", 512), std::nullopt, 0.5))),
            (Verdicts{kYes, kYes, kYes}));
}

TEST(VoipStatements, AMissingScoreWithoutPacketLossIsUndecided) {
  const Points points = with(voip(1.5, 4.3, 4.3, 0.2, 0), of("fifo", 512), std::nullopt, 0.01);
  EXPECT_EQ(check_voip_satellite(points)[1].verdict, kUnknown);
}

TEST(VoipStatements, VoiceBadBeforeTheVideoGrewDiffers) {
  const Points points = voip(1.5, 4.3, 4.3, 0.2, 0);
  EXPECT_EQ(check_voip_satellite(with(points, of("fifo", 0), std::nullopt, 0.5))[1].verdict, kNo);
  EXPECT_EQ(check_voip_satellite(with(points, of("fifo", 0, 384), 1))[1].verdict, kNo);
}

TEST(VoipStatements, VoiceThatSurvivesOneBackgroundDiffers) {
  EXPECT_EQ(check_voip_satellite(with(voip(1.5, 4.3, 4.3, 0.2, 0), of("fifo, files", 512), 4.1))[1].verdict, kNo);
}

TEST(VoipStatements, VoiceIsComparedWithALineWithoutABottleneck) {
  EXPECT_EQ(verdicts(check_voip_satellite(voip(1, 2.1, 2.1, 0.2, 0))), (Verdicts{kNo, kYes, kYes}));
  EXPECT_EQ(verdicts(check_voip_satellite(with(voip(1.5, 4.3, 4.3, 0.2, 0), of(kNoBottleneck, 0), std::nullopt))),
            (Verdicts{kUnknown, kUnknown, kUnknown}));
}

TEST(VoipStatements, ATransmissionRuinedUnderReservationDiffers) {
  EXPECT_EQ(verdicts(check_voip_satellite(with(voip(1.5, 4.3, 4.3, 0.2, 0), of("reservation, video", 512), 2))),
            (Verdicts{kNo, kYes, kYes}));
}

// Twelve sentences with a range of 0.5 over each channel.
Points channels(double satellite_offset, double range, double long_distance_loss) {
  Points points;
  for (const char* channel : {"local-isdn", "satellite-isdn", "terrestrial-isdn", "long-distance"}) {
    for (int i = 0; i < 12; ++i) {
      const double offset = std::string(channel) == "satellite-isdn" ? satellite_offset : 0;
      auto point = scored("a to b", 1, 4 + range * i / 11 + offset, "S" + std::to_string(i));
      point.label = channel;
      point.band_loss_db = std::string(channel) == "long-distance" ? long_distance_loss : 0.2;
      points.push_back(point);
    }
  }
  return points;
}

TEST(CharacterizeStatements, EachStatementIsDecidedByItsOwnFigure) {
  EXPECT_EQ(verdicts(check_characterize(channels(0.05, 0.5, 12))), (Verdicts{kYes, kYes, kYes, kYes}));
  EXPECT_EQ(verdicts(check_characterize(channels(-0.3, 0.5, 12))), (Verdicts{kNo, kYes, kYes, kYes}));
  EXPECT_EQ(verdicts(check_characterize(channels(0.05, 0.1, 12))), (Verdicts{kYes, kNo, kNo, kYes}));
  EXPECT_EQ(verdicts(check_characterize(channels(0.05, 1.5, 12))), (Verdicts{kYes, kNo, kNo, kYes}));
  EXPECT_EQ(verdicts(check_characterize(channels(0.05, 0.5, 1))), (Verdicts{kYes, kYes, kYes, kNo}));
  EXPECT_EQ(verdicts(check_characterize({})), (Verdicts{kUnknown, kUnknown, kUnknown, kUnknown}));
}

TEST(CharacterizeStatements, OnlyTheChannelWithTheFaultDiffers) {
  EXPECT_EQ(verdicts(check_characterize(channels(0.3, 0.5, 12))), (Verdicts{kNo, kYes, kYes, kYes}));
  const auto flattened = [](const std::string& channel) {
    Points points = channels(0, 0.5, 12);
    for (ExperimentPoint& point : points) {
      if (point.label == channel) point.mos_lqo = 4.25;
    }
    return verdicts(check_characterize(points));
  };
  // With a channel of one score, the twelve differences scatter too much for the first statement.
  EXPECT_EQ(flattened("satellite-isdn"), (Verdicts{kUnknown, kNo, kYes, kYes}));
  EXPECT_EQ(flattened("terrestrial-isdn"), (Verdicts{kYes, kYes, kNo, kYes}));
}

TEST(CharacterizeStatements, WidelyScatteredScoresAreUndecided) {
  Points points = channels(0, 0.5, 12);
  double sign = 1;
  for (ExperimentPoint& point : points) {
    if (point.label == "satellite-isdn") *point.mos_lqo += (sign = -sign) * 0.4;
  }
  EXPECT_EQ(check_characterize(points)[0].verdict, kUnknown);
}

TEST(CubicTrend, ScoresOnACubicGiveThatCubic) {
  Points points;
  for (int x = 1; x <= 9; ++x) points.push_back(scored("s", x, 1 + 0.5 * x - 0.1 * x * x + 0.01 * x * x * x));
  const auto trend = cubic_trend(points, "s");
  ASSERT_TRUE(trend);
  const std::vector<double> expected{1, 0.5, -0.1, 0.01};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(trend->coefficients[i], expected[i], 1e-9);
  points.resize(3);
  EXPECT_FALSE(cubic_trend(points, "s"));
}

}  // namespace
}  // namespace vqas::experiment
