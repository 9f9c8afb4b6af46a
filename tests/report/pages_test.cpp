#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "report/page_text.h"
#include "report/svg_plot.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/report/findings.h"
#include "vqas/report/heard.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/store/journal.h"

namespace vqas {
namespace {

using test::body_of;
using test::run_of_a_customer;
using test::times;
using test::xml_fault;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string svg_of(const std::string& page) {
  const std::size_t begin = page.find("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox");
  return page.substr(begin, page.find("</svg>", begin) + 6 - begin);
}

TEST(ReportHtml, IsOneSelfContainedPage) {
  const std::string page = report_html(test::sample_run());
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_EQ(times(page, "http"), times(page, "http://www.w3.org/2000/svg"));
  EXPECT_EQ(xml_fault(body_of(page)), "");
}

TEST(ReportHtml, HasResultsPrecisionConditionsAndVersions) {
  RunResults run = test::sample_run();
  Provenance provenance{"1.2.3", "score-4", 0.3, "P.862.1", "a table"};
  const std::string page = report_html(run, provenance);
  EXPECT_THAT(page, HasSubstr("1.2.3"));
  EXPECT_THAT(page, HasSubstr("score-4"));
  EXPECT_THAT(page, HasSubstr("<td>seed</td><td class=\"text\">7</td>"));
  EXPECT_THAT(page, HasSubstr("model error about ±0.3 (1 σ, against P.862.1)"));
  EXPECT_THAT(page, HasSubstr("repeatability ±"));
  EXPECT_THAT(page, HasSubstr("vqas quickstart again --seed 7"));
  EXPECT_THAT(page, HasSubstr("G.711 mu-law"));
  EXPECT_THAT(page, HasSubstr("1e-05"));
  EXPECT_THAT(page, HasSubstr("the pieces do not fit together"));
  EXPECT_THAT(page, HasSubstr("conditional: "));
  EXPECT_THAT(page, HasSubstr("not a listening test"));
  for (const Outcome outcome : kAllOutcomes)
    EXPECT_THAT(page, HasSubstr("<td>" + std::string(to_string(outcome)) + "</td>"));
}

TEST(ReportHtml, AGivenCommandIsShown) {
  EXPECT_THAT(report_html(test::sample_run(), current_provenance(), "vqas measure --x 1"),
              HasSubstr("vqas measure --x 1"));
}

TEST(ReportHtml, AnIncompleteRunIsMarked) {
  RunResults run = test::sample_run();
  EXPECT_THAT(report_html(run), Not(HasSubstr("not complete")));
  run.ended_because = "the line was lost";
  EXPECT_THAT(report_html(run), HasSubstr("not complete: the line was lost"));
}

TEST(ReportHtml, ARunThatWasBrokenOffHasNoTimes) {
  RunResults run = test::sample_run();
  run.finished_utc.clear();
  run.wall_seconds = run.line_seconds = 0;
  run.ended_because = "the run was broken off; these are the measurements that its journal kept";
  run.directions[0].stimuli[0].stopped_because = StopReason::cancelled;
  const std::string page = report_html(run);
  EXPECT_THAT(page, HasSubstr(">broken off</td>"));
  EXPECT_THAT(page, HasSubstr("not known, the run was broken off"));
  const std::string json = results_json(run);
  EXPECT_THAT(json, HasSubstr("\"wall_seconds\": null"));
  EXPECT_THAT(json, HasSubstr("\"line_seconds\": null"));
  const auto back = parse_results(json);
  ASSERT_TRUE(back);
  EXPECT_EQ(results_json(back->results), json);
}

TEST(ReportHtml, TextNeverBecomesMarkup) {
  const std::string evil = "<img src=x onerror=\"a('&')\">";
  RunResults run = test::sample_run();
  run.line = evil;
  run.ended_because = evil;
  run.corpus_digest = evil;
  run.started_utc = evil;
  run.finished_utc = evil;
  for (DirectionRun& direction : run.directions) {
    for (StimulusRun& stimulus : direction.stimuli) {
      stimulus.stimulus += evil;
      for (Measurement& one : stimulus.measurements) one.reason = evil;
    }
  }
  const std::string page = report_html(run, {evil, evil, 0.3, evil, evil}, evil);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_EQ(xml_fault(body_of(page)), "");
}

TEST(ReportHtml, AnEmptyRunGivesAValidPage) {
  EXPECT_EQ(xml_fault(body_of(report_html(RunResults{}))), "");
}

TEST(ReportHtml, TheStoppingFactorIsExplainedOnlyWhenUsed) {
  RunResults run = test::sample_run();
  for (DirectionRun& direction : run.directions)
    for (StimulusRun& stimulus : direction.stimuli) stimulus.interval.stopping_factor = 1;
  EXPECT_THAT(report_html(run), Not(HasSubstr("plain t interval")));
  run.directions[1].stimuli[0].interval.stopping_factor = 1.2;
  EXPECT_THAT(report_html(run), HasSubstr("plain t interval"));
}

TEST(ReportHtml, StopReasonsAreInWords) {
  RunResults run = test::sample_run();
  run.directions[0].stimuli[0].stopped_because = StopReason::goal;
  run.directions[0].stimuli[1].stopped_because = StopReason::fallback;
  run.directions[1].stimuli[0].stopped_because = StopReason::cap_count;
  const std::string page = report_html(run);
  EXPECT_THAT(page, HasSubstr(">goal reached</td>"));
  EXPECT_THAT(page, HasSubstr(">±0.15 MOS at 95 % reached, but not the goal</td>"));
  EXPECT_THAT(page, HasSubstr(">limit of 30 measurements reached before the goal</td>"));
  EXPECT_THAT(page, Not(HasSubstr("cap_count")));
}

TEST(ReportHtml, ASimulatedLineIsNamedWithoutItsAddress) {
  const std::string page = report_html(test::sample_run());
  EXPECT_THAT(page, HasSubstr("Voice quality of a simulated line</h1>"));
}

TEST(ReportHtml, ExplainsTheLevelDifference) {
  EXPECT_THAT(report_html(test::sample_run()), HasSubstr("it is not the gain alone"));
}

TEST(ReportPage, HasANarrowLayoutForTelephones) {
  const std::string page = report_html(test::sample_run());
  EXPECT_THAT(page, HasSubstr("name=\"viewport\" content=\"width=device-width"));
  EXPECT_EQ(times(page, "<div class=\"plot wide\">"), 2U);
  EXPECT_EQ(times(page, "<div class=\"plot narrow\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 "), 2U);
}

TEST(ReportPage, ShowsThePlanOfTheCampaignWithoutItsStoreAndHooks) {
  const test::TemporaryFolder folder;
  const auto run_folder = folder.path() / "run-0001";
  std::filesystem::create_directories(run_folder);
  test::write_text(
      folder.path() / kKeptPlanFile,
      R"({"file": "/home/anna/winter.toml", "text": "[line]\nkind = \"sim:\"\n[store]\nurl = \"postgresql://u:secret@h/d\"\n[precision]\nseed = 3\n[hooks]\nrun_ended = [\"./tell\",\n  \"secret\"]\n", "profile_text": ""})");
  const RunResults run = run_of_a_customer();
  ASSERT_TRUE(write_report(run_folder, run));
  const std::string page = test::read_text(run_folder / "report.html");
  EXPECT_THAT(page, HasSubstr("<pre>vqas measure winter.toml --out again</pre>"));
  EXPECT_THAT(page, HasSubstr("kind = &quot;sim:&quot;"));
  EXPECT_THAT(page, HasSubstr("seed = 3"));
  EXPECT_THAT(page, Not(HasSubstr("secret")));
  EXPECT_THAT(page, Not(HasSubstr("/home/anna")));
  ASSERT_TRUE(write_report(run_folder, test::sample_run()));
  EXPECT_THAT(test::read_text(run_folder / "report.html"), HasSubstr("vqas quickstart again"));
}

TEST(ReportPage, LeavesOutAPlanWhoseSecretsStandOutsideATable) {
  const test::TemporaryFolder folder;
  for (const char* const plan : {R"(hooks.run_ended = [
 "./tell",
 "secret"]
[line]
kind = "sim:"
)",
                                 R"(store = {url = "postgresql://u:secret@h/d"}
[line]
kind = "sim:"
)",
                                 R"(  "store".url = "postgresql://u:secret@h/d"
[line]
kind = "sim:"
)"}) {
    test::write_text(folder.path() / kKeptPlanFile,
                     R"({"file": "winter.toml", "text": ")" + std::string(plan) + R"(", "profile_text": ""})");
    ASSERT_TRUE(write_report(folder.path(), run_of_a_customer()));
    EXPECT_THAT(test::read_text(folder.path() / "report.html"), Not(HasSubstr("secret"))) << plan;
  }
}

