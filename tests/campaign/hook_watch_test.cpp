// What becomes an event for hooks, and when.
#include "vqas/campaign/hook_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sample_run.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kUtc = "2026-11-23T08:00:00Z";

class HookWatchTest : public testing::Test {
 protected:
  HookWatchTest() : watch_({"winter", "/data/winter", {{"site", "north"}}, false}, WatchState{.campaign = "uuid"}) {}

  /// The events of a run that ended so; each as "event" or "verdict_changed CHANGE".
  std::vector<std::string> after(RunVerdict verdict, std::optional<double> limit = 3.2) {
    RunEnd end;
    end.number = ++number_;
    end.runs = 96;
    end.ended_as = verdict;
    end.verdict = was_measured(verdict) ? verdict : RunVerdict::not_measured;
    end.finished_utc = "run " + std::to_string(number_);
    end.limit_mos = limit;
    return told(watch_.run_ended(end, true, kUtc));
  }
  std::vector<std::string> told(const std::vector<HookMessage>& messages) {
    std::vector<std::string> events;
    for (const HookMessage& one : messages) {
      last_ = own_json(one.document);
      events.emplace_back(to_string(one.event));
      if (one.event == HookEvent::verdict_changed) events.back() += " " + last_["verdict"]["change"].get<std::string>();
    }
    return events;
  }

  HookWatch watch_;
  std::size_t number_ = 0;
  Json last_;
};

TEST_F(HookWatchTest, TheVerdictChangesOnlyWhenARunIsDecided) {
  EXPECT_THAT(after(RunVerdict::undecided), ElementsAre("run_ended", "verdict_changed undecided"));
  EXPECT_THAT(after(RunVerdict::undecided), ElementsAre("run_ended"));
  EXPECT_THAT(after(RunVerdict::pass), ElementsAre("run_ended", "verdict_changed pass"));
  EXPECT_THAT(after(RunVerdict::undecided), ElementsAre("run_ended")) << "the interval includes the limit";
  EXPECT_THAT(after(RunVerdict::pass), ElementsAre("run_ended"));
  EXPECT_THAT(after(RunVerdict::fail), ElementsAre("run_ended", "verdict_changed fail"));
  EXPECT_THAT(after(RunVerdict::undecided), ElementsAre("run_ended"));
  EXPECT_THAT(after(RunVerdict::fail), ElementsAre("run_ended"));
  EXPECT_THAT(after(RunVerdict::pass), ElementsAre("run_ended", "verdict_changed recovered"));
  EXPECT_EQ(last_["verdict"]["before"], "fail");
  EXPECT_EQ(last_["verdict"]["now"], "pass");
}

TEST_F(HookWatchTest, WithoutALimitThereIsNoVerdict) {
  EXPECT_THAT(after(RunVerdict::no_limit, {}), ElementsAre("run_ended"));
  EXPECT_FALSE(watch_.state().verdict);
}

TEST_F(HookWatchTest, ARunOnADeadLineLeavesTheVerdictAndTellsOnce) {
  after(RunVerdict::fail);
  EXPECT_THAT(after(RunVerdict::line_lost), ElementsAre("run_ended", "line_dead"));
  EXPECT_THAT(after(RunVerdict::not_measured), ElementsAre("run_ended"));
  EXPECT_THAT(told(watch_.line_there(kUtc)), IsEmpty())
      << "a run has shown that it is dead; a run must show the contrary";
  EXPECT_THAT(after(RunVerdict::fail), ElementsAre("run_ended", "line_back"));
  EXPECT_EQ(last_["line"]["dead_since_utc"], kUtc);
}

TEST_F(HookWatchTest, ALineThatIsAwayWithinARunIsBackAtOnce) {
  EXPECT_THAT(told(watch_.line_away("the call is gone", kUtc, kUtc)), ElementsAre("line_dead"));
  EXPECT_EQ(last_["line"]["why"], "the call is gone");
  EXPECT_THAT(told(watch_.line_away("the call is gone", kUtc, kUtc)), IsEmpty());
  EXPECT_THAT(told(watch_.line_there(kUtc)), ElementsAre("line_back"));
  EXPECT_THAT(told(watch_.line_there(kUtc)), IsEmpty());
}

