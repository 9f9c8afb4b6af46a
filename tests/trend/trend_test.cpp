#include "vqas/trend/trend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "report/page_text.h"
#include "support/sample_run.h"
#include "support/share_bound.h"
#include "trend/chart_parts.h"
#include "trend/planted_circuit.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

using test::berlin;
using test::hourly_runs;
using test::kFirstDay;
using test::plant_nightly_dip;
using test::run_at;
using test::run_without_score;
using ::testing::HasSubstr;
using ::testing::Not;

CircuitTrend trend_in_berlin(std::vector<RunOfTrend> runs) {
  return trend_of(std::move(runs), {berlin(), {}});
}

void plant_step(std::vector<RunOfTrend>& runs, std::size_t from, std::size_t until, double step) {
  for (std::size_t i = from; i < until; ++i) *runs[i].directions.front().mean += step;
}

TEST(TrendChart, ReachesToTheEndOfTheRunsScale) {
  const auto highest_of = [](const char* version) {
    RunOfTrend run = run_at(kFirstDay, 4.6);
    run.score_version = version;
    const CircuitTrend trend = trend_in_berlin({run});
    return trend::range_of(trend, trend.directions.front()).second;
  };
  EXPECT_DOUBLE_EQ(highest_of("vqas-nb-11"), 4.55);
  EXPECT_DOUBLE_EQ(highest_of("vqas-wb-1"), 4.65);
}

TEST(LocalTime, DaylightSavingMovesTheHour) {
  const LocalTime local = berlin();
  const double change = 1792890000;  // 2026-10-25 01:00 UTC: 3:00 becomes 2:00
  EXPECT_EQ(local.at(change - 1).time, "02:59");
  EXPECT_EQ(local.at(change - 1).offset_s, 7200);
  EXPECT_EQ(local.at(change).time, "02:00");
  EXPECT_EQ(local.at(change).offset_s, 3600);
  EXPECT_EQ(local.at(change).date, "2026-10-25");
  EXPECT_EQ(local.at(change).weekday, 6);
}

TEST(LocalTime, DaysBeginAtLocalMidnight) {
  const LocalTime local = berlin();
  EXPECT_EQ(local.at(0).date, "1970-01-01");
  EXPECT_EQ(local.at(0).weekday, 3);
  EXPECT_EQ(local.at(-3601).day, -1);
  EXPECT_EQ(local.at(-3600).day, 0);
}

TEST(LocalTime, AnUnknownZoneIsBadInput) {
  for (const char* const name : {"Europe/Atlantis", "Atlantis", "Europe/../../../etc/passwd"}) {
    const auto zone = LocalTime::of_zone(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_THAT(zone.error().message, HasSubstr("Europe/Berlin"));
  }
  EXPECT_TRUE(LocalTime::of_zone("UTC"));
  EXPECT_TRUE(LocalTime::of_zone(""));
}

TEST(RunOfTrend, HoldsWhatTheReportSays) {
  StoredRun stored;
  stored.results = test::sample_run();
  stored.provenance = {"1.2.3", "score-4", 0.3, "P.862.1", "a table"};
  const auto run = run_of_trend(stored);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->score_version, "score-4");
  EXPECT_EQ(run->started_s, 1795248000);
  ASSERT_EQ(run->directions.size(), 2U);
  EXPECT_NEAR(*run->directions[0].mean, 3.8, 1e-9);
  EXPECT_GT(run->directions[0].standard_error, 0);
  EXPECT_FALSE(run->directions[0].partial);
  EXPECT_TRUE(run->directions[1].partial);
  EXPECT_EQ(run->directions[1].no_score, "not_aligned");
  EXPECT_EQ(run->directions[1].not_scored_because, "the pieces do not fit together");
  EXPECT_NEAR((*run->directions[0].costs)[1], 0.35, 1e-9);  // noise
  stored.results.started_utc.clear();
  EXPECT_FALSE(run_of_trend(stored));
}