TEST(Plot, AnIntervalBeyondTheScaleEndsInAnArrowhead) {
  report::Plot plot{.labels = {"A"}, .series = {}, .lowest = 1, .highest = 4.55, .axis = "MOS"};
  const auto arrows = [&](double mean, double half_width) {
    plot.series = {{.name = "s",
                    .points = {{.scores = {}, .mean = mean, .half_width = half_width, .bound = {}}},
                    .mean = {},
                    .half_width = INFINITY}};
    return times(report::svg_plot(plot), "class=\"beyond\"");
  };
  EXPECT_EQ(arrows(3, 0.5), 0U);
  EXPECT_EQ(arrows(4.5, 0.1), 1U);
  EXPECT_EQ(arrows(1.1, 0.2), 1U);
  EXPECT_EQ(arrows(2.6, 5.7), 2U);
}

TEST(Plot, EachMeanHasAMarkAndABarAMissingMeanACross) {
  const std::string svg = svg_of(report_html(test::sample_run()));
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_EQ(times(svg, "r=\"5\""), 2U + 1U) << "circles: two means and the legend";
  EXPECT_EQ(times(svg, "width=\"9\""), 1U + 1U) << "squares: one mean and the legend";
  EXPECT_EQ(times(svg, ": no score</title>"), 1U);
  EXPECT_EQ(times(svg, "r=\"1.7\""), 15U) << "single scores";
  EXPECT_EQ(times(svg, ", conditional</title>"), 1U);
}

