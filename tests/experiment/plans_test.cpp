// The transmissions of the experiments, compared with the tables of NTIA Report 98-354 repeated here; and one complete
// run.
#include "experiment/plans.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "experiment/statements.h"
#include "support/places.h"
#include "vqas/experiment/experiment.h"

namespace vqas::experiment {
namespace {

const std::vector<double> kStorm{7e-7, 3e-1, 2e-8, 4e-3, 6e-6, 2e-4, 4e-8, 7e-2, 5e-3, 3e-4, 3e-4, 2e-6,
                                 1e-7, 4e-9, 1e-8, 4e-6, 2e-6, 3e-8, 3e-5, 4e-8, 4e-2, 3e-3, 3e-8, 3e-4};
const std::vector<double> kWander{2e-6, 2e-6, 3e-6, 9e-6, 9e-6, 9e-6, 8e-6, 1e-4, 3e-4, 1e-4, 8e-5, 2e-4,
                                  2e-5, 1e-4, 5e-5, 2e-5, 1e-5, 3e-6, 1e-6, 9e-7, 7e-7, 5e-7, 3e-7, 1e-7};

double rate(const Trial& trial, std::size_t leg = 0) {
  return std::get<RandomRate>(trial.profile.errors.at(leg)).ber;
}

void expect_steps(const Plan& plan, const std::vector<double>& bers, const std::vector<double>& other_legs) {
  std::map<std::string, std::size_t> step;
  for (const Trial& trial : plan.trials) {
    const std::size_t at = step[trial.series]++;
    ASSERT_LT(at, bers.size());
    EXPECT_EQ(trial.x, static_cast<double>(at + 1));
    EXPECT_EQ(trial.stimulus, "M6");
    EXPECT_DOUBLE_EQ(rate(trial), bers[at]) << trial.series << " " << at + 1;
    ASSERT_EQ(trial.profile.errors.size(), 1 + other_legs.size());
    for (std::size_t leg = 0; leg < other_legs.size(); ++leg) {
      EXPECT_DOUBLE_EQ(rate(trial, leg + 1), other_legs[leg]);
    }
  }
  EXPECT_EQ(step, (std::map<std::string, std::size_t>{{"local-isdn", 24}, {"satellite-isdn", 24}}));
}

TEST(Plans, StormAndWanderMatchTheReport) {
  expect_steps(plan_thunderstorm(), kStorm, {});
  expect_steps(plan_wander(), kWander, {5e-9});
}

TEST(Plans, TheSweepSendsTwoSentencesFiveTimesBothWaysAtEachRatio) {
  std::map<std::tuple<std::string, End, double>, int> sent;
  for (const Trial& trial : plan_ber_sweep().trials) {
    EXPECT_NEAR(rate(trial), trial.x == kNoErrors ? 0 : std::pow(10, -trial.x), 1e-15);
    ++sent[{trial.stimulus, trial.sender, trial.x}];
  }
  EXPECT_EQ(sent.size(), 2U * 2 * 10);
  for (const auto& [what, times] : sent) EXPECT_EQ(times, 5);
  EXPECT_TRUE(sent.contains({"M6", End::b, 9}) && sent.contains({"F1", End::a, 1}));
}

TEST(Plans, SixChannelsCarryEverySentenceFiveTimesBothWays) {
  std::map<std::tuple<std::string, std::string, End>, int> sent;
  for (const Trial& trial : plan_characterize({"F1", "M6"}).trials) {
    EXPECT_EQ(trial.profile.name, trial.label);
    ++sent[{trial.label, trial.stimulus, trial.sender}];
  }
  EXPECT_EQ(sent.size(), 6U * 2 * 2);
  for (const auto& [what, times] : sent) EXPECT_EQ(times, 5);
}

TEST(Plans, EachBitIsHitAloneFromTheSignOn) {
  std::map<double, std::set<int>> masks;
  for (const Trial& trial : plan_bit_significance().trials) {
    masks[trial.x].insert(trial.profile.error_mask);
    EXPECT_DOUBLE_EQ(rate(trial), 1e-2);
  }
  ASSERT_EQ(masks.size(), 8U);
  for (const auto& [bit, mask] : masks) EXPECT_EQ(mask, std::set<int>{128 >> (static_cast<int>(bit) - 1)});
}

TEST(Plans, TheVoiceSharesItsLinkUnderThreeSchedulersWithThreeBackgrounds) {
  std::set<std::string> series;
  for (const Trial& trial : plan_voip_satellite().trials) {
    series.insert(trial.series);
    ASSERT_TRUE(trial.profile.packets);
    const auto& bottleneck = trial.profile.packets->bottleneck;
    EXPECT_EQ(bottleneck.has_value(), trial.series != kNoBottleneck);
    if (!bottleneck) continue;
    EXPECT_EQ(bottleneck->rate_kbit_s, 512);
    EXPECT_EQ(bottleneck->video_kbit_s, trial.x);
    EXPECT_EQ(trial.series.starts_with("fifo"), bottleneck->scheduling == Scheduling::fifo);
    EXPECT_EQ(trial.series.starts_with("fair"), bottleneck->scheduling == Scheduling::fair);
    EXPECT_EQ(trial.series.ends_with("files"), bottleneck->file_transfers > 0);
    EXPECT_EQ(trial.series.ends_with("video"), bottleneck->background_video_kbit_s > 0);
  }
  EXPECT_EQ(series.size(), 10U);
}

TEST(Experiment, TheStormRunsFromPlanToStatements) {
  ExperimentOptions options;
  options.corpus = std::filesystem::path(test::source_dir()) / "corpus";
  options.seed = 7;
  const auto result = run_experiment("thunderstorm", options);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->points.size(), 48U);
  for (const ExperimentPoint& point : result->points) {
    const bool is_gap = point.x == 2 || point.x == 8 || point.x == 21;
    EXPECT_EQ(point.released, is_gap) << point.series << " " << point.x;
    EXPECT_EQ(point.mos_lqo.has_value(), !is_gap) << point.series << " " << point.x << ": " << point.reason;
    const double ber = kStorm[static_cast<std::size_t>(point.x) - 1];
    if (ber >= 1e-4 && !is_gap) {
      EXPECT_NEAR(point.measured_ber, ber, 0.5 * ber) << point.series << " " << point.x;
    }
  }
  ASSERT_EQ(result->statements.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(result->statements[i].verdict, i % 2 == 0 ? Verdict::agrees : Verdict::cannot_be_compared);
  }
}

}  // namespace
}  // namespace vqas::experiment
