// Campaigns as a user runs them: a plan on a simulated line, its store, comparison, export, old recordings, notes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/exit_codes.h"
#include "support/places.h"
#include "support/process.h"
#include "support/same_but_for_rounding.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::kBadInput;
using test::kFailed;
using test::kUndecided;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class CampaignCommand : public ::testing::Test {
 protected:
  std::string in(const std::string& name) const { return (folder_.path() / name).string(); }
  static test::CommandRun run(const std::string& arguments) {
    return test::run_command(std::string(test::vqas_command()) + " " + arguments);
  }
  json run_json(const std::string& arguments, int exit_code = 0) const {
    const auto done = run(arguments + " > " + in("out.json"));
    EXPECT_EQ(done.exit_code, exit_code) << done.output;
    return json::parse(test::read_text(in("out.json")), nullptr, false);
  }
  /// One stimulus, one direction, five measurements and no more.
  std::string plan(const std::string& name, const std::string& more, const std::string& precision = "") const {
    const fs::path file = in(name + ".toml");
    std::ofstream(file) << "[campaign]\nname = \"" << name << "\"\n[tags]\nsite = \"north\"\n[line]\nkind = \"sim:\"\n"
                        << "[stimuli]\nstimuli = [\"M1\"]\ndirections = \"a-to-b\"\n[precision]\ncap_count = 5\n"
                        << precision << "\n"
                        << more;
    return file.string();
  }
  /// Thirty measurements, to have time to disturb them.
  std::string long_plan(const std::string& name, const std::string& more = {}) const {
    const fs::path file = in(name + ".toml");
    std::ofstream(file)
        << "[line]\nkind = \"sim:\"\nber = 1e-3\n[stimuli]\nstimuli = [\"M1\"]\ndirections = \"a-to-b\"\n"
        << "[precision]\ncap_count = 30\nhalf_width_mos = 0.001\n"
        << more;
    return file.string();
  }
  /// Begins a command, waits until the journal has `lines` lines, and runs `then` in the shell; $cut is its process.
  static test::CommandRun disturb(const std::string& arguments, const std::string& journal, int lines,
                                  const std::string& then) {
    return test::run_command("{ " + std::string(test::vqas_command()) + " " + arguments +
                             " > /dev/null 2>&1 & cut=$!; while kill -0 $cut 2> /dev/null && [ $(cat " + journal +
                             " 2> /dev/null | wc -l) -lt " + std::to_string(lines) + " ]; do sleep 0.02; done; " +
                             then + "; }");
  }
  /// Sequence numbers of the measurements in a journal, in their order.
  static std::vector<int> sequences_in(const std::string& journal) {
    std::vector<int> sequences;
    std::ifstream file(journal);
    for (std::string line; std::getline(file, line);) {
      const json one = json::parse(line, nullptr, false);
      if (one.is_object() && one.contains("measurement")) sequences.push_back(one["measurement"]["sequence"]);
    }
    return sequences;
  }
  test::TemporaryFolder folder_;
};

TEST_F(CampaignCommand, PrintsAPlanThatItAccepts) {
  ASSERT_EQ(run("plan new > " + in("plan.toml")).exit_code, 0);
  const auto checked = run("plan check " + in("plan.toml"));
  EXPECT_EQ(checked.exit_code, 0) << checked.output;
  EXPECT_THAT(checked.output, HasSubstr("can be measured"));
}

TEST_F(CampaignCommand, RefusesAPlanWithTheLineOfItsFault) {
  const auto unknown = run("plan check " + plan("wrong", "[repeats]\nevery = 15\n"));
  EXPECT_EQ(unknown.exit_code, kBadInput);
  EXPECT_THAT(unknown.output, HasSubstr("wrong.toml:14: \"every\" is not a key of [repeats]"));
  const std::string absent = plan("absent", "");
  std::string text = test::read_text(absent);
  text.replace(text.find("M1"), 2, "M99");
  std::ofstream(absent) << text;
  EXPECT_THAT(run("plan check " + absent).output, HasSubstr("absent.toml:8: stimuli: the corpus "));
  const auto stranger = run("measure " + plan("stranger", "") + " --out " + in("x") + " --node-a ws://127.0.0.1:1");
  EXPECT_EQ(stranger.exit_code, 2) << stranger.output;
  EXPECT_EQ(run("measure --out " + in("x")).exit_code, 2);
  const auto nameless = run("measure " + plan("nameless", "[repeats]\nevery_min = 1\nfor_h = 1\n") + " --out ''");
  EXPECT_EQ(nameless.exit_code, kBadInput) << nameless.output;
}