TEST(Plot, ScoresAreDrawnToScale) {
  report::Plot plot{.labels = {"A"}, .series = {}, .lowest = 1, .highest = 5, .axis = "MOS"};
  const auto height = [&](double mos) {
    plot.series = {{.name = "s",
                    .points = {{.scores = {}, .mean = mos, .half_width = INFINITY, .bound = {}}},
                    .mean = {},
                    .half_width = INFINITY}};
    const std::string svg = report::svg_plot(plot);
    const std::size_t at = svg.find("cy=\"");
    return std::stod(svg.substr(at + 4));
  };
  EXPECT_GT(height(2), height(3));
  EXPECT_NEAR(height(2) - height(3), height(3) - height(4), 0.11);
  EXPECT_NEAR(height(0), height(1), 1e-9) << "outside the scale stays at its edge";
}

TEST(Plot, MeansAtTheRightDoNotOverlap) {
  report::Plot plot{.labels = {"A"}, .series = {}, .lowest = 1, .highest = 5, .axis = "MOS"};
  for (int i = 0; i < 6; ++i)
    plot.series.push_back({.name = "s" + std::to_string(i), .points = {}, .mean = 1.0, .half_width = 0.1});
  const std::string svg = report::svg_plot(plot);
  std::vector<double> places;
  for (std::size_t at = svg.find("font-weight"); at != std::string::npos; at = svg.find("font-weight", at + 1))
    places.push_back(std::stod(svg.substr(svg.rfind("y=\"", at) + 3)));
  ASSERT_EQ(places.size(), 6U);
  std::ranges::sort(places);
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i] - places[i - 1], 30);
  EXPECT_LE(places.back(), 470);
}

