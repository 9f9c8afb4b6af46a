#include "vqas/campaign/campaign_metrics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sample_run.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CampaignPlan plan_of(std::optional<double> limit_mos = 3.5) {
  CampaignPlan plan;
  plan.name = "winter \"1\"";
  plan.tags = {{"circuit", "line\n1"}};
  plan.limit_mos = limit_mos;
  return plan;
}

RunResults run_of(const std::string& started_utc) {
  RunResults run = test::sample_run();
  run.about.campaign = "winter \"1\"";
  run.about.tags = {{"circuit", "line\n1"}};
  run.about.limit_mos = 3.5;
  run.started_utc = started_utc;
  return run;
}

RunResults silent_from_b(const std::string& started_utc) {
  RunResults run = run_of(started_utc);
  for (StimulusRun& stimulus : run.directions[1].stimuli) {
    stimulus.measurements = {test::unscored(1, Outcome::not_found, "no mark")};
    stimulus.interval = {};
  }
  return run;
}

constexpr const char* kName = "{campaign=\"winter \\\"1\\\"\"";

std::string line(const char* figure, const char* labels, const char* value) {
  return std::string(figure) + kName + labels + "} " + value + "\n";
}

TEST(CampaignMetrics, ShowTheLastRunAndCountAll) {
  CampaignMetrics metrics("unused.prom", ".", plan_of());
  metrics.add(run_of("2026-11-21T08:00:00Z"), current_provenance());
  metrics.add(silent_from_b("2026-11-21T09:00:00Z"), current_provenance());
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_mos_lqo", ",direction=\"a-to-b\"", "3.8")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_without_score", ",direction=\"a-to-b\"", "0")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_without_score", ",direction=\"b-to-a\"", "1")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_outages_total", ",direction=\"b-to-a\"", "1")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_verdict", ",verdict=\"not_measured\"", "1")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_last_run_timestamp_seconds", "", "1795251600")));
  EXPECT_THAT(text, HasSubstr("circuit=\"line 1\""));
  EXPECT_THAT(text, HasSubstr("outcome=\"not_found\"} 3\n"));
}

TEST(CampaignMetrics, BeforeTheFirstRunTheScoreVersionIsThatOfThePlansMode) {
  CampaignPlan plan = plan_of();
  EXPECT_THAT(CampaignMetrics("unused.prom", ".", plan).text(), HasSubstr("score_version=\"vqas-nb-"));
  plan.mode = ScoreMode::wideband;
  EXPECT_THAT(CampaignMetrics("unused.prom", ".", plan).text(), HasSubstr("score_version=\"vqas-wb-"));
}

TEST(CampaignMetrics, AMeanIsToldOnlyWhileTheLastSlotHasAScoreAndItsTimeStays) {
  CampaignMetrics metrics("unused.prom", ".", plan_of());
  metrics.add(run_of("2026-11-21T08:00:00Z"), current_provenance());
  metrics.add(
      SlotRecord{.number = 1, .due_s = 1795248000, .outcome = SlotOutcome::measured, .run = "run-0001", .verdict = {}});
  EXPECT_THAT(metrics.text(), HasSubstr("vqas_campaign_mos_lqo{"));
  metrics.add(
      SlotRecord{.number = 2, .due_s = 1795251600, .outcome = SlotOutcome::line_away, .run = {}, .verdict = {}});
  metrics.expect(1795255200);
  metrics.set_away(true);
  const std::string text = metrics.text();
  for (const char* const gone : {"vqas_campaign_mos_lqo{", "vqas_campaign_mos_half_width{"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
  for (const char* const direction : {",direction=\"a-to-b\"", ",direction=\"b-to-a\""}) {
    EXPECT_THAT(text, HasSubstr(line("vqas_campaign_without_score", direction, "1")));
    EXPECT_THAT(text, HasSubstr(line("vqas_campaign_last_score_timestamp_seconds", direction, "1795248000")));
  }
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_verdict", ",verdict=\"not_measured\"", "1")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_last_slot", ",outcome=\"line_away\"", "1")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_last_slot_timestamp_seconds", "", "1795251600")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_next_slot_timestamp_seconds", "", "1795255200")));
  EXPECT_THAT(text, HasSubstr(line("vqas_campaign_line_away", "", "1")));
}