TEST_F(CampaignCommand, MeasuresItsRepeatsAndKeepsThemInTheStore) {
  const std::string store = in("store.sqlite");
  const std::string file = plan("winter", "[repeats]\nevery_min = 15\nfor_h = 0.5\n[store]\nurl = \"" + store + "\"\n");
  const auto measured = run("measure " + file + " --out " + in("winter"));
  ASSERT_EQ(measured.exit_code, 0) << measured.output;
  EXPECT_TRUE(fs::exists(in("winter/run-0001/report.html")));
  EXPECT_TRUE(fs::exists(in("winter/run-0002/report.html")));
  EXPECT_FALSE(fs::exists(in("winter/run-0003")));
  EXPECT_THAT(test::read_text(in("winter/campaign.html")), HasSubstr("Over time"));

  const json listed = run_json("results list --json --tag site=north --store " + store);
  ASSERT_THAT(listed, SizeIs(2));
  EXPECT_EQ(listed[0]["campaign"], "winter");
  EXPECT_EQ(listed[0]["scored"], 5);
  EXPECT_THAT(run_json("results list --json --tag site=south --store " + store), SizeIs(0));
  EXPECT_THAT(run_json("results list --json --since 2026-01 --until 9999 --store " + store), SizeIs(2));
  EXPECT_EQ(run("results list --since yesterday --store " + store).exit_code, kBadInput);
  const std::string uuid = listed[0]["uuid"];

  // Taking them again adds nothing.
  const json taken = run_json("results take --json " + in("winter/run-0001") + " --store " + store);
  EXPECT_EQ(taken[0]["new"], 0);
  EXPECT_EQ(taken[0]["known"], 5);

  const json compared = run_json("results compare --json " + uuid + " " + in("winter/run-0002") + " --store " + store +
                                 " --page " + in("page.html"));
  ASSERT_THAT(compared, SizeIs(1));
  EXPECT_EQ(compared[0]["stimuli"][0]["stimulus"], "M1");
  EXPECT_THAT(test::read_text(in("page.html")), HasSubstr("<h2>Comparison</h2>"));

  const auto csv = run("export " + uuid + " --format csv --store " + store);
  EXPECT_EQ(csv.exit_code, 0);
  EXPECT_THAT(csv.output, StartsWith("from,to,stimulus,sequence,outcome,mos_lqo"));
  EXPECT_EQ(std::count(csv.output.begin(), csv.output.end(), '\n'), 6);

  // The same score on the same recordings: from the folder, and from the archive by digest.
  for (const std::string& from : {in("winter/run-0001"), uuid}) {
    const json rescored = run_json("rescore --json " + from + " --store " + store);
    EXPECT_EQ(rescored["recordings"], 5);
    EXPECT_EQ(rescored["missing"], 0);
    // Scores and auditory distances are compared to the last bit.
    EXPECT_THAT(rescored["changed"], SizeIs(0)) << rescored["changed"];
  }
}

TEST_F(CampaignCommand, PrintsItsRunsAsOneListOrEventsAsLines) {
  const std::string file = plan("told", "[repeats]\nevery_min = 15\nfor_h = 0.5\n");
  const json all = run_json("measure " + file + " --json --out " + in("told"));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0]["seed"], 1);
  EXPECT_EQ(all[1], json::parse(test::read_text(in("told/run-0002/results.json"))));
  EXPECT_EQ(run_json("measure " + file + " --json --resume " + in("told")), all) << "ended runs are included";

  const auto lines = run("measure " + file + " --json-lines --out " + in("lines"));
  ASSERT_EQ(lines.exit_code, 0) << lines.output;
  std::map<std::string, int> events;
  std::istringstream text(lines.output);
  for (std::string line; std::getline(text, line);) {
    const json event = json::parse(line, nullptr, false);
    ASSERT_TRUE(event.is_object()) << line;
    ++events[event["event"].get<std::string>()];
  }
  EXPECT_EQ(events["run"], 2);
  EXPECT_EQ(events["measured"], 10);
  EXPECT_EQ(events["finished"], 2);
  EXPECT_EQ(events["ended"], 1);
}

TEST_F(CampaignCommand, RefusesToCompareRunsOfAnotherScoreVersion) {
  ASSERT_EQ(run("measure " + plan("one", "") + " --out " + in("one")).exit_code, 0);
  fs::copy(in("one"), in("other"), fs::copy_options::recursive);
  json results = json::parse(test::read_text(in("other/results.json")));
  results["score_version"] = "vqas-nb-0";
  fs::remove(in("other/journal.jsonl"));  // else it is the first truth
  std::ofstream(in("other/results.json")) << results;
  const std::string both = "results compare " + in("one") + " " + in("other");
  const auto refused = run(both);
  EXPECT_EQ(refused.exit_code, kBadInput);
  EXPECT_THAT(refused.output, HasSubstr("and vqas-nb-0; a difference between them need not be the line's"));
  const auto anyway = run(both + " --unlike");
  EXPECT_EQ(anyway.exit_code, 0) << anyway.output;
  EXPECT_THAT(anyway.output, HasSubstr("warning: "));
}

