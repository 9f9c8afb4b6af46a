#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiment/join.h"
#include "experiment/trials.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "vqas/channel/profile_library.h"
#include "vqas/corpus/corpus.h"

namespace vqas {
namespace {

using testing::HasSubstr;

const std::filesystem::path kCorpus = std::filesystem::path(test::source_dir()) / "corpus";

ExperimentOptions options(unsigned threads = 2) {
  ExperimentOptions some;
  some.corpus = kCorpus;
  some.seed = 5;
  some.threads = threads;
  return some;
}

experiment::Recordings m6() {
  return {{"M6", Corpus::load(kCorpus).value().recording("M6").value()}};
}

experiment::Trial trial(const char* profile, double ber) {
  experiment::Trial one;
  one.series = profile;
  one.stimulus = "M6";
  one.profile = find_profile(profile).value();
  one.profile.errors = {RandomRate{ber}};
  one.lead_s = 3;
  return one;
}

TEST(Trials, GoodLineScoresHighBadLineLowReleasedCallNot) {
  const auto points = experiment::run_trials(
      {trial("local-isdn", 0), trial("local-isdn", 1e-3), trial("local-isdn", 0.1), trial("long-distance", 0)}, m6(),
      options());
  ASSERT_TRUE(points);
  ASSERT_TRUE((*points)[0].mos_lqo && (*points)[1].mos_lqo);
  EXPECT_GT(*(*points)[0].mos_lqo, 4);
  EXPECT_LT(*(*points)[1].mos_lqo, *(*points)[0].mos_lqo - 0.5);
  EXPECT_NEAR((*points)[1].measured_ber, 1e-3, 3e-4);
  EXPECT_EQ((*points)[2].outcome, Outcome::line_lost);
  EXPECT_TRUE((*points)[2].released);
  EXPECT_FALSE((*points)[2].mos_lqo);
  ASSERT_TRUE((*points)[0].band_loss_db && (*points)[3].band_loss_db);
  EXPECT_GT(*(*points)[3].band_loss_db, *(*points)[0].band_loss_db + 6);
}

TEST(Trials, PointsDoNotDependOnTheNumberOfThreads) {
  const std::vector<experiment::Trial> trials(4, trial("local-isdn", 1e-4));
  const auto one = experiment::run_trials(trials, m6(), options(1));
  const auto three = experiment::run_trials(trials, m6(), options(3));
  ASSERT_TRUE(one && three);
  for (std::size_t i = 0; i < trials.size(); ++i) EXPECT_EQ((*one)[i].mos_lqo, (*three)[i].mos_lqo);
  EXPECT_NE((*one)[0].mos_lqo, (*one)[1].mos_lqo) << "each trial has its own errors";
}

TEST(Trials, CancellingEndsTheTrials) {
  ExperimentOptions cancelled = options();
  cancelled.cancelled = [] { return true; };
  const auto points = experiment::run_trials({trial("local-isdn", 0)}, m6(), cancelled);
  ASSERT_FALSE(points);
  EXPECT_EQ(points.error().code, ErrorCode::cancelled);
}

TEST(Experiment, AnUnknownNameIsAnsweredWithTheList) {
  const auto result = run_experiment("storm", options());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("thunderstorm"));
}

TEST(Experiment, MeasuredLinesJoinOnlyWhereTheyCan) {
  ExperimentOptions with_line = options();
  with_line.measured = {{"ours", {}}};
  const auto storm = run_experiment("thunderstorm", with_line);
  ASSERT_FALSE(storm);
  EXPECT_EQ(storm.error().code, ErrorCode::bad_input);
  EXPECT_THAT(storm.error().message, HasSubstr("characterize"));
  EXPECT_TRUE(why_no_measured_line("characterize").empty());
}

TEST(Experiment, AMeasuredLineIsAddedToTheSimulatedOnes) {
  RunResults run;
  StimulusRun stimulus{.stimulus = "M6", .measurements = {}, .interval = {}};
  stimulus.measurements.resize(2);
  stimulus.measurements[0].outcome = Outcome::scored;
  stimulus.measurements[0].mos_lqo = 3.5;
  stimulus.measurements[1].reason = "silence";
  run.directions.push_back({End::b, {stimulus}});
  ExperimentResult result;
  result.labels = {"back-to-back"};
  experiment::join({"ours", run}, result);
  EXPECT_EQ(result.labels, (std::vector<std::string>{"back-to-back", "ours"}));
  ASSERT_EQ(result.points.size(), 2U);
  EXPECT_EQ(result.points[0].series, "b to a");
  EXPECT_EQ(result.points[0].label, "ours");
  EXPECT_EQ(result.points[0].x, 2);
  EXPECT_EQ(result.points[0].mos_lqo, 3.5);
  EXPECT_EQ(result.points[1].outcome, Outcome::not_found);
  EXPECT_EQ(result.points[1].reason, "silence");
}

TEST(Experiment, ThePlotOfASweepShowsItsCubicTrend) {
  ExperimentResult result;
  result.name = "ber-sweep";
  result.vertical = "MOS-LQON";
  for (int exponent = 9; exponent >= 1; --exponent) {
    result.labels.push_back(std::to_string(exponent));
    ExperimentPoint point;
    point.series = "M6";
    point.label = result.labels.back();
    point.x = exponent;
    if (exponent > 2) point.mos_lqo = 2.5;
    result.points.push_back(point);
  }
  EXPECT_EQ(experiment_html(result, "").find("class=\"trend\""), std::string::npos);
  result.trends = {{"M6", {2.5, 0, 0, 0}}};
  const std::string page = experiment_html(result, "");
  const std::size_t begin = page.find("class=\"trend\" d=\"M");
  ASSERT_NE(begin, std::string::npos);
  const std::string path = page.substr(begin, page.find("fill", begin) - begin);
  // The trend is level, and ends with the points: the last label with a score is the seventh of nine.
  EXPECT_THAT(path, HasSubstr(" 279.0"));
  EXPECT_EQ(std::count(path.begin(), path.end(), 'L'), 100);
  EXPECT_THAT(path, HasSubstr("L623.9 279.0"));
}

TEST(Experiment, EveryPointIsWrittenAsCsvAndJsonWithAPageOfVerdicts) {
  ExperimentResult result;
  result.name = "wander";
  result.title = "A <title>";
  result.labels = {"1"};
  ExperimentPoint point;
  point.series = "s";
  point.label = "1";
  point.stimulus = "M6";
  point.outcome = Outcome::scored;
  point.mos_lqo = 3.25;
  result.points = {point};
  result.statements = {{"It rains", Verdict::differs, "it shines"}};
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_experiment(folder.path() / "new", result, "vqas experiment wander"));
  EXPECT_THAT(test::read_text(folder.path() / "new/wander.csv"), HasSubstr("M6,scored,3.2500"));
  const auto json = nlohmann::json::parse(test::read_text(folder.path() / "new/wander.json"));
  EXPECT_EQ(json["points"][0]["mos_lqo"], 3.25);
  EXPECT_EQ(json["statements"][0]["verdict"], "differs");
  const std::string page = test::read_text(folder.path() / "new/wander.html");
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("A &lt;title&gt;"));
  EXPECT_THAT(page, HasSubstr(", n = 1<")) << "a single point";
  EXPECT_EQ(page.find("&lt;0.01"), std::string::npos) << "without a precision";
  EXPECT_THAT(page, HasSubstr("<b>differs</b>"));
}

}  // namespace
}  // namespace vqas