TEST(Trend, ANightlyDipIsAPatternAndNoChange) {
  int quiet = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto runs = hourly_runs(28, seed);
    plant_nightly_dip(runs, 0.4);
    const CircuitTrend trend = trend_in_berlin(std::move(runs));
    quiet += trend.directions[0].scales[0].changes.empty() ? 1 : 0;
    EXPECT_TRUE(trend.directions[0].scales[0].by_hour);
  }
  EXPECT_EQ(quiet, 20);
}

// The series begins before the end of daylight saving and ends behind it.
TEST(Trend, ANightlyDipStaysInItsHoursWhenTheClocksChange) {
  auto runs = hourly_runs(30, 1);
  plant_nightly_dip(runs, 0.4);
  const CircuitTrend trend = trend_in_berlin(std::move(runs));
  std::set<int> different;
  for (const TrendBin& one : trend.directions[0].hours) {
    if (one.differs()) different.insert(one.bin);
  }
  EXPECT_EQ(different, (std::set<int>{2, 3, 4}));
  EXPECT_NEAR(trend.directions[0].hours[3].difference, -0.4, 0.05);
}

TEST(Trend, ADegradationBelowANightlyDipIsFoundAtItsPlace) {
  auto runs = hourly_runs(28, 2);
  plant_nightly_dip(runs, 0.4);
  plant_step(runs, 300, 400, -0.35);
  const CircuitTrend trend = trend_in_berlin(std::move(runs));
  const auto& changes = trend.directions[0].scales[0].changes;
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_NEAR(static_cast<double>(changes[0].after), 300, 2);
  EXPECT_NEAR(static_cast<double>(changes[1].after), 400, 2);
  EXPECT_NEAR(changes[0].to_mos - changes[0].from_mos, -0.35, changes[0].half_width);
  EXPECT_EQ(trend.directions[0].last_change()->after, changes[1].after);
}

TEST(Trend, ABadWeekendIsAPatternOfTheWeek) {
  auto runs = hourly_runs(42, 3);
  const LocalTime local = berlin();
  for (RunOfTrend& run : runs) {
    if (local.at(run.started_s).weekday >= 5) *run.directions.front().mean -= 0.25;
  }
  const CircuitTrend trend = trend_in_berlin(std::move(runs));
  EXPECT_TRUE(trend.directions[0].scales[0].changes.empty());
  const auto& weekdays = trend.directions[0].weekdays;
  ASSERT_EQ(weekdays.size(), 7U);
  EXPECT_TRUE(weekdays[5].differs() && weekdays[6].differs());
  EXPECT_LT(weekdays[6].difference, weekdays[2].difference - 0.2);
}

TEST(Trend, ScoresOfAnotherVersionAreAnotherScaleAndNoChange) {
  auto runs = hourly_runs(10, 4);
  plant_step(runs, 120, 240, 0.5);
  for (std::size_t i = 120; i < 240; ++i) runs[i].score_version = "vqas-nb-999";
  const CircuitTrend trend = trend_in_berlin(std::move(runs));
  const auto& scales = trend.directions[0].scales;
  ASSERT_EQ(scales.size(), 2U);
  EXPECT_TRUE(scales[0].changes.empty() && scales[1].changes.empty());
  EXPECT_EQ(scales[1].runs.front(), 120U);
  const std::string page = trend_html(trend, {});
  EXPECT_THAT(page, HasSubstr("other scale"));
  EXPECT_THAT(page, HasSubstr("vqas-nb-999"));
}

