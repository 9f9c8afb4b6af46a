#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiment/trials.h"
#include "support/temporary_folder.h"
#include "vqas/channel/profile_library.h"
#include "vqas/corpus/corpus.h"

namespace vqas {
namespace {

using testing::HasSubstr;

const std::filesystem::path kCorpus = VQAS_SOURCE_DIR "/corpus";

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

TEST(Trials, score_a_good_line_high_a_bad_one_low_and_a_released_call_not_at_all) {
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

TEST(Trials, do_not_depend_on_the_threads) {
  const std::vector<experiment::Trial> trials(4, trial("local-isdn", 1e-4));
  const auto one = experiment::run_trials(trials, m6(), options(1));
  const auto three = experiment::run_trials(trials, m6(), options(3));
  ASSERT_TRUE(one && three);
  for (std::size_t i = 0; i < trials.size(); ++i) EXPECT_EQ((*one)[i].mos_lqo, (*three)[i].mos_lqo);
  EXPECT_NE((*one)[0].mos_lqo, (*one)[1].mos_lqo) << "each trial has errors of its own";
}

TEST(Trials, end_when_they_are_cancelled) {
  ExperimentOptions cancelled = options();
  cancelled.cancelled = [] { return true; };
  const auto points = experiment::run_trials({trial("local-isdn", 0)}, m6(), cancelled);
  ASSERT_FALSE(points);
  EXPECT_EQ(points.error().code, ErrorCode::cancelled);
}

TEST(Experiment, an_unknown_name_gets_the_list) {
  const auto result = run_experiment("storm", options());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("thunderstorm"));
}

TEST(Experiment, writes_every_point_as_csv_and_json_and_a_page_with_plot_and_verdicts) {
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
  EXPECT_THAT(page, HasSubstr("<b>differs</b>"));
}

}  // namespace
}  // namespace vqas