TEST_F(CampaignCommand, ResumesAfterAKillAndCountsEachMeasurementOnce) {
  const std::string file = long_plan("cut", "[repeats]\nevery_min = 15\nfor_h = 0.5\n");
  ASSERT_EQ(run("measure " + file + " --resume " + in("cut")).exit_code, kBadInput) << "nothing was begun";
  disturb("measure " + file + " --out " + in("cut"), in("cut/run-0001/journal.jsonl"), 3, "kill -9 $cut; wait $cut");
  const auto alone = run("measure --resume " + in("cut/run-0001"));
  EXPECT_EQ(alone.exit_code, kBadInput);
  EXPECT_THAT(alone.output, HasSubstr("resume its campaign: vqas measure --resume " + in("cut")));
  EXPECT_THAT(run("measure " + file + " --out " + in("cut")).output,
              HasSubstr("resume its campaign if that is not complete: vqas measure --resume " + in("cut")));
  for (int again = 0; again < 2; ++again) {
    const auto resumed = run("measure " + file + " --resume " + in("cut"));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.output;
    for (const char* const name : {"cut/run-0001", "cut/run-0002"}) {
      const json results = json::parse(test::read_text(in(std::string(name) + "/results.json")));
      const json& measured = results["directions"][0]["stimuli"][0]["measurements"];
      EXPECT_THAT(measured, SizeIs(30)) << name;
      for (std::size_t i = 1; i < measured.size(); ++i) EXPECT_GT(measured[i]["sequence"], measured[i - 1]["sequence"]);
    }
  }
}

TEST_F(CampaignCommand, ResumesByTheCopyOfItsPlan) {
  const std::string file = long_plan("kept", "[repeats]\nevery_min = 15\nfor_h = 0.5\n");
  disturb("measure " + file + " --out " + in("kept"), in("kept/run-0001/journal.jsonl"), 3, "kill -9 $cut; wait $cut");
  fs::remove(file);
  const auto resumed = run("measure --resume " + in("kept"));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.output;
  for (const char* const name : {"kept/run-0001", "kept/run-0002"}) {
    const json results = json::parse(test::read_text(in(std::string(name) + "/results.json")));
    EXPECT_THAT(results["directions"][0]["stimuli"][0]["measurements"], SizeIs(30)) << name;
  }
}

TEST_F(CampaignCommand, NamesTheResumeCommandWhenInterrupted) {
  const auto told = test::run_command(
      "{ " + std::string(test::vqas_command()) + " measure " + long_plan("long") + " --out " + in("long") +
      " 2>&1 & cut=$!; while kill -0 $cut 2> /dev/null && [ $(cat " + in("long/journal.jsonl") +
      " 2> /dev/null | wc -l) -lt 3 ]; do sleep 0.02; done; kill -INT $cut; wait $cut; }");
  EXPECT_THAT(told.output, HasSubstr("Next, try: vqas measure --resume " + in("long")));
}

TEST_F(CampaignCommand, RefusesAChangedPlanThatWouldMeasureSomethingElse) {
  const std::string file = long_plan("changed");
  disturb("measure " + file + " --out " + in("changed"), in("changed/journal.jsonl"), 3, "kill -9 $cut; wait $cut");
  const std::string begun = test::read_text(file);
  const auto with = [&](const std::string& what, const std::string& other) {
    std::string text = begun;
    text.replace(text.find(what), what.size(), other);
    std::ofstream(file) << text;
    return run("measure " + file + " --resume " + in("changed"));
  };
  const auto line = with("ber = 1e-3", "ber = 1e-2");
  EXPECT_EQ(line.exit_code, kBadInput);
  EXPECT_THAT(line.output, HasSubstr("ber was 0.001 and is 0.01"));
  EXPECT_THAT(line.output, HasSubstr("--out " + in("changed-2")));
  EXPECT_THAT(with("\"M1\"", "\"M4\"").output, HasSubstr("stimuli was M1 and is M4"));
  EXPECT_THAT(with("\"a-to-b\"", "\"both\"").output, HasSubstr("directions was \"a-to-b\" and is \"both\""));
  EXPECT_FALSE(fs::exists(in("changed/results.json"))) << "nothing was measured";

  const auto goal = with("cap_count = 30", "cap_count = 10");
  EXPECT_EQ(goal.exit_code, 0) << goal.output;
  EXPECT_THAT(goal.output, HasSubstr("cap_count was 30 and is 10"));
  const json results = json::parse(test::read_text(in("changed/results.json")));
  EXPECT_EQ(results["sampling"]["cap_count"], 10);
  EXPECT_THAT(results["about"]["notes"].get<std::string>(), HasSubstr("The plan was changed after"));
  EXPECT_THAT(results["directions"][0]["stimuli"][0]["measurements"].size(),
              ::testing::AllOf(::testing::Ge(10), ::testing::Lt(30)));
  EXPECT_THAT(run("measure --resume " + in("changed")).output, Not(HasSubstr("was changed")));

  // The store has the run as it ended.
  const std::string store = " --store " + in("store.sqlite");
  ASSERT_EQ(run("results take " + in("changed") + store).exit_code, 0);
  const json listed = run_json("results list --json" + store);
  ASSERT_THAT(listed, SizeIs(1));
  const json exported = run_json("export " + listed[0]["uuid"].get<std::string>() + " --format json" + store);
  EXPECT_EQ(exported["sampling"], results["sampling"]);
  EXPECT_EQ(exported["about"], results["about"]);
}