TEST(ReportPage, ListsImpairmentsWithAdvice) {
  RunResults run = test::sample_run();
  const std::string page = report_html(run);
  EXPECT_THAT(page, HasSubstr("noise in 10 of 10"));
  EXPECT_THAT(page, HasSubstr(std::string(advice(Impairment::noise, 0))));
  EXPECT_THAT(page, HasSubstr("3450 (3450 to 3450)"));
  for (DirectionRun& direction : run.directions) {
    for (StimulusRun& stimulus : direction.stimuli) {
      for (Measurement& one : stimulus.measurements) {
        if (one.findings) one.findings->impairments.clear();
      }
    }
  }
  const std::string clean = report_html(run);
  EXPECT_THAT(clean, HasSubstr("none in 10"));
  EXPECT_THAT(clean, Not(HasSubstr("What the recordings suggest")));
}

TEST(ReportPage, WhatCostsNothingIsNotTheMainImpairmentAndWhatWasNotRecognisedIsSaid) {
  RunResults run = test::sample_run();
  run.simulated.clear();
  for (DirectionRun& direction : run.directions) {
    for (StimulusRun& stimulus : direction.stimuli) {
      for (Measurement& one : stimulus.measurements) {
        if (!one.findings) continue;
        one.findings->impairments = {{Impairment::delay_variation, 1, 0.0}};
        one.findings->unrecognised_cost_mos = 1.2;
      }
    }
  }
  const std::string page = report_html(run);
  EXPECT_THAT(page, HasSubstr("not recognised in 10 of 10"));
  EXPECT_THAT(page, Not(HasSubstr("What the recordings suggest")));
  EXPECT_THAT(advice_on(measurements_of(run.directions.front())),
              HasSubstr("no impairment that is named explains about 1.2 MOS"));
}

TEST(CampaignPage, RunsOfTwoScalesAreRefusedEvenWhereUnlikeOnesAreAskedFor) {
  std::vector<StoredRun> runs(2, StoredRun{test::sample_run(), current_provenance()});
  const std::vector<std::string> names{"cable", "hd"};
  EXPECT_TRUE(check_one_scale(runs, names));
  runs[1].results.mode = ScoreMode::wideband;
  runs[1].provenance = current_provenance(ScoreMode::wideband);
  const Status mixed = check_one_scale(runs, names);
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().message,
            "cable has scores on the scale MOS-LQON, and hd on MOS-LQOW: two scales, which are never compared; give "
            "runs of one mode");
  EXPECT_FALSE(check_comparable(runs, names));
  const Status page = write_campaign_page(testing::TempDir() + "/mixed.html", runs, names, true);
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().message, mixed.error().message);
}

TEST(ReportPage, OfAWidebandRunNamesItsScaleAndHasNoConversationEstimate) {
  RunResults run = test::sample_run();
  run.mode = ScoreMode::wideband;
  const std::string page = report_html(run, current_provenance(ScoreMode::wideband));
  EXPECT_THAT(page, HasSubstr("MOS-LQOW"));
  EXPECT_THAT(page, HasSubstr("P.862.2"));
  EXPECT_THAT(page, Not(HasSubstr("<h2>Conversation")));
  for (const DirectionRun& direction : run.directions) EXPECT_FALSE(conversation_of(run, direction));
}

