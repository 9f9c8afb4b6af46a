#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "support/sample_run.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"

namespace vqas {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

json parsed(const RunResults& run) {
  return json::parse(results_json(run));
}

TEST(ResultsJson, HasEveryDocumentedField) {
  const json all = parsed(test::sample_run());
  for (const char* key :
       {"schema", "software_version", "score_version", "seed", "line", "model_error", "timing", "directions"})
    EXPECT_TRUE(all.contains(key)) << key;
  EXPECT_EQ(all["seed"], 7);
  const json& direction = all["directions"][0];
  for (const char* key :
       {"from", "to", "mean_mos_lqo", "half_width", "stimuli_included", "range_over_stimuli", "stimuli"})
    EXPECT_TRUE(direction.contains(key)) << key;
  EXPECT_EQ(direction["from"], "a");
  EXPECT_EQ(direction["to"], "b");
  EXPECT_NEAR(direction["mean_mos_lqo"].get<double>(), 3.8, 1e-9);
  EXPECT_EQ(direction["stimuli_included"], 2);
  const json& stimulus = direction["stimuli"][0];
  for (const char* key : {"stimulus", "n", "mean_mos_lqo", "standard_deviation", "half_width", "confidence",
                          "stopped_because", "outcomes", "measurements", "conditional"})
    EXPECT_TRUE(stimulus.contains(key)) << key;
  EXPECT_EQ(stimulus["stimulus"], "M1");
  EXPECT_EQ(stimulus["n"], 5);
  EXPECT_EQ(stimulus["stopped_because"], "goal");
  EXPECT_EQ(stimulus["outcomes"].size(), kAllOutcomes.size());
  for (const Outcome outcome : kAllOutcomes)
    EXPECT_TRUE(stimulus["outcomes"].contains(std::string(to_string(outcome))));
  EXPECT_EQ(stimulus["outcomes"]["scored"], 5);
  EXPECT_EQ(stimulus["outcomes"]["not_found"], 0);
  const json& one = stimulus["measurements"][0];
  EXPECT_EQ(one["sequence"], 1);
  EXPECT_EQ(one["outcome"], "scored");
  EXPECT_EQ(one["mos_lqo"], 4.1);
  EXPECT_EQ(one["auditory_distance"], 0.4);
  EXPECT_EQ(one["delay_ms"], 250.063);
  EXPECT_EQ(one["delay_basis"], "virtual");
  EXPECT_EQ(one["clock_drift_ppm"], 40.125);
  EXPECT_EQ(one["level_difference_db"], -3.25);
  EXPECT_EQ(one["findings"]["impairments"][0]["impairment"], "noise");
  EXPECT_EQ(one["findings"]["band_high_hz"], 3450);
  EXPECT_EQ(one["recording"], "recordings/a-to-b-M1-1.flac");
  EXPECT_EQ(one["marks_found"], "both");
  EXPECT_EQ(one["found_by"], "marks");
}

TEST(ResultsJson, UnmeasuredValuesAreNull) {
  const json all = parsed(test::sample_run());
  const json& unscored = all["directions"][1]["stimuli"][1];
  EXPECT_EQ(unscored["n"], 0);
  for (const char* key : {"mean_mos_lqo", "standard_deviation", "half_width"})
    EXPECT_TRUE(unscored[key].is_null()) << key;
  const json& one = unscored["measurements"][0];
  for (const char* key :
       {"mos_lqo", "auditory_distance", "delay_ms", "clock_drift_ppm", "level_difference_db", "recording"})
    EXPECT_TRUE(one[key].is_null()) << key;
  EXPECT_EQ(one["delay_basis"], "unknown");
  EXPECT_EQ(one["reason"], "the pieces do not fit together");
  EXPECT_EQ(all["directions"][1]["stimuli_included"], 1);
  EXPECT_EQ(all["directions"][1]["stimuli_omitted"], json::array({"F5"}));
}

TEST(ResultsJson, FoundByNamesHowTheSpeechWasLocated) {
  RunResults run = test::sample_run();
  Measurement& one = run.directions[0].stimuli[0].measurements[0];
  ASSERT_EQ(one.outcome, Outcome::scored);
  const auto found_by = [&run](MarksFound marks) {
    run.directions[0].stimuli[0].measurements[0].marks_found = marks;
    const auto all = nlohmann::json::parse(results_json(run));
    return all["directions"][0]["stimuli"][0]["measurements"][0]["found_by"];
  };
  EXPECT_EQ(found_by(MarksFound::leading_only), "marks");
  EXPECT_EQ(found_by(MarksFound::trailing_only), "trailing_mark");
  EXPECT_EQ(found_by(MarksFound::none), "speech");
  EXPECT_NE(report_html(run).find("1 by the speech alone"), std::string::npos);
}

TEST(ResultsJson, SequenceGapsAreListed) {
  RunResults run = test::sample_run();
  std::uint32_t sequence = 0;
  for (StimulusRun& stimulus : run.directions[0].stimuli) {
    for (Measurement& one : stimulus.measurements) one.sequence = ++sequence;
  }
  EXPECT_FALSE(parsed(run)["directions"][0].contains("numbers_abandoned"));
  EXPECT_EQ(report_html(run).find("Numbers without a measurement"), std::string::npos);
  run.directions[0].stimuli[1].measurements.back().sequence += 3;
  const json told = parsed(run)["directions"][0]["numbers_abandoned"];
  EXPECT_EQ(told, json::parse(fmt::format(R"([{{"first": {}, "last": {}}}])", sequence, sequence + 2)));
  EXPECT_NE(report_html(run).find(fmt::format("{} to {}.", sequence, sequence + 2)), std::string::npos);
}

TEST(ReportPage, QuestionableScoresAreListedWithTheirReason) {
  RunResults run = test::sample_run();
  EXPECT_EQ(report_html(run).find("Questionable scores"), std::string::npos);
  Measurement& one = run.directions[0].stimuli[0].measurements[0];
  ASSERT_EQ(one.outcome, Outcome::scored);
  one.reason = "0.6 s of the speech was not found";
  const std::string page = report_html(run);
  EXPECT_GT(page.find(one.reason), page.find("Questionable scores"));
  EXPECT_NE(page.find(one.reason), std::string::npos);
}

TEST(ResultsJson, EqualScoresHaveANonZeroHalfWidth) {
  RunResults run = test::sample_run();
  StimulusRun& stimulus = run.directions[0].stimuli[0];
  stimulus.measurements.clear();
  for (std::uint32_t sequence = 1; sequence <= 10; ++sequence)
    stimulus.measurements.push_back(test::scored(sequence, 4));
  test::settle(stimulus, run.sampling);
  ASSERT_LT(stimulus.interval.half_width, 5e-5);
  run.directions[0].stimuli.resize(1);
  const json direction = parsed(run)["directions"][0];
  EXPECT_EQ(direction["stimuli"][0]["half_width"], 1e-4);
  EXPECT_EQ(direction["half_width"], 1e-4);
}

TEST(ResultsJson, AConditionalMeanIsFlaggedWithItsBound) {
  const json all = parsed(test::sample_run());
  const json& partly = all["directions"][1]["stimuli"][0];
  EXPECT_EQ(partly["conditional"], true);
  EXPECT_NEAR(partly["share_unscored"].get<double>(), 1.0 / 6, 1e-4);
  EXPECT_NEAR(partly["bound_mos_lqo"].get<double>(), (5 * 3.9 + 1) / 6, 1e-4);
  EXPECT_EQ(all["directions"][1]["conditional"], true);
  const json& whole = all["directions"][0]["stimuli"][0];
  EXPECT_EQ(whole["conditional"], false);
  EXPECT_TRUE(whole["bound_mos_lqo"].is_null());
}

TEST(ResultsJson, EqualRunsGiveEqualBytesApartFromTiming) {
  RunResults later = test::sample_run();
  later.started_utc = "2027-01-01T00:00:00Z";
  later.finished_utc = "2027-01-01T00:01:00Z";
  later.wall_seconds = 61;
  later.line_seconds = 599;
  const std::string first = results_json(test::sample_run());
  const std::string second = results_json(later);
  EXPECT_NE(first, second);
  const std::size_t timing = first.find("  \"timing\": {");
  ASSERT_NE(timing, std::string::npos);
  EXPECT_EQ(first.substr(0, timing), second.substr(0, timing));
  EXPECT_EQ(first.find('}', timing) + 3, first.size() - 1) << "timing is not the last object";
  EXPECT_EQ(first, results_json(test::sample_run()));
}

TEST(ResultsJson, ValuesThatJsonCannotHoldBecomeNull) {
  RunResults run = test::sample_run();
  Measurement& one = run.directions[0].stimuli[0].measurements[0];
  one.delay_ms = std::numeric_limits<double>::infinity();
  one.level_difference_db = std::nan("");
  one.reason = "bytes \xFF\xC0 and \"signs\"";
  const std::string text = results_json(run);
  EXPECT_TRUE(json::accept(text));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_TRUE(json::parse(text)["directions"][0]["stimuli"][0]["measurements"][0]["delay_ms"].is_null());
}

TEST(ResultsJson, OfAnEmptyRunIsValid) {
  const json all = parsed(RunResults{});
  EXPECT_TRUE(all["directions"].is_array());
  EXPECT_TRUE(all["line"]["simulated"].is_null());
}

TEST(ResultsJson, UnknownModelErrorIsNull) {
  Provenance provenance = current_provenance();
  provenance.model_error_mos = 0.31;
  provenance.model_error_label = "P.862.1";
  EXPECT_EQ(json::parse(results_json(RunResults{}, provenance))["model_error"]["mos"], 0.31);
  provenance.model_error_mos = 0;
  EXPECT_TRUE(json::parse(results_json(RunResults{}, provenance))["model_error"]["mos"].is_null());
}

TEST(ParsedResults, GiveTheSameJsonAgain) {
  RunResults run = test::sample_run();
  run.ended_because = "the line was lost";
  run.guard_s = 0.2;
  run.simulated["a-to-b"].circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
  Provenance provenance{"0.0.9", "older-score", 0.25, "P.862.1", "a table"};
  const std::string text = results_json(run, provenance);
  const auto read = parse_results(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(results_json(read->results, read->provenance), text);
  const auto& placement = read->results.directions[0].stimuli[0].measurements[0].placement;
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->start_samples, run.directions[0].stimuli[0].measurements[0].placement->start_samples);
  EXPECT_EQ(placement->clock_drift_ppm, run.directions[0].stimuli[0].measurements[0].placement->clock_drift_ppm);
  EXPECT_EQ(read->provenance.score_version, "older-score");
  EXPECT_EQ(read->results.ended_because, "the line was lost");
  EXPECT_EQ(read->results.guard_s, 0.2);
  EXPECT_THAT(reproduce_command(read->results), HasSubstr(" --guard-s 0.2"));
}

TEST(ParsedResults, OfARunForTheMeanGiveTheSameJsonAgain) {
  RunResults run = test::sample_run_of_the_mean(0.1);
  const auto direction = json::parse(results_json(run))["directions"][0];
  EXPECT_EQ(direction["stopped_because"], "goal");
  EXPECT_LE(direction["half_width"].get<double>(), 0.1);
  for (const GoalOf of : {GoalOf::mean, GoalOf::line_time, GoalOf::above}) {
    run.sampling.goal_of = of;
    run.sampling.limit = {3.25, 0.5};
    const auto once = parse_results(results_json(run));
    ASSERT_TRUE(once) << once.error().message;
    EXPECT_EQ(once->results.sampling.goal_of, of);
    EXPECT_EQ(once->results.sampling.limit.mos, of == GoalOf::above ? 3.25 : SamplerOptions().limit.mos);
    const std::string text = results_json(once->results);
    const auto again = parse_results(text);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(results_json(again->results), text);
  }
  EXPECT_TRUE(json::parse(results_json(test::sample_run()))["directions"][0]["stopped_because"].is_null());
}

TEST(ParsedResults, DamagedTextIsRefusedWithItsPlace) {
  const std::string text = results_json(test::sample_run());
  const auto expect_refused = [&](const std::string& what, const std::string& with, const std::string& why) {
    std::string changed = text;
    const std::size_t place = changed.find(what);
    ASSERT_NE(place, std::string::npos) << what;
    changed.replace(place, what.size(), with);
    const auto run = parse_results(changed);
    ASSERT_FALSE(run) << what << " -> " << with;
    EXPECT_EQ(run.error().code, ErrorCode::bad_input);
    EXPECT_THAT(run.error().message, HasSubstr(why));
    EXPECT_THAT(run.error().message, HasSubstr("results.json"));
  };
  expect_refused("vqas-results/2", "vqas-results/1", "schema");
  expect_refused("\"seed\": 7", "\"seed\": 7.5", "seed");
  expect_refused("\"guard_s\": 0.05", "\"guard_s\": 7", "guard_s");
  expect_refused("\"mos_lqo\": 4.1", "\"mos_lqo\": 0.5", "mos_lqo");
  expect_refused("\"mos_lqo\": 4.1", "\"mos_lqo\": 1e999", "JSON");
  expect_refused("\"sequence\": 2", "\"sequence\": 1", "sequence");
  expect_refused("\"outcome\": \"scored\"", "\"outcome\": 3", "outcome");
  expect_refused("\"stimulus\": \"M1\"", "\"stimulus\": \"<b>\"", "name");
  expect_refused("\"stimulus\": \"M1\"", "\"stimulus\": \"F5\"", "twice");
  expect_refused("\"recording\": \"rec", "\"recording\": \"../rec", "recording");
  expect_refused("\"directions\": [", "\"directions\": 5, \"x\": [", "directions");
  expect_refused("\"timing\"", "\"time\"", "timing");
  expect_refused("\"cap_count\": 30", "\"cap_count\": 3", "cap_count");
}

TEST(ParsedResults, AnyTextGivesAResultOrAnError) {
  for (const char* text : {"", "null", "[]", "{}", "7", "\"x\"", "{\"schema\":\"vqas-results/2\"}"})
    EXPECT_FALSE(parse_results(text)) << text;
  EXPECT_FALSE(parse_results(std::string(2'000'000, '[')));
  const std::string text = results_json(test::sample_run());
  std::mt19937_64 words(4);
  for (int run = 0; run < 2000; ++run) {
    std::string changed = text;
    for (std::uint64_t change = words() % 4 + 1; change > 0; --change) {
      const std::size_t place = words() % changed.size();
      if (words() % 2 == 0) {
        changed[place] = static_cast<char>(words() & 0xFF);
      } else {
        changed.erase(place, words() % 30);
      }
    }
    const auto result = parse_results(changed);
    if (result) {
      EXPECT_TRUE(json::accept(results_json(result->results)));
    } else {
      EXPECT_FALSE(result.error().message.empty());
    }
  }
}

// From the third measurement of each stimulus, a second call.
RunResults redialled(double by_db) {
  RunResults run = test::sample_run();
  for (DirectionRun& direction : run.directions) {
    for (StimulusRun& stimulus : direction.stimuli) {
      for (std::size_t i = 2; i < stimulus.measurements.size(); ++i) {
        Measurement& one = stimulus.measurements[i];
        one.call = 2;
        if (one.level_difference_db) *one.level_difference_db += by_db;
      }
    }
  }
  return run;
}

TEST(ResultsJson, CallsOfARedialledRunAreListed) {
  EXPECT_FALSE(parsed(test::sample_run())["directions"][0].contains("calls"));
  const RunResults run = redialled(-10);
  const json direction = parsed(run)["directions"][0];
  ASSERT_EQ(direction["calls"].size(), 2U);
  EXPECT_EQ(direction["calls"][0]["scored"], 4);
  EXPECT_TRUE(direction["calls"][0]["level_change_db"].is_null());
  EXPECT_EQ(direction["calls"][1]["call"], 2);
  EXPECT_EQ(direction["calls"][1]["first_sequence"], 3);
  EXPECT_EQ(direction["calls"][1]["level_change_db"], -10);
  EXPECT_EQ(direction["calls"][1]["same_level"], false);
  EXPECT_EQ(direction["stimuli"][0]["measurements"][4]["call"], 2);
  const auto back = parse_results(results_json(run), "test");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(results_json(back->results, back->provenance), results_json(run));
}

TEST(ReportPage, AMeanOverTwoLevelsHasAWarning) {
  EXPECT_THAT(report_html(redialled(-10)), HasSubstr("10.0 dB lower than in the call before it"));
  EXPECT_THAT(report_html(redialled(-10)), HasSubstr("<h3>Calls</h3>"));
  EXPECT_THAT(report_html(redialled(-2)), Not(HasSubstr("than in the call before it")));
  EXPECT_THAT(report_html(test::sample_run()), Not(HasSubstr("<h3>Calls</h3>")));
}

}  // namespace
}  // namespace vqas