TEST_F(CampaignCommand, OnlyOneProcessMeasuresIntoAFolder) {
  const std::string file = long_plan("one"), command = test::vqas_command(), journal = in("one/journal.jsonl");
  // The first is stopped, so that it does not end before the others have tried.
  const auto both =
      disturb("measure " + file + " --out " + in("one"), journal, 3,
              "kill -STOP $cut; " + command + " measure " + file + " --resume " + in("one") + "; echo resumed $?; " +
                  command + " measure " + file + " --force --out " + in("one") + "; echo forced $?; " + command +
                  " report " + in("one") + "; echo reported $?; kill -CONT $cut; wait $cut; echo first $?");
  for (const char* const told : {"resumed 9", "forced 9", "reported 0", "first 0"})
    EXPECT_THAT(both.output, HasSubstr(told)) << both.output;
  EXPECT_THAT(both.output, HasSubstr("is going on in process "));
  const std::vector<int> sequences = sequences_in(journal);
  EXPECT_THAT(sequences, SizeIs(30));
  EXPECT_THAT(std::set<int>(sequences.begin(), sequences.end()), SizeIs(30));
  const json results = json::parse(test::read_text(in("one/results.json")));
  EXPECT_THAT(results["directions"][0]["stimuli"][0]["measurements"], SizeIs(30));
  EXPECT_EQ(results["ended_because"], nullptr);
  EXPECT_FALSE(fs::exists(in("one/run.lock")));
}

TEST_F(CampaignCommand, OnlyOneProcessHoldsACampaignBetweenItsRuns) {
  const std::string file = plan("repeated", "[repeats]\nevery_min = 15\nfor_h = 2\n");
  const std::string command = test::vqas_command();
  const auto both =
      disturb("measure " + file + " --out " + in("repeated"), in("repeated/run-0001/journal.jsonl"), 7,
              "kill -STOP $cut; rm -f " + in("repeated/run-0001/run.lock") + "; " + command + " measure " + file +
                  " --resume " + in("repeated") + "; echo resumed $?; kill -CONT $cut; " + "kill -INT $cut; wait $cut");
  EXPECT_THAT(both.output, HasSubstr("resumed 9")) << both.output;
  EXPECT_THAT(both.output, HasSubstr(in("repeated") + " is going on in process "));
  EXPECT_FALSE(fs::exists(in("repeated/run.lock")));
}