TEST(Trend, RunsOfUnlikeLinesWithOneTagShareNoLevelAndTheirLinesAreTold) {
  auto runs = hourly_runs(10, 4);
  for (std::size_t i = 0; i < 240; ++i) runs[i].setup = i % 2 == 0 ? "sim: 11111111" : "rtp: 22222222";
  plant_step(runs, 120, 240, 0);
  for (std::size_t i = 0; i < 240; i += 2) *runs[i].directions.front().mean -= 2;
  const CircuitTrend trend = trend_in_berlin(std::move(runs));
  const auto& scales = trend.directions[0].scales;
  ASSERT_EQ(scales.size(), 2U);
  EXPECT_NEAR(scales[1].levels.front().mos - scales[0].levels.front().mos, 2, 0.1);
  EXPECT_THAT(trend_html(trend, {}), HasSubstr("line rtp: 22222222"));
}

TEST(Trend, ARunInTheFutureIsToldAndChangesNoState) {
  auto runs = hourly_runs(10, 4);
  const double now_s = runs.back().started_s + 600;
  auto far = run_without_score(now_s + 4e8);
  auto rehearsal = run_at(now_s + 1800, 3.9);
  rehearsal.simulated = true;
  runs.push_back(far);
  runs.push_back(rehearsal);
  const CircuitTrend trend = trend_of(runs, {berlin(), {}, now_s});
  EXPECT_EQ(trend.runs.size(), 241U) << "a simulated line's time may be later than now";
  ASSERT_EQ(trend.later_s.size(), 1U);
  EXPECT_EQ(state_of(trend, now_s), CircuitState::steady);
  EXPECT_THAT(trend_html(trend, {.page_folder = {}, .index = {}, .json = {}, .now_s = now_s}),
              HasSubstr("1 run is left out: its start lies in the future"));
  const CircuitTrend none = trend_of({far}, {berlin(), {}, now_s});
  EXPECT_TRUE(none.runs.empty());
  EXPECT_THAT(trend_html(none, {}), HasSubstr("1 run is left out"));
}

TEST(Trend, MissedStartsThatACampaignStatesReplaceThoseThatAreInferred) {
  auto runs = hourly_runs(2, 4);
  for (RunOfTrend& run : runs) run.in_slots = true;
  runs.erase(runs.begin() + 10, runs.begin() + 14);
  EXPECT_TRUE(trend_in_berlin(runs).directions[0].outages.empty()) << "the campaign states none";
  const double due_s = kFirstDay + 10 * 3600.0;
  const double last_s = runs.back().started_s;
  const CircuitTrend trend = trend_of(runs, {berlin(), {}},
                                      {{last_s + 3600, "the line or a node was away: node b does not answer", true},
                                       {due_s, "the machine was off", false},
                                       {due_s + 3600, "the machine was off", false}});
  const auto& outages = trend.directions[0].outages;
  ASSERT_EQ(outages.size(), 2U);
  EXPECT_EQ(outages[0].from_s, due_s);
  EXPECT_EQ(outages[0].until_s, kFirstDay + 14 * 3600.0);
  EXPECT_EQ(outages[0].missed, 2U);
  EXPECT_EQ(outages[0].why, "the machine was off");
  EXPECT_FALSE(outages[1].until_s);
  EXPECT_THAT(outages[1].why, HasSubstr("node b does not answer"));
  EXPECT_EQ(state_of(trend, last_s + 4000), CircuitState::no_score);
}

TEST(Trend, ARunWithoutAMeasurementSaysWhyItEnded) {
  auto runs = hourly_runs(1, 4);
  RunOfTrend lost = run_without_score(runs.back().started_s + 3600);
  lost.directions.front().measurements = 0;
  lost.ended_because = "node b does not answer";
  runs.push_back(lost);
  EXPECT_EQ(trend_in_berlin(runs).directions[0].outages.front().why, "node b does not answer");
}

TEST(Trend, AMeanOverFewerStimuliMovesNoLevel) {
  auto runs = hourly_runs(10, 4);
  plant_step(runs, 100, 130, -1);
  for (std::size_t i = 100; i < 130; ++i) runs[i].directions.front().partial = true;
  EXPECT_TRUE(trend_in_berlin(std::move(runs)).directions[0].scales[0].changes.empty());
}