TEST(CampaignPage, OnlyComparableRunsAreCompared) {
  std::vector<StoredRun> runs(2, StoredRun{test::sample_run(), current_provenance()});
  const std::vector<std::string> names{"cable", "satellite"};
  EXPECT_TRUE(check_comparable(runs, names));
  EXPECT_THAT(campaign_html(runs, names), HasSubstr("<h2>Comparison</h2>"));
  const auto refused = [&](const std::string& why) {
    const Status alike = check_comparable(runs, names);
    ASSERT_FALSE(alike);
    EXPECT_EQ(alike.error().code, ErrorCode::bad_input);
    EXPECT_EQ(alike.error().message, "cable and satellite are not comparable: " + why);
    const std::string page = campaign_html(runs, names);
    EXPECT_THAT(page, HasSubstr("<h2>Not compared</h2>"));
    EXPECT_THAT(page, HasSubstr(why));
    EXPECT_THAT(page, Not(HasSubstr("Holm")));
    const std::string anyway = campaign_html(runs, names, true);
    EXPECT_THAT(anyway, HasSubstr("<h2>Comparison</h2>"));
    EXPECT_THAT(anyway, HasSubstr(why));
  };
  runs[1].results.corpus_digest = "other";
  refused("the stimuli have the digests " + runs[0].results.corpus_digest + " and other");
  runs[1].results.corpus_digest = runs[0].results.corpus_digest;
  runs[1].provenance.score_version = "vqas-nb-0";
  refused("the score versions are " + runs[0].provenance.score_version + " and vqas-nb-0");
}

TEST(CampaignPage, ACampaignLinksItsRunsAtTheTimesOfTheirSlotsAndRanksNone) {
  StoredRun run;
  run.results = test::sample_run();
  run.results.simulated["a-to-b"] = {};
  const std::vector<StoredRun> runs(2, run);
  const std::vector<std::string> names{"run-0001", "run-0003"};
  std::vector<SlotRecord> records;
  for (const std::size_t number : {1U, 2U, 3U})
    records.push_back({.number = number,
                       .due_s = 1795431600 + 3600.0 * static_cast<double>(number),
                       .outcome = number == 2 ? SlotOutcome::line_away : SlotOutcome::measured,
                       .run = number == 2 ? "" : fmt::format("run-{:04}", number),
                       .verdict = {}});
  const std::string page = campaign_html(runs, names, false, records);
  EXPECT_THAT(page, HasSubstr("<a href=\"run-0003/report.html\">run-0003</a>"));
  EXPECT_THAT(page, HasSubstr("2 measured, 1 line away"));
  EXPECT_THAT(page, HasSubstr("2026-11-23 14:00:00"));
  EXPECT_THAT(page, HasSubstr("no limit"));
  for (const char* const ugly : {"line_away", "T08:00:00Z", "<h2>Comparison</h2>"})
    EXPECT_THAT(page, Not(HasSubstr(ugly)));
}

TEST(CampaignPage, AConditionalComparisonIsMarked) {
  StoredRun run{test::sample_run(), current_provenance()};
  const std::vector<std::string> names{"dead at times", "well"};
  // From a to b every measurement is scored, from b to a few are.
  run.results.directions.pop_back();
  std::vector<StoredRun> runs(2, run);
  EXPECT_THAT(campaign_html(runs, names), HasSubstr("not shown"));
  StimulusRun& some = runs[0].results.directions[0].stimuli[0];
  for (std::uint32_t n = 0; n < 8; ++n)
    some.measurements.push_back(test::unscored(100 + n, Outcome::not_found, "none"));
  const Comparison one = compare(channels_of(runs, names), 0.99)->front();
  EXPECT_TRUE(one.conditional);
  EXPECT_EQ(difference_in_words(one), "conditional");
  EXPECT_THAT(conditional_in_words(one),
              HasSubstr("% and 0 % without a score; with those at the bottom of the scale "));
  const std::string page = campaign_html(runs, names);
  EXPECT_THAT(page, Not(HasSubstr("not shown")));
  EXPECT_THAT(page, HasSubstr("at the bottom of the scale "));
}