TEST_F(CampaignCommand, ADamagedLineIsRepairedOnceAndEverywhere) {
  const std::string store = in("store.sqlite");
  const std::string file = plan("damaged", "[store]\nurl = \"" + store + "\"\n");
  ASSERT_EQ(run("measure " + file + " --out " + in("damaged")).exit_code, 0);
  const auto damage = [&](int lines_before) {
    std::string text = test::read_text(in("damaged/journal.jsonl"));
    std::size_t line = 0;
    for (int n = 0; n < lines_before; ++n) line = text.find('\n', line) + 1;
    text.replace(line, 20, 20, '?');
    std::ofstream(in("damaged/journal.jsonl")) << text;
  };
  const auto sequences_told = [&] {
    std::vector<int> found;
    const json results = json::parse(test::read_text(in("damaged/results.json")), nullptr, false);
    for (const json& one : results["directions"][0]["stimuli"][0]["measurements"]) found.push_back(one["sequence"]);
    EXPECT_EQ(results["ended_because"], nullptr);
    return found;
  };
  const auto stored = [&] { return run_json("results list --json --store " + store)[0]; };
  damage(3);
  EXPECT_EQ(run("report " + in("damaged")).exit_code, 0);  // as people usually do first
  const auto restored = run("measure " + file + " --resume " + in("damaged"));
  EXPECT_EQ(restored.exit_code, 0) << restored.output;
  EXPECT_THAT(restored.output, HasSubstr("taken from results.json instead: 1"));
  EXPECT_THAT(sequences_told(), ::testing::ElementsAre(1, 2, 3, 4, 5));
  // Without the results it is measured again.
  damage(2);
  fs::remove(in("damaged/results.json"));
  EXPECT_EQ(run("measure " + file + " --resume " + in("damaged")).exit_code, 0);
  EXPECT_THAT(sequences_told(), ::testing::ElementsAre(1, 3, 4, 5, 6));
  EXPECT_EQ(stored()["measurements"], 5);
  EXPECT_EQ(run_json("report --json " + in("damaged"))["complete"], true);
  EXPECT_THAT(sequences_told(), ::testing::ElementsAre(1, 3, 4, 5, 6));
  const std::string journal = test::read_text(in("damaged/journal.jsonl"));
  EXPECT_EQ(run("measure " + file + " --resume " + in("damaged")).exit_code, 0);
  EXPECT_EQ(test::read_text(in("damaged/journal.jsonl")), journal) << "a run that has ended is not resumed";
}

TEST_F(CampaignCommand, ReportsTheJournalAfterAResumedRunWasKilled) {
  const std::string file = long_plan("twice"), journal = in("twice/journal.jsonl");
  disturb("measure " + file + " --out " + in("twice"), journal, 3, "kill -INT $cut; wait $cut");
  ASSERT_TRUE(fs::exists(in("twice/results.json"))) << "of the part that was cancelled";
  const std::size_t before = sequences_in(journal).size();
  ASSERT_LT(before, 25U);
  disturb("measure " + file + " --resume " + in("twice"), journal, static_cast<int>(before) + 6,
          "kill -9 $cut; wait $cut");
  const std::size_t now = sequences_in(journal).size();
  ASSERT_GT(now, before);
  EXPECT_FALSE(fs::exists(in("twice/results.json"))) << "it would hold the first part alone";
  EXPECT_FALSE(fs::exists(in("twice/report.html")));
  const auto csv = run("export " + in("twice") + " --format csv");  // with a header and a warning
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.output.begin(), csv.output.end(), '\n')), now + 2);
  const json reported = run_json("report --json " + in("twice"));
  EXPECT_EQ(reported["rebuilt_from"], "journal.jsonl");
  const json results = json::parse(test::read_text(in("twice/results.json")));
  EXPECT_THAT(results["directions"][0]["stimuli"][0]["measurements"], SizeIs(now));
}

TEST_F(CampaignCommand, MeasuresMoreForANoteWhenTheRunIsResumed) {
  const fs::path file = in("heard.toml");
  std::ofstream(file) << "[line]\nkind = \"sim:\"\nber = 1e-3\n[stimuli]\nstimuli = [\"M1\"]\n"
                      << "directions = \"a-to-b\"\n[precision]\nfirst_count = 10\nhalf_width_mos = 2.0\n";
  disturb("measure " + file.string() + " --out " + in("heard"), in("heard/journal.jsonl"), 3,
          "kill -9 $cut; wait $cut");
  ASSERT_THAT(sequences_in(in("heard/journal.jsonl")), Not(SizeIs(0)));
  ASSERT_EQ(run("note " + in("heard") + " 1 --disagree \"every word was clear\"").exit_code, 0);
  for (int again = 0; again < 2; ++again) {
    const auto resumed = run("measure " + file.string() + " --resume " + in("heard"));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.output;
    const json results = json::parse(test::read_text(in("heard/results.json")));
    EXPECT_THAT(results["directions"][0]["stimuli"][0]["n"], 15) << "ten, and a step for the note";
  }
}

TEST_F(CampaignCommand, ResumedRunWithoutAScoreReportsThatThereIsNone) {
  const std::string file = plan("noise", "");
  std::string text = test::read_text(file);
  text.replace(text.find("kind ="), 0, "ber = 0.5\n");
  std::ofstream(file) << text;
  EXPECT_EQ(run("measure " + file + " --out " + in("noise")).exit_code, 4);
  const auto again = run("measure " + file + " --resume " + in("noise"));
  EXPECT_EQ(again.exit_code, 4) << again.output;
}