TEST(Trend, OutagesHaveABeginningALengthAndAReason) {
  auto runs = hourly_runs(4, 5);
  for (const std::size_t i : {20, 21, 22, 95}) runs[i] = run_without_score(runs[i].started_s);
  runs.erase(runs.begin() + 50, runs.begin() + 53);
  const CircuitTrend trend = trend_in_berlin(std::move(runs));
  EXPECT_NEAR(*trend.cadence_s, 3600, 1e-9);
  const auto& outages = trend.directions[0].outages;
  ASSERT_EQ(outages.size(), 3U);
  EXPECT_EQ(outages[0].runs, 3U);
  EXPECT_EQ(outages[0].from_s, kFirstDay + 20 * 3600);
  EXPECT_EQ(*outages[0].until_s, kFirstDay + 23 * 3600);
  EXPECT_EQ(outages[0].why, "not_found: no mark and no speech was found");
  EXPECT_EQ(outages[1].runs, 0U);
  EXPECT_EQ(outages[1].missed, 3U);
  EXPECT_FALSE(outages[2].until_s);
}

TEST(Trend, PausesAtTheSameHourOfMostDaysAreNoOutages) {
  std::vector<RunOfTrend> runs;
  for (const RunOfTrend& run : test::hourly_runs(14, 1)) {
    const LocalClock clock = test::berlin().at(run.started_s);
    const bool ill = clock.day % 7 == 2 && clock.hour >= 12 && clock.hour < 15;
    if (clock.hour >= 8 && clock.hour < 20 && !ill) runs.push_back(run);
  }
  const CircuitTrend trend = trend_of(runs, {test::berlin(), {}});
  ASSERT_EQ(trend.directions.front().outages.size(), 2U) << "the nights are none";
  EXPECT_EQ(trend.directions.front().outages.front().missed, 3U);
}

TEST(Trend, ADirectionMeasuredEverySecondTimeHasNoOutages) {
  std::vector<RunOfTrend> runs = test::hourly_runs(7, 1);
  for (std::size_t i = 1; i < runs.size(); i += 2) runs[i].directions.front().from = End::b;
  const CircuitTrend trend = trend_of(runs, {test::berlin(), {}});
  for (const DirectionTrend& direction : trend.directions) EXPECT_TRUE(direction.outages.empty());
}

TEST(Trend, IrregularStartsMissNone) {
  std::vector<RunOfTrend> runs;
  double at = kFirstDay;
  for (int i = 0; i < 30; ++i) runs.push_back(run_at(at += 3600.0 * (1 + (i * i) % 17), 3.9));
  const CircuitTrend trend = trend_in_berlin(std::move(runs));
  EXPECT_FALSE(trend.cadence_s);
  EXPECT_TRUE(trend.directions[0].outages.empty());
}

TEST(Trend, CausesAreMeansOfDaysAndThenOfWeeks) {
  auto runs = hourly_runs(10, 6);
  for (std::size_t i = 46; i < 70; ++i) (*runs[i].directions.front().costs)[4] = 0.8;  // 22 UTC is midnight
  const CircuitTrend trend = trend_in_berlin(std::move(runs));
  EXPECT_FALSE(trend.directions[0].causes_by_week);
  EXPECT_NEAR((*trend.directions[0].causes[2].costs)[4], 0.8, 1e-9);
  EXPECT_NEAR((*trend.directions[0].causes[4].costs)[4], 0.05, 1e-9);
  EXPECT_TRUE(trend_in_berlin(hourly_runs(70, 6)).directions[0].causes_by_week);
}