TEST(CampaignPage, TheTimeAxisHasClockTimes) {
  std::vector<StoredRun> runs(2, StoredRun{test::sample_run(), current_provenance()});
  const std::vector<std::string> names{"first", "second"};
  const auto page = [&](const char* second) {
    runs[0].results.started_utc = "2026-11-21T10:00:00Z";
    runs[1].results.started_utc = second;
    return campaign_html(runs, names);
  };
  EXPECT_THAT(page("2026-11-21T10:00:50Z"), HasSubstr(">10:00:40</text>"));
  const std::string minutes = page("2026-11-21T10:45:00Z");
  EXPECT_THAT(minutes, HasSubstr("start of the run, UTC, on 2026-11-21"));
  EXPECT_THAT(minutes, HasSubstr(">10:30</text>"));
  EXPECT_THAT(page("2026-11-22T09:00:00Z"), HasSubstr(">11-22 06:00</text>"));
  EXPECT_THAT(page("2026-12-05T10:00:00Z"), HasSubstr(">11-26</text>"));
  EXPECT_THAT(page("2026-11-21T10:00:00Z"), HasSubstr(">10:00:00</text>")) << "both started together";
}

// Three runs of one simulated line, best first.
std::vector<StoredRun> three_runs(const std::vector<std::string>& started) {
  StoredRun run{test::sample_run(), current_provenance()};
  run.results.directions.pop_back();
  std::vector<StoredRun> runs(3, run);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    runs[r].results.started_utc = started[r];
    for (StimulusRun& stimulus : runs[r].results.directions[0].stimuli)
      stimulus.interval.mean -= 0.5 * static_cast<double>(r);
  }
  return runs;
}

TEST(CampaignPage, TimeRunsForwardsWhateverTheOrderOfTheRuns) {
  const auto runs = three_runs({"2026-11-21T12:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"});
  const std::string page = campaign_html(runs, std::vector<std::string>{"late", "early", "middle"});
  const std::string table = page.substr(page.find("<h2>Runs</h2>"));
  EXPECT_LT(table.find("<td>early</td>"), table.find("<td>middle</td>"));
  EXPECT_LT(table.find("<td>middle</td>"), table.find("<td>late</td>"));
  // The line through the points, from left to right.
  const std::size_t path = page.find("<path d=\"M");
  ASSERT_NE(path, std::string::npos);
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  ASSERT_EQ(std::sscanf(page.c_str() + path, "<path d=\"M%lf %lfL%lf %lfL%lf %lf", &x0, &y0, &x1, &y1, &x2, &y2), 6);
  EXPECT_LT(x0, x1);
  EXPECT_LT(x1, x2);
}

TEST(CampaignPage, RanksTheRunsFirstAndLabelsTheirPoints) {
  const auto runs = three_runs({"2026-11-21T12:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"});
  const std::string page = campaign_html(runs, std::vector<std::string>{"worst/../one", "two/", "three"});
  EXPECT_LT(page.find("<td>1</td><td>worst/../one</td>"), page.find("<td>2</td><td>two/</td>"));
  EXPECT_LT(page.find("<td>2</td><td>two/</td>"), page.find("<td>3</td><td>three</td>"));
  EXPECT_LT(page.find("<td>3</td><td>three</td>"), page.find("<summary>All 3 pairs</summary>"));
  EXPECT_LT(page.find("<td>3</td><td>three</td>"), page.find("<h2>Over time</h2>"));
  for (const char* name : {">one</text>", ">two</text>", ">three</text>"}) EXPECT_THAT(page, HasSubstr(name));
}

TEST(CampaignPage, AConditionalMeanHasNoRank) {
  auto runs = three_runs({"2026-11-21T12:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"});
  for (std::uint32_t n = 0; n < 8; ++n)
    runs[0].results.directions[0].stimuli[0].measurements.push_back(
        test::unscored(100 + n, Outcome::not_found, "none"));
  const std::vector<std::string> names{"one", "two", "three"};
  const auto ranked = rank_channels(runs, names, *compare(channels_of(runs, names), 0.99));
  ASSERT_EQ(ranked.size(), 3U);
  EXPECT_EQ(ranked[0].name, "two");
  EXPECT_EQ(ranked[1].rank, 2U);
  EXPECT_EQ(ranked[2].name, "one") << "its mean is the best, but only covers the times when it worked";
  EXPECT_EQ(ranked[2].rank, 0U);
  EXPECT_THAT(ranked[2].against_the_one_before, HasSubstr("without a score"));
}