TEST_F(CampaignCommand, RescoringKeepsOutcomesThatTheLineCaused) {
  ASSERT_EQ(run("measure " + plan("lost", "") + " --out " + in("lost")).exit_code, 0);
  std::string journal = test::read_text(in("lost/journal.jsonl"));
  // As if the call was lost after something had been received.
  std::string changed;
  std::istringstream lines(journal);
  for (std::string line; std::getline(lines, line);) {
    json one = json::parse(line);
    if (one.contains("measurement") && one["measurement"]["sequence"] == 2) {
      one["measurement"]["outcome"] = "line_lost";
      one["measurement"]["reason"] = "node b went away";
      one["measurement"]["mos_lqo"] = nullptr;
      one["measurement"]["auditory_distance"] = nullptr;
    }
    // A line with a wrong digest would be left out.
    one.erase("after");
    one.erase("digest");
    changed += one.dump() + "\n";
  }
  std::ofstream(in("lost/journal.jsonl")) << changed;
  const json rescored = run_json("rescore --json " + in("lost"));
  EXPECT_EQ(rescored["recordings"], 4);
  EXPECT_EQ(rescored["not_judged_by_score"], 1);
  EXPECT_THAT(rescored["changed"], SizeIs(0)) << rescored.dump();
  fs::remove(in("lost/recordings/a-to-b-M1-0001.flac"));
  EXPECT_EQ(run_json("rescore --json " + in("lost"), test::kNotMeasured)["missing"], 1);
}

TEST_F(CampaignCommand, TheExitCodeGivesTheVerdict) {
  const auto exit_code = [&](const std::string& limit) {
    const std::string name = "limit" + limit.substr(0, 1);
    return run("measure " + plan(name, "", "limit_mos = " + limit) + " --out " + in(name)).exit_code;
  };
  EXPECT_EQ(exit_code("1.5"), 0);
  EXPECT_EQ(exit_code("4.2"), kUndecided);
  EXPECT_EQ(exit_code("5.0"), kFailed);
  const auto failed = run("measure " + plan("told", "", "limit_mos = 5.0") + " --out " + in("told"));
  EXPECT_THAT(failed.output, HasSubstr("limit 5.00 MOS-LQON: fail\n  a to b: fail, "));
  EXPECT_THAT(failed.output, HasSubstr("5.00\n")) << "the figures beside the limit";
  EXPECT_THAT(test::read_text(in("limit1/report.html")), HasSubstr("Pass: limit 1.50"));
  EXPECT_EQ(json::parse(test::read_text(in("limit1/results.json")))["verdict"], "pass");
}

TEST_F(CampaignCommand, ReportsAnUnwritableStoreBeforeItMeasures) {
  const auto refused =
      run("measure " + plan("nowhere", "[store]\nurl = \"/proc/store.sqlite\"\n") + " --out " + in("x"));
  EXPECT_EQ(refused.exit_code, 7) << refused.output;
  EXPECT_FALSE(fs::exists(in("x/journal.jsonl")));
}

TEST_F(CampaignCommand, ReportsAnUnwritableArchiveBeforeItMeasures) {
  std::ofstream(in("store.sqlite.recordings")) << "a file stands where the folder should be";
  const auto refused =
      run("measure " + plan("full", "[store]\nurl = \"" + in("store.sqlite") + "\"\n") + " --out " + in("x"));
  EXPECT_EQ(refused.exit_code, 7) << refused.output;
  EXPECT_THAT(refused.output, HasSubstr("store.sqlite.recordings"));
  EXPECT_FALSE(fs::exists(in("x/journal.jsonl")));
}

TEST_F(CampaignCommand, ChecksDiskSpaceForAllRunsBeforeItMeasures) {
  // One run of a year's would fit.
  std::ofstream(in("year.toml")) << "[line]\nkind = \"sim:\"\n[precision]\ncap_count = 1000\n"
                                 << "[repeats]\nevery_min = 15\nfor_h = 8760\n";
  const auto refused = run("measure " + in("year.toml") + " --out " + in("x"));
  EXPECT_EQ(refused.exit_code, 7) << refused.output;
  EXPECT_THAT(refused.output, HasSubstr("MB may be needed"));
  EXPECT_FALSE(fs::exists(in("x/run-0001")));
}

// A disk that is full when the journal is written: an open file of limited size.
TEST_F(CampaignCommand, NamesTheResumeCommandWhenItCannotWrite) {
  const auto told =
      test::run_command("{ ulimit -f 8; trap '' XFSZ; " + std::string(test::vqas_command()) + " measure " +
                        long_plan("full") + " --json-lines --out " + in("full") + " 2>&1 > /dev/null; }");
  EXPECT_EQ(told.exit_code, 7) << told.output;
  EXPECT_THAT(told.output, HasSubstr("vqas measure --resume " + in("full")));
}