TEST(Trend, TheStateIsTheFirstThatFits) {
  auto runs = hourly_runs(4, 7);
  const double now = runs.back().started_s + 600;
  const auto state = [&](auto&& change) {
    auto changed = runs;
    change(changed);
    return std::string(to_string(*state_of(trend_in_berlin(std::move(changed)), now)));
  };
  const auto last_verdict = [](LimitVerdict verdict) {
    return [verdict](auto& all) { all.back().directions.front().verdict = verdict; };
  };
  EXPECT_EQ(state([](auto&) {}), "steady");
  EXPECT_EQ(state([](auto& all) { all.resize(10, all[0]); }), "overdue");
  EXPECT_EQ(state([](auto& all) { all.erase(all.begin(), all.end() - 3); }), "few runs");
  EXPECT_EQ(state([](auto& all) { plant_step(all, 60, 96, -0.5); }), "worse");
  EXPECT_EQ(state([](auto& all) { plant_step(all, 60, 96, 0.5); }), "steady");
  EXPECT_EQ(state([](auto& all) { all.back() = run_without_score(all.back().started_s); }), "no score");
  EXPECT_EQ(state(last_verdict(LimitVerdict::pass)), "meets the limit");
  EXPECT_EQ(state(last_verdict(LimitVerdict::fail)), "below the limit");
  EXPECT_EQ(state(last_verdict(LimitVerdict::undecided)), "undecided");
}

TEST(TrendJson, HoldsTheRunsAndWhatWasFound) {
  auto runs = hourly_runs(10, 8);
  plant_step(runs, 100, 240, -0.5);
  const Json json = own_json(trend_json(trend_in_berlin(std::move(runs))));
  EXPECT_EQ(json.at("schema"), kTrendSchema);
  EXPECT_EQ(json.at("runs").size(), 240U);
  EXPECT_EQ(json.at("time_zone"), "Europe/Berlin");
  const Json& scale = json.at("directions")[0].at("scales")[0];
  ASSERT_EQ(scale.at("changes").size(), 1U);
  EXPECT_NEAR(scale.at("changes")[0].at("step").get<double>(), -0.5, 0.06);
  EXPECT_LE(scale.at("changes")[0].at("p_bound").get<double>(), 0.01);
}

TEST(TrendPage, IsOneSelfContainedPage) {
  auto runs = hourly_runs(28, 9);
  plant_nightly_dip(runs, 0.3);
  plant_step(runs, 300, 672, -0.4);
  runs[500] = run_without_score(runs[500].started_s);
  const std::string page = trend_html(trend_in_berlin(std::move(runs)), {});
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("url(")));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_EQ(test::xml_fault(test::body_of(page)), "");
}

TEST(TrendPage, TextOfRunsCannotBecomeHtml) {
  auto runs = hourly_runs(2, 9);
  for (RunOfTrend& run : runs) {
    run.tags["circuit"] = "<script>alert('x')</script>\"&";
    run.tags["equipment"] = "\x1b[31m<img src=x>";
    run.score_version = "<b>";
    run.ended_because = "</table>";
    run.report = "/tmp/a \"b'<c>#?/report.html";
  }
  runs[3] = run_without_score(runs[3].started_s);
  runs[3].directions.front().not_scored_because = "<i>why</i>";
  const std::string page = trend_html(trend_in_berlin(std::move(runs)), {"/tmp", {}, {}, 0});
  for (const char* const raw : {"<script", "<img", "<b>\"", "<i>why", "\x1b"}) EXPECT_THAT(page, Not(HasSubstr(raw)));
  EXPECT_THAT(page, HasSubstr("href=\"a%20%22b%27%3Cc%3E%23%3F/report.html\""));
  EXPECT_EQ(test::xml_fault(test::body_of(page)), "");
}

TEST(TrendPage, FewRunsAndNoScoresAtAllHaveAPageToo) {
  for (std::vector<RunOfTrend> runs : {std::vector{run_at(kFirstDay, 4)}, std::vector{run_without_score(kFirstDay)}}) {
    const std::string page = trend_html(trend_in_berlin(std::move(runs)), {});
    EXPECT_EQ(test::xml_fault(test::body_of(page)), "");
    EXPECT_THAT(page, Not(HasSubstr("nan")));
    EXPECT_THAT(page, Not(HasSubstr("inf ")));
  }
}

}  // namespace
}  // namespace vqas