TEST(CampaignPage, AMeanOfOtherStimuliIsNotRanked) {
  auto runs = three_runs({"2026-11-21T12:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"});
  for (StimulusRun& stimulus : runs[0].results.directions[0].stimuli) stimulus.stimulus += "x";
  const std::vector<std::string> names{"one", "two", "three"};
  const auto compared = *compare(channels_of(runs, names), 0.99);
  EXPECT_EQ(not_compared_in_words(compared[0]), "no stimulus has scores on both");
  EXPECT_THAT(difference_in_words(compared[0]), HasSubstr("cannot be compared"));
  EXPECT_EQ(not_compared_in_words(compared[2]), "") << "two and three";
  const auto ranked = rank_channels(runs, names, compared);
  ASSERT_EQ(ranked.size(), 3U);
  EXPECT_EQ(ranked[0].name, "two");
  EXPECT_EQ(ranked[0].rank, 1U);
  EXPECT_EQ(ranked[1].rank, 2U);
  EXPECT_EQ(ranked[2].name, "one");
  EXPECT_EQ(ranked[2].rank, 0U);
  EXPECT_EQ(ranked[2].against_the_one_before, "not ranked: no stimulus has scores on it and on two, three");
  EXPECT_THAT(campaign_html(runs, names), HasSubstr("cannot be compared: no stimulus has scores on both"));
  runs.pop_back();
  for (const RankedChannel& one : rank_channels(runs, names, *compare(channels_of(runs, names), 0.99)))
    EXPECT_EQ(one.rank, 0U) << one.name << ": of two strangers none is the better one";
}

TEST(CampaignPage, NeighboursAreComparedOverTheirCommonStimuli) {
  auto runs = three_runs({"2026-11-21T12:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"});
  const std::vector<std::string> names{"one", "two", "three"};
  runs.pop_back();
  auto& stimuli = runs[1].results.directions[0].stimuli;
  stimuli.pop_back();
  auto ranked = rank_channels(runs, names, *compare(channels_of(runs, names), 0.99));
  EXPECT_THAT(ranked[1].against_the_one_before, HasSubstr("over the 1 stimulus that both have"));
  stimuli[0].interval.n = 1;
  ranked = rank_channels(runs, names, *compare(channels_of(runs, names), 0.99));
  EXPECT_THAT(ranked[1].against_the_one_before, HasSubstr("cannot be compared with the one above: "));
  EXPECT_THAT(ranked[1].against_the_one_before, HasSubstr("fewer than two scores"));
}

TEST(CampaignPage, BitErrorsArePlottedOnlyForSeveralRatios) {
  auto runs = three_runs({"2026-11-21T12:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"});
  const std::vector<std::string> names{"one", "two", "three"};
  for (StoredRun& run : runs) run.results.simulated["a-to-b"].ber = 1e-4;
  EXPECT_THAT(campaign_html(runs, names), Not(HasSubstr("Against bit errors")));
  runs[1].results.simulated["a-to-b"].ber = 1e-3;
  EXPECT_THAT(campaign_html(runs, names), HasSubstr("Against bit errors"));
}

TEST(CampaignPage, AConditionalMeanHasItsBoundBesideIt) {
  const std::vector<StoredRun> runs{{test::sample_run(), current_provenance()}};
  const std::string page = campaign_html(runs, std::vector<std::string>{"cable"});
  EXPECT_EQ(times(page, "conditional: 58.3 % without a score"), 1U);
  EXPECT_THAT(page, HasSubstr("at the bottom of the scale the mean would be 2.21"));
}