// The files that a kill leaves before the nodes are paired.
TEST_F(CampaignCommand, BeginsInAFolderOfARunKilledBeforeItsFirstMeasurement) {
  const std::string file = plan("early", "");
  for (const char* const how : {"--resume", "--out"}) {
    const fs::path folder = in(std::string("early") + how);
    fs::create_directories(folder / "recordings");
    fs::create_directories(folder / "nodes/a/recordings");
    std::ofstream(folder / "nodes/a/node-journal.jsonl") << "{}\n";
    std::ofstream(folder / "run.lock").flush();
    const auto begun = run("measure " + file + " " + how + " " + folder.string());
    EXPECT_EQ(begun.exit_code, 0) << begun.output;
    EXPECT_TRUE(fs::exists(folder / "results.json"));
  }
  const fs::path foreign = in("foreign");
  fs::create_directories(foreign);
  std::ofstream(foreign / "run.lock").flush();
  std::ofstream(foreign / "letter.txt") << "dear";
  EXPECT_EQ(run("measure " + file + " --resume " + foreign.string()).exit_code, kBadInput);
  EXPECT_EQ(run("measure " + file + " --out " + foreign.string()).exit_code, kBadInput);
  EXPECT_TRUE(fs::exists(foreign / "letter.txt"));
}

TEST_F(CampaignCommand, WritesNotesIntoTheReport) {
  ASSERT_EQ(run("measure " + plan("noted", "") + " --out " + in("noted")).exit_code, 0);
  const auto noted = run("note " + in("noted") + " 3 --disagree \"every word was clear\"");
  EXPECT_EQ(noted.exit_code, 0) << noted.output;
  EXPECT_THAT(noted.output, HasSubstr("Noted: the run is over, and its campaign does not measure it again."));
  const json kept = json::parse(test::read_text(in("noted/results.json")));
  EXPECT_EQ(kept["notes"].size(), 1U);
  EXPECT_EQ(run_json("export " + in("noted") + " --format json"), kept);
  EXPECT_EQ(run("note " + in("noted") + " 300 --disagree x").exit_code, kBadInput);
  EXPECT_EQ(run("note " + in("noted") + " 3").exit_code, kBadInput);
  ASSERT_EQ(run("report " + in("noted")).exit_code, 0);
  const std::string page = test::read_text(in("noted/report.html"));
  EXPECT_THAT(page, HasSubstr("every word was clear"));
  EXPECT_THAT(page, HasSubstr("sounds different"));
  EXPECT_THAT(page, HasSubstr("Conversation: an estimate"));
}

TEST_F(CampaignCommand, ReportsWhatIsMissingFromItsFolders) {
  const std::string file = plan("gone", "[repeats]\nevery_min = 15\nfor_h = 1\n");
  const json whole = run_json("measure " + file + " --json --out " + in("gone"));
  ASSERT_THAT(whole, SizeIs(4));
  fs::remove_all(in("gone/run-0002"));
  std::ofstream(in("gone/run-0001/results.json")) << "zz";
  fs::remove(in("gone/run-0003/results.json"));
  fs::remove(in("gone/run-0004/journal.jsonl"));
  // The shell redirects standard error to the file in any case.
  const auto done =
      run("measure --resume " + in("gone") + " --json > " + in("out.json") + " 2> " + in("told.txt") + "; exit $?");
  EXPECT_EQ(done.exit_code, test::kNotMeasured);
  const json resumed = json::parse(test::read_text(in("out.json")), nullptr, false);
  const std::string told = test::read_text(in("told.txt"));
  EXPECT_THAT(told, HasSubstr("run 2 of 4 (" + in("gone/run-0002") + ") has no results: it was removed"));
  EXPECT_THAT(told, HasSubstr(in("gone/run-0001/results.json") + " does not belong to the run's journal"));
  EXPECT_THAT(told, HasSubstr(in("gone/run-0003/results.json") + " is missing"));
  EXPECT_THAT(told, HasSubstr(in("gone/run-0004/journal.jsonl") + " is missing; the run is taken from results.json"));
  EXPECT_EQ(resumed, json::array({whole[0], whole[2], whole[3]}));
  EXPECT_EQ(json::parse(test::read_text(in("gone/run-0001/results.json")), nullptr, false), whole[0]);
  EXPECT_EQ(json::parse(test::read_text(in("gone/run-0003/results.json")), nullptr, false), whole[2]);
}