TEST(CampaignMetrics, ASlotThatWasLeftOutChangesNeitherMeanNorVerdict) {
  CampaignMetrics metrics("unused.prom", ".", plan_of());
  metrics.add(run_of("2026-11-21T08:00:00Z"), current_provenance());
  metrics.add(
      SlotRecord{.number = 1, .due_s = 1795248000, .outcome = SlotOutcome::measured, .run = "run-0001", .verdict = {}});
  using enum SlotOutcome;
  std::size_t number = 1;
  for (const SlotOutcome left_out : {overran, stopped, not_running, clock_step}) {
    metrics.add(SlotRecord{.number = ++number, .due_s = 1795251600, .outcome = left_out, .run = {}, .verdict = {}});
    const std::string text = metrics.text();
    EXPECT_THAT(text, HasSubstr(line("vqas_campaign_mos_lqo", ",direction=\"a-to-b\"", "3.8")));
    EXPECT_THAT(text, HasSubstr(line("vqas_campaign_without_score", ",direction=\"a-to-b\"", "0")));
    EXPECT_THAT(text, HasSubstr(line("vqas_campaign_outages_total", ",direction=\"a-to-b\"", "0")));
    EXPECT_THAT(text, HasSubstr(line("vqas_campaign_verdict", ",verdict=\"undecided\"", "1")));
    EXPECT_THAT(text, HasSubstr(line("vqas_campaign_last_slot",
                                     fmt::format(",outcome=\"{}\"", to_string(left_out)).c_str(), "1")));
  }
}

TEST(CampaignMetrics, ALimitThatWasChangedIsToldWithTheFirstVerdictByIt) {
  CampaignMetrics metrics("unused.prom", ".", plan_of(4.4));
  RunResults run = run_of("2026-11-21T08:00:00Z");
  run.about.limit_mos = 1.5;
  metrics.add(run, current_provenance());
  EXPECT_THAT(metrics.text(), HasSubstr(line("vqas_campaign_limit_mos", "", "1.5")));
  run.about.limit_mos = 4.4;
  metrics.add(run, current_provenance());
  EXPECT_THAT(metrics.text(), HasSubstr(line("vqas_campaign_limit_mos", "", "4.4")));
}

TEST(CampaignMetrics, WithoutALimitThereIsNoVerdict) {
  CampaignMetrics metrics("unused.prom", ".", plan_of({}));
  RunResults run = run_of("2026-11-21T08:00:00Z");
  run.about.limit_mos.reset();
  metrics.add(run, current_provenance());
  EXPECT_THAT(metrics.text(), Not(HasSubstr("vqas_campaign_verdict")));
  EXPECT_THAT(metrics.text(), HasSubstr(line("vqas_campaign_runs_total", ",verdict=\"no_limit\"", "1")));
}

TEST(CampaignMetrics, ARunThatIsTriedAgainInItsSlotCountsOnceAndTheFileIsWrittenBeforeTheSlotIsTold) {
  const test::TemporaryFolder home;
  const std::filesystem::path file = home.path() / "vqas.prom";
  std::string told;
  CampaignEvents events;
  events.slot_over = [&](const SlotRecord&) { told = test::read_text(file); };
  const CampaignEvents with =
      with_metrics(std::move(events), std::make_shared<CampaignMetrics>(file, home.path(), plan_of()));
  with.next_slot(1795248000);
  EXPECT_THAT(test::read_text(file), HasSubstr("vqas_campaign_next_slot_timestamp_seconds"));
  EndOfRun end;
  with.run_begins({}).finished(end);  // it never began
  end.begun = true;
  end.results = run_of("2026-11-21T08:00:00Z");
  for (int tries = 0; tries < 2; ++tries) with.run_begins({}).finished(end);
  with.slot_over(
      {.number = 1, .due_s = 1795248000, .outcome = SlotOutcome::measured, .run = "run-0001", .verdict = {}});
  EXPECT_THAT(told, HasSubstr(line("vqas_campaign_runs_total", ",verdict=\"undecided\"", "1")));
  EXPECT_THAT(told, HasSubstr(line("vqas_campaign_slots_total", ",outcome=\"measured\"", "1")));
}

TEST(CampaignMetrics, AnOnlyRunThatCannotBeginIsToldAtTheEnd) {
  const test::TemporaryFolder home;
  const std::filesystem::path file = home.path() / "vqas.prom";
  const CampaignEvents with = with_metrics({}, std::make_shared<CampaignMetrics>(file, home.path(), plan_of()));
  EndOfCampaign end;
  end.verdict = RunVerdict::line_lost;
  with.finished(end);
  EXPECT_THAT(test::read_text(file), HasSubstr(line("vqas_campaign_without_score", ",direction=\"a-to-b\"", "1")));
}

TEST(CampaignMetrics, AFileThatCannotBeWrittenIsTold) {
  std::string message;
  CampaignEvents events;
  events.failed = [&](const Error& error) { message = error.message; };
  const CampaignEvents with =
      with_metrics(std::move(events), std::make_shared<CampaignMetrics>("/nowhere/vqas.prom", "/", plan_of()));
  with.next_slot({});
  EXPECT_THAT(message, HasSubstr("/nowhere/vqas.prom"));
}

}  // namespace
}  // namespace vqas
