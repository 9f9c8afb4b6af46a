// The whole path as a user runs it: simulator, two nodes and controller as processes, results as files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "support/exit_codes.h"
#include "support/wait_until.h"
#include "tools/command_test.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using test::kLineLost;

class FirstLight : public test::CommandTest {
 protected:
  static std::string command(const std::string& arguments) {
    return std::string(test::vqas_command()) + " " + arguments;
  }

  json results(const std::string& name) const {
    std::ifstream file(folder_.path() / name / "results.json");
    EXPECT_TRUE(file) << name;
    return json::parse(file, nullptr, false);
  }
  json quickstart(const std::string& name, const std::string& options) const {
    const auto run = vqas("quickstart " + in(name) + " " + options);
    EXPECT_EQ(run.exit_code, 0) << run.output;
    return results(name);
  }
  static std::vector<json> measurements(const json& results) {
    std::vector<json> all;
    for (const auto& direction : results["directions"]) {
      for (const auto& stimulus : direction["stimuli"]) {
        for (const auto& measurement : stimulus["measurements"]) all.push_back(measurement);
      }
    }
    return all;
  }
  static double mean_of_directions(const json& results) {
    double sum = 0;
    for (const auto& direction : results["directions"]) sum += direction["mean_mos_lqo"].get<double>();
    return sum / static_cast<double>(results["directions"].size());
  }
};

// Its simulator and nodes end with it.
TEST_F(FirstLight, AnEndedQuickstartIsNotResumedAndSaysHowToMeasureAgain) {
  for (const char* const signal : {"INT", "KILL"}) {
    const std::string journal = in(signal) + "/journal.jsonl";
    test::run_command(command("quickstart " + in(signal) + " --seed 5 --ber 2e-3") + " > /dev/null 2>&1 & cut=$!; " +
                      "while kill -0 $cut 2> /dev/null && [ $(cat " + journal +
                      " 2> /dev/null | wc -l) -lt 3 ]; do sleep 0.02; done; kill -" + signal + " $cut; wait $cut");
    const auto resumed = vqas("measure --resume " + in(signal));
    EXPECT_EQ(resumed.exit_code, test::kBadInput) << resumed.output;
    EXPECT_THAT(resumed.output, ::testing::HasSubstr("measure it again: vqas quickstart again --seed 5"));
    EXPECT_THAT(resumed.output, ::testing::HasSubstr("--ber 0.002"));
  }
}

TEST_F(FirstLight, ResultsHoldTheDocumentedMembers) {
  const json r = quickstart("run", "--stimuli M1,F5 --cap 5 --ber 0 --seed 3");
  for (const char* key : {"schema", "software_version", "score_version", "seed", "line", "model_error", "timing"}) {
    EXPECT_TRUE(r.contains(key)) << key;
  }
  ASSERT_EQ(r["directions"].size(), 2U);
  const std::set<std::string> outcomes{"scored",        "not_found", "not_aligned", "no_speech", "too_short",
                                       "clipped_input", "bad_input", "audio_fault", "line_lost", "cancelled"};
  for (const auto& direction : r["directions"]) {
    for (const char* key : {"from", "to", "mean_mos_lqo", "half_width", "stimuli_included", "range_over_stimuli"}) {
      EXPECT_TRUE(direction.contains(key)) << key;
    }
    for (const auto& stimulus : direction["stimuli"]) {
      for (const char* key :
           {"n", "mean_mos_lqo", "standard_deviation", "half_width", "confidence", "stopped_because"}) {
        EXPECT_TRUE(stimulus.contains(key)) << key;
      }
      std::set<std::string> named;
      for (const auto& [name, count] : stimulus["outcomes"].items()) named.insert(name);
      EXPECT_EQ(named, outcomes);
      EXPECT_EQ(stimulus["n"], 5);
      EXPECT_GT(stimulus["standard_deviation"], 0.0) << "each transmission meets a fresh phase, noise and gain";
      for (const auto& m : stimulus["measurements"]) {
        EXPECT_EQ(m["outcome"], "scored") << m;
        EXPECT_EQ(m["delay_basis"], "virtual");
        EXPECT_TRUE(fs::exists(folder_.path() / "run" / m["recording"].get<std::string>())) << m["recording"];
      }
    }
  }
  for (const char* file : {"results.csv", "report.html"})
    EXPECT_TRUE(fs::exists(folder_.path() / "run" / file)) << file;
}

TEST_F(FirstLight, TheSameSeedGivesTheSameBytesAndAnotherSeedDoesNot) {
  const std::string options = "--stimuli M3,F1 --cap 5 --ber 1e-4 ";
  json first = quickstart("first", options + "--seed 11");
  json again = quickstart("again", options + "--seed 11");
  json other = quickstart("other", options + "--seed 12");
  for (json* r : {&first, &again, &other}) r->erase("timing");
  EXPECT_EQ(first.dump(), again.dump());
  other["seed"] = first["seed"];
  EXPECT_NE(first["directions"].dump(), other["directions"].dump());
}

TEST_F(FirstLight, AfterAProfileTheSameOneIsSuggestedWithAnotherSeed) {
  const std::string told = test::run_command(command("quickstart " + in("storm") +
                                                     " --profile thunderstorm --stimuli M1 --directions a-to-b --cap 5"
                                                     " --seed 7"))
                               .output;
  EXPECT_THAT(told, ::testing::HasSubstr("Next, try: vqas quickstart " + in("storm-again --seed 8")));
  EXPECT_THAT(told, ::testing::HasSubstr(" --profile thunderstorm"));
  EXPECT_THAT(told, ::testing::Not(::testing::HasSubstr("--clock"))) << "defaults are not repeated";
}