TEST_F(CampaignCommand, AnIncompleteRunWithoutAJournalIsNotASuccess) {
  ASSERT_EQ(run("measure " + plan("part", "") + " --out " + in("part")).exit_code, 0);
  json results = json::parse(test::read_text(in("part/results.json")));
  results["ended_because"] = "node b went away";
  std::ofstream(in("part/results.json")) << results.dump();
  fs::remove(in("part/journal.jsonl"));
  const auto done = run("measure --resume " + in("part"));
  EXPECT_EQ(done.exit_code, test::kNotMeasured) << done.output;
  EXPECT_THAT(done.output, HasSubstr("as it stands (not complete: node b went away), and is not resumed"));
}

TEST_F(CampaignCommand, ReportsDamageToAResumedRun) {
  const std::string file = long_plan("again"), journal = in("again/journal.jsonl");
  disturb("measure " + file + " --out " + in("again"), journal, 4, "kill -9 $cut; wait $cut");
  const auto before = run("measure --resume " + in("again"));
  ASSERT_EQ(before.exit_code, 0) << before.output;
  const json whole = json::parse(test::read_text(in("again/results.json")));
  std::string text = test::read_text(journal);
  text.replace(text.find('\n') + 1, 20, 20, '?');
  std::ofstream(journal) << text;
  const auto told = run("report " + in("again"));
  EXPECT_THAT(told.output, HasSubstr("one line of its journal was damaged and is left out"));
  EXPECT_THAT(told.output, Not(HasSubstr("made good")));
  const auto mended = run("measure --resume " + in("again"));
  EXPECT_EQ(mended.exit_code, 0) << mended.output;
  EXPECT_THAT(mended.output, HasSubstr("taken from results.json instead: 1"));
  const json now = json::parse(test::read_text(in("again/results.json")));
  test::expect_the_same_but_for_rounding(now["directions"], whole["directions"]);
  EXPECT_EQ(now["ended_because"], nullptr);
}

TEST_F(CampaignCommand, TimesOfAKilledAndResumedRunCoverAllOfIt) {
  const std::string file = long_plan("times"), session = in("times/session.jsonl");
  disturb("measure " + file + " --out " + in("times"), in("times/journal.jsonl"), 9, "kill -9 $cut; wait $cut");
  json round;  // the last one that was planned
  std::ifstream lines(session);
  for (std::string line; std::getline(lines, line);) {
    const json one = json::parse(line, nullptr, false);
    if (one.is_object() && one.contains("round")) round = one;
  }
  ASSERT_GT(round.value("wall_seconds", 0.0), 0);
  ASSERT_GT(round["line_seconds"], 0) << "of the second round at least";
  const auto done = run("measure --resume " + in("times"));
  ASSERT_EQ(done.exit_code, 0) << done.output;
  const json timing = json::parse(test::read_text(in("times/results.json")))["timing"];
  std::smatch told;
  ASSERT_TRUE(std::regex_search(
      done.output, told,
      std::regex(R"((\d+) s of line time in ([\d.]+) s in all; since the run was resumed (\d+) s in ([\d.]+) s)")))
      << done.output;
  EXPECT_NEAR(std::stod(told[2]), timing["wall_seconds"], 0.06);
  EXPECT_NEAR(std::stod(told[2]) - std::stod(told[4]), round["wall_seconds"], 0.11);
  EXPECT_NEAR(std::stod(told[1]) - std::stod(told[3]), round["line_seconds"], 1.01);
}

TEST_F(CampaignCommand, RefusesAMissingStoreAndAnInvalidDate) {
  for (const std::string command : {"results list", "export 3f2a", "rescore 3f2a"}) {
    const auto refused = run(command + " --store " + in("typo.sqlite"));
    EXPECT_EQ(refused.exit_code, kBadInput) << refused.output;
    EXPECT_THAT(refused.output, HasSubstr("there is no store " + in("typo.sqlite")));
    EXPECT_FALSE(fs::exists(in("typo.sqlite")));
  }
  fs::create_directories(in("none"));
  ASSERT_EQ(run("results take " + in("none") + " --store " + in("empty.sqlite")).exit_code, kBadInput);
  EXPECT_THAT(run("results list --store " + in("empty.sqlite")).output, HasSubstr("results take DIR"));
  const std::string store = in("store.sqlite");
  ASSERT_EQ(run("measure " + plan("one", "[store]\nurl = \"" + store + "\"\n") + " --out " + in("one")).exit_code, 0);
  for (const std::string day : {"2026-13-45", "2026-02-30", "2026-01-01T24:00", "2026-00"})
    EXPECT_EQ(run("results list --since " + day + " --store " + store).exit_code, kBadInput) << day;
  for (const std::string day : {"2026", "2024-02-29", "2026-01-01T23:59:59Z"})
    EXPECT_EQ(run("results list --since " + day + " --store " + store).exit_code, 0) << day;
}

}  // namespace
}  // namespace vqas
