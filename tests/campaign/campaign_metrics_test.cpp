#include "vqas/campaign/campaign_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sample_run.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RunResults run_of(const std::string& started_utc) {
  RunResults run = test::sample_run();
  run.about.campaign = "winter \"1\"";
  run.about.tags = {{"circuit", "line\n1"}};
  run.about.limit_mos = 3.5;
  run.started_utc = started_utc;
  return run;
}

TEST(CampaignMetrics, ShowTheLastRunAndCountAll) {
  CampaignMetrics metrics("unused.prom", ".");
  metrics.add(run_of("2026-11-21T08:00:00Z"), current_provenance(), RunVerdict::pass);
  RunResults second = run_of("2026-11-21T09:00:00Z");
  for (StimulusRun& stimulus : second.directions[1].stimuli) {
    stimulus.measurements = {test::unscored(1, Outcome::not_found, "no mark")};
    stimulus.interval = {};
  }
  metrics.add(second, current_provenance(), RunVerdict::not_measured);
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("vqas_campaign_mos_lqo{campaign=\"winter \\\"1\\\"\",direction=\"a-to-b\"} 3.8\n"));
  EXPECT_THAT(text, HasSubstr("direction=\"b-to-a\"} 3.9\n"));  // of the first run
  EXPECT_THAT(text, HasSubstr("vqas_campaign_without_score{campaign=\"winter \\\"1\\\"\",direction=\"a-to-b\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("vqas_campaign_without_score{campaign=\"winter \\\"1\\\"\",direction=\"b-to-a\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("vqas_campaign_outages_total{campaign=\"winter \\\"1\\\"\",direction=\"b-to-a\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("verdict=\"not_measured\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("vqas_campaign_last_run_timestamp_seconds{campaign=\"winter \\\"1\\\"\"} 1795251600\n"));
  EXPECT_THAT(text, HasSubstr("circuit=\"line 1\""));
  EXPECT_THAT(text, HasSubstr("outcome=\"not_found\"} 3\n"));
}

TEST(CampaignMetrics, AreWrittenAfterEachRunAndBeforeItsEndIsTold) {
  const test::TemporaryFolder home;
  const std::filesystem::path file = home.path() / "vqas.prom";
  bool there = false;
  CampaignEvents events;
  events.run_begins = [&](const CampaignRun&) {
    RunEvents told;
    told.finished = [&](const EndOfRun&) { there = std::filesystem::exists(file); };
    return told;
  };
  const CampaignEvents with = with_metrics(std::move(events), std::make_shared<CampaignMetrics>(file, home.path()));
  EndOfRun end;
  const RunEvents told = with.run_begins({});
  told.finished(end);
  EXPECT_FALSE(there);  // it never began
  end.begun = true;
  end.results = run_of("2026-11-21T08:00:00Z");
  told.finished(end);
  EXPECT_TRUE(there);
  EXPECT_THAT(test::read_text(file),
              HasSubstr("vqas_campaign_runs_total{campaign=\"winter \\\"1\\\"\",verdict=\"pass\"} 1"));
}

TEST(CampaignMetrics, AFileThatCannotBeWrittenIsTold) {
  std::string message;
  CampaignEvents events;
  events.failed = [&](const Error& error) { message = error.message; };
  const CampaignEvents with =
      with_metrics(std::move(events), std::make_shared<CampaignMetrics>("/nowhere/vqas.prom", "/"));
  StoredRun stored;
  stored.results = run_of("2026-11-21T08:00:00Z");
  with.had_ended({}, stored);
  EXPECT_THAT(message, HasSubstr("/nowhere/vqas.prom"));
}

}  // namespace
}  // namespace vqas