TEST(ResultsCsv, EachMeasurementIsARowQuotedWhereNeeded) {
  RunResults run = test::sample_run();
  run.directions[1].stimuli[1].measurements[0].reason = "a \"quoted\", and two\nlines";
  run.directions[1].stimuli[1].measurements[1].reason = "=HYPERLINK(0)";
  const std::string csv = results_csv(run);
  EXPECT_EQ(times(csv, "\n"), 1U + 21U + 1U);
  EXPECT_THAT(csv, StartsWith("from,to,stimulus,sequence,outcome,mos_lqo,"));
  EXPECT_THAT(csv,
              HasSubstr("a,b,M1,1,scored,4.1,0.4,250.063,virtual,40.125,-3.25,both,marks,recordings/a-to-b-M1-1.flac,,"
                        "noise,250.0,3450.0,0.125,40.0,2.5,-58.5,0.35,,0.987,0.875,\n"));
  EXPECT_THAT(csv,
              HasSubstr("b,a,F5,7,not_aligned,,,,unknown,,,none,,,\"a \"\"quoted\"\", and two\nlines\",,,,,,,,,,,,\n"));
  EXPECT_THAT(csv, HasSubstr(",'=HYPERLINK(0),,,,,,,,,,,,\n"));
}

TEST(WriteReport, WritesThreeFilesThatCanBeReadBack) {
  const test::TemporaryFolder folder;
  const RunResults run = test::sample_run();
  ASSERT_TRUE(write_report(folder.path(), run));
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"results.json", "results.csv", "report.html"}));
  const auto read = load_run(folder.path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(results_json(read->results, read->provenance), results_json(run));
  EXPECT_EQ(test::read_text(folder.path() / "results.csv"), results_csv(run));
  EXPECT_EQ(test::read_text(folder.path() / "report.html"), report_html(run));
}

TEST(WriteReport, AnUnwritableFolderIsNamed) {
  const Status status = write_report("/nowhere/at/all", test::sample_run());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::io);
  EXPECT_THAT(status.error().message, HasSubstr("/nowhere/at/all"));
}

TEST(LoadRun, AJournalAloneGivesTheSameResults) {
  const test::TemporaryFolder folder;
  const RunResults run = test::sample_run();
  auto journal = RunJournal::create(folder.path(), run);
  ASSERT_TRUE(journal);
  for (const DirectionRun& direction : run.directions)
    for (const StimulusRun& stimulus : direction.stimuli)
      for (const Measurement& one : stimulus.measurements)
        ASSERT_TRUE(journal->append(direction.from, stimulus.stimulus, one));
  ASSERT_TRUE(journal->close(run));
  const auto read = load_run(folder.path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(results_json(read->results, read->provenance), results_json(run));
}

TEST(LoadRun, AJournalTakesPrecedenceOverOlderResults) {
  const test::TemporaryFolder folder;
  RunResults run = test::sample_run();
  run.duplex = Duplex::one;
  run.lost_seconds = 12;
  run.baseline = "the line was never cabled together";
  auto journal = RunJournal::create(folder.path(), test::sample_run());
  ASSERT_TRUE(journal);
  ASSERT_TRUE(write_report(folder.path(), run));
  ASSERT_TRUE(journal->append(End::a, "M1", test::scored(1, 4)));
  const auto going_on = load_run(folder.path());
  ASSERT_TRUE(going_on) << going_on.error().message;
  EXPECT_EQ(going_on->results.directions[0].stimuli[0].measurements.size(), 1U);
  EXPECT_THAT(going_on->results.ended_because, HasSubstr("broken off"));
  ASSERT_TRUE(journal->close(run));
  const auto ended = load_run(folder.path());
  EXPECT_EQ(ended->results.duplex, run.duplex);
  EXPECT_EQ(ended->results.lost_seconds, run.lost_seconds);
  EXPECT_EQ(ended->results.baseline, run.baseline);
}

TEST(LoadRun, AMissingRunAndADamagedJournalAreExplained) {
  const test::TemporaryFolder folder;
  const auto nothing = load_run(folder.path());
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, HasSubstr("neither results.json nor journal.jsonl"));
  ASSERT_TRUE(write_report(folder.path(), test::sample_run()));
  test::write_text(folder.path() / "journal.jsonl", "{}\n");
  const auto damaged = load_run(folder.path());
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("move it away to take the run from results.json"));
}

}  // namespace
}  // namespace vqas