TEST_F(FirstLight, TheSuggestedLineIsWorseButBetterAfterAnUnusableOne) {
  const auto next = [this](const std::string& name, const std::string& ber) {
    return test::run_command(
               command("quickstart " + in(name) + " --stimuli M1 --directions a-to-b --cap 5 --ber " + ber))
        .output;
  };
  const std::string told = next("none/", "0");
  EXPECT_THAT(told, ::testing::HasSubstr("Next, try: vqas quickstart " + in("none-worse --ber 1e-05")));
  EXPECT_THAT(told, ::testing::HasSubstr(" --cap 5 --stimuli M1 --directions a-to-b")) << "measured in the same way";
  EXPECT_THAT(next("some", "1e-3"), ::testing::HasSubstr(in("some-worse --ber 0.01")));
  EXPECT_THAT(next("much", "1e-2"), ::testing::HasSubstr(in("much-better --ber 0.001")));
}

TEST_F(FirstLight, TheMeanFallsWithTheBitErrorRatio) {
  double before = 5;
  for (const std::string ber : {"0", "1e-5", "1e-4", "1e-3", "1e-2"}) {
    const json r = quickstart("ber-" + ber, "--stimuli M6,F5 --cap 5 --seed 5 --ber " + ber);
    const double mean = mean_of_directions(r);
    EXPECT_LT(mean, before) << "at " << ber;
    before = mean;
    if (ber == "0") {
      for (const auto& m : measurements(r)) EXPECT_EQ(m["outcome"], "scored") << m;
    }
  }
  EXPECT_LT(before, 2.5);
}

TEST_F(FirstLight, MarksGiveDelayAndClockDrift) {
  const json r = quickstart("run", "--stimuli M2 --cap 5 --ber 0 --delay-s 0.4 --clock-a-ppm 40 --clock-b-ppm -35");
  for (const auto& direction : r["directions"]) {
    const double drift = direction["to"] == "a" ? 75 : -75;
    for (const auto& m : direction["stimuli"][0]["measurements"]) {
      EXPECT_NEAR(m["delay_ms"].get<double>(), 400, 1.0);
      EXPECT_NEAR(m["clock_drift_ppm"].get<double>(), drift, 6);
    }
  }
}

TEST_F(FirstLight, ALongGuardLeavesTheDriftRight) {
  for (const std::string guard : {"0.2", "1"}) {
    const json r = quickstart("guard-" + guard,
                              "--stimuli M2 --cap 5 --ber 0 --clock-a-ppm 50 --clock-b-ppm 0 --guard-s " + guard);
    for (const auto& direction : r["directions"]) {
      const double drift = direction["to"] == "a" ? 50 : -50;
      for (const auto& m : direction["stimuli"][0]["measurements"]) {
        EXPECT_NEAR(m["clock_drift_ppm"].get<double>(), drift, 6) << guard;
      }
    }
  }
}

// Waits until the run has measured five times.
bool has_measurements(const std::string& run) {
  return test::wait_until([&run] {
    const std::string journal = test::read_text(fs::path(run) / "journal.jsonl");
    return std::ranges::count(journal, '\n') >= 6;
  });
}

TEST_F(FirstLight, ADeadNodeIsReportedImmediatelyAndNothingIsLost) {
  const std::string run = in("run");
  // The run has 120 measurements; one node is killed as soon as some are in the journal.
  std::thread killer([&run] {
    if (has_measurements(run)) test::run_command("pkill -KILL -f -- 'node --end b.*" + run + "'");
  });
  const auto outcome = vqas("quickstart " + run + " --ber 1e-3 --cap 30 --seed 2");
  killer.join();
  EXPECT_EQ(outcome.exit_code, kLineLost) << outcome.output;
  const json r = results("run");
  const auto all = measurements(r);
  EXPECT_GE(all.size(), 5U);
  std::size_t without_recording = 0;
  for (const auto& direction : r["directions"]) {
    for (const auto& m : measurements({{"directions", json::array({direction})}})) {
      if (m["outcome"] != "scored") continue;
      if (m["recording"].is_null()) {
        // It was announced, but its recording was lost with the node.
        EXPECT_EQ(direction["to"], "b") << m;
        ++without_recording;
        continue;
      }
      EXPECT_TRUE(fs::exists(fs::path(run) / m["recording"].get<std::string>())) << m;
    }
  }
  EXPECT_LE(without_recording, 3U);
}

TEST_F(FirstLight, AKilledControllerLeavesAReadableRun) {
  const std::string run = in("run");
  std::thread killer([&run] {
    if (has_measurements(run)) test::run_command("pkill -KILL -f -- 'quickstart " + run + "'");
  });
  const auto killed = vqas("quickstart " + run + " --ber 1e-3 --cap 30 --seed 2");
  killer.join();
  EXPECT_NE(killed.exit_code, 0);
  const auto rebuilt = vqas("report " + run);
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.output;
  EXPECT_GE(measurements(results("run")).size(), 5U);
}

}  // namespace
}  // namespace vqas