TEST_F(HookWatchTest, AFullDiskIsToldOnceUntilItWasCured) {
  const DiskForecast soon{.free_bytes = 100, .run_bytes = 10, .fits = true, .full_in_s = 3600};
  const DiskForecast edge{.free_bytes = 100, .run_bytes = 10, .fits = true, .full_in_s = 1.1 * kFullSoon_s};
  const DiskForecast well{.free_bytes = 100, .run_bytes = 10, .fits = true, .full_in_s = {}};
  EXPECT_THAT(told(watch_.disk(edge, kUtc)), IsEmpty());
  EXPECT_THAT(told(watch_.disk(soon, kUtc)), ElementsAre("disk_full_soon"));
  EXPECT_THAT(told(watch_.disk(soon, kUtc)), IsEmpty());
  EXPECT_THAT(told(watch_.disk(edge, kUtc)), IsEmpty());
  EXPECT_THAT(told(watch_.disk(soon, kUtc)), IsEmpty()) << "at the edge it was not cured";
  EXPECT_THAT(told(watch_.disk(well, kUtc)), IsEmpty());
  EXPECT_THAT(told(watch_.disk({.free_bytes = 1, .run_bytes = 10, .fits = false, .full_in_s = {}}, kUtc)),
              ElementsAre("disk_full_soon"));
}

TEST_F(HookWatchTest, TheEndOfARunIsToldAgainAfterAKillOnlyIfItWasNotTold) {
  after(RunVerdict::pass);
  RunEnd end;
  end.number = 1;
  end.finished_utc = "run 1";
  EXPECT_THAT(told(watch_.run_ended(end, false, kUtc)), IsEmpty());
  end.finished_utc = "resumed, ended later";
  EXPECT_THAT(told(watch_.run_ended(end, false, kUtc)), ElementsAre("run_ended"));
  end.number = 2;
  EXPECT_THAT(told(watch_.run_ended(end, false, kUtc)), ElementsAre("run_ended"));
  EXPECT_THAT(told(watch_.run_ended(end, false, kUtc)), IsEmpty());
  EXPECT_THAT(told(watch_.run_ended(end, true, kUtc)), ElementsAre("run_ended")) << "it was measured by this process";
}

TEST_F(HookWatchTest, DocumentsHaveTheirOwnIds) {
  after(RunVerdict::pass);
  EXPECT_EQ(last_["id"], "uuid-2");
  EXPECT_EQ(last_["number"], 2);
  after(RunVerdict::pass);
  EXPECT_EQ(last_["id"], "uuid-3");
  EXPECT_EQ(last_["schema"], kHookSchema);
  EXPECT_EQ(last_["campaign"]["tags"]["site"], "north");
}

TEST(RunEndOf, ADirectionWithoutAScoreHasNoMean) {
  RunResults run = test::sample_run();
  run.about.limit_mos = 3.2;
  run.directions[1].stimuli.erase(run.directions[1].stimuli.begin());
  const RunEnd end = run_end_of(run, {.software_version = {},
                                      .score_version = {},
                                      .model_error_mos = 0.3,
                                      .model_error_label = {},
                                      .model_error_source = {}});
  ASSERT_EQ(end.directions.size(), 2U);
  EXPECT_NEAR(*end.directions[0].mean, 3.8, 1e-9);
  EXPECT_GT(end.directions[0].with_model_error, end.directions[0].half_width);
  EXPECT_FALSE(end.directions[1].mean);
  EXPECT_EQ(end.directions[1].scored, 0U);
  EXPECT_EQ(end.directions[1].measured, 5U);
}

TEST_F(HookWatchTest, TheEndOfAWidebandRunNamesItsScale) {
  RunResults run = test::sample_run();
  const auto run_told = [&] {
    const RunEnd end = run_end_of(run, current_provenance(run.mode));
    return own_json(watch_.run_ended(end, true, kUtc).front().document)["run"];
  };
  EXPECT_FALSE(run_told().contains("score_mode")) << "it is left out in narrowband";
  run.mode = ScoreMode::wideband;
  EXPECT_EQ(run_told()["score_mode"], "wb");
}

TEST(HookExamples, EachEventHasOne) {
  CampaignPlan plan;
  std::vector<HookEvent> events;
  for (const HookMessage& one : example_messages(plan, kUtc)) {
    events.push_back(one.event);
    EXPECT_EQ(own_json(one.document)["example"], true);
  }
  EXPECT_THAT(events, ElementsAre(HookEvent::run_ended, HookEvent::verdict_changed, HookEvent::line_dead,
                                  HookEvent::line_back, HookEvent::disk_full_soon));
}

}  // namespace
}  // namespace vqas
