// --resume after a very early kill, and on a complete run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/exit_codes.h"
#include "tools/command_test.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::kBadInput;
using ::testing::HasSubstr;

class ResumeCommand : public test::CommandTest {
 protected:
  /// One stimulus, one direction, five measurements and no more.
  std::string plan(const std::string& name, const std::string& more) const {
    const fs::path file = in(name + ".toml");
    std::ofstream(file) << "[line]\nkind = \"sim:\"\n[stimuli]\nstimuli = [\"M1\"]\ndirections = \"a-to-b\"\n"
                        << "[precision]\ncap_count = 5\n"
                        << more;
    return file.string();
  }
};

// A kill may come before the lock, before the first run has a folder, and while the copy of the plan is written.
TEST_F(ResumeCommand, BeginsInAFolderOfARunKilledAtItsStart) {
  const std::string file = plan("one", "");
  fs::create_directories(in("empty"));
  const auto empty = vqas("measure " + file + " --resume " + in("empty"));
  EXPECT_EQ(empty.exit_code, 0) << empty.output;
  EXPECT_TRUE(fs::exists(in("empty/results.json")));

  fs::create_directories(in("torn"));
  std::ofstream(in("torn/run.lock")).flush();
  std::ofstream(in("torn/.plan.json.2147483646.part")) << "{";
  const auto torn = vqas("measure " + file + " --resume " + in("torn"));
  EXPECT_EQ(torn.exit_code, 0) << torn.output;
  EXPECT_FALSE(fs::exists(in("torn/.plan.json.2147483646.part")));

  const std::string repeated = plan("repeated", "[repeats]\nevery_min = 15\nfor_h = 0.5\n");
  fs::create_directories(in("several"));
  std::ofstream(in("several/run.lock")).flush();
  const auto several = vqas("measure " + repeated + " --resume " + in("several"));
  EXPECT_EQ(several.exit_code, 0) << several.output;
  EXPECT_TRUE(fs::exists(in("several/run-0002/results.json")));

  const auto missing = vqas("measure " + file + " --resume " + in("missing"));
  EXPECT_EQ(missing.exit_code, kBadInput);
  EXPECT_THAT(missing.output, HasSubstr("no run of a campaign was begun in"));
  EXPECT_FALSE(fs::exists(in("missing")));
}

TEST_F(ResumeCommand, KilledAtItsStartItIsResumedWithoutItsPlan) {
  const std::string file = plan("early", ""), command = test::vqas_command();
  // As soon as the copy of the plan exists, before the line is set up.
  const auto killed = test::run_command("{ " + command + " measure " + file + " --out " + in("early") +
                                        " > /dev/null 2>&1 & cut=$!; while [ ! -e " + in("early/plan.json") +
                                        " ]; do sleep 0.005; done; kill -9 $cut; wait $cut; }");
  ASSERT_FALSE(fs::exists(in("early/journal.jsonl"))) << killed.output;
  fs::remove(file);
  const auto resumed = vqas("measure --resume " + in("early"));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.output;
  EXPECT_TRUE(fs::exists(in("early/report.html")));
}

// Two complete runs; then the second one is as if it had been killed.
TEST_F(ResumeCommand, ARunWithoutItsSessionKeepsItsMeasurements) {
  const std::string file = plan("two", "[repeats]\nevery_min = 15\nfor_h = 0.5\n");
  ASSERT_EQ(vqas("measure " + file + " --out " + in("two")).exit_code, 0);
  const std::string journal = in("two/run-0002/journal.jsonl");
  std::string text = test::read_text(journal);
  text.resize(text.rfind('\n', text.size() - 2) + 1);
  test::write_text(journal, text);
  fs::remove(in("two/run-0002/session.jsonl"));
  const auto resumed = vqas("measure --resume " + in("two"));
  EXPECT_EQ(resumed.exit_code, test::kNotMeasured) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr("session.jsonl is missing"));
  EXPECT_EQ(test::read_text(journal), text);
  const auto alone = vqas("measure --resume " + in("two/run-0002"));
  EXPECT_EQ(alone.exit_code, kBadInput);
  EXPECT_THAT(alone.output, HasSubstr("cannot be resumed"));

  for (const std::string& command : {"results compare " + in("two/run-0001") + " ", std::string("export ")}) {
    const auto told = vqas(command + in("two/run-0002"));
    EXPECT_EQ(told.exit_code, 0) << told.output;
    EXPECT_THAT(told.output, HasSubstr("warning: the run " + in("two/run-0002") + " is not complete"));
  }
}

TEST_F(ResumeCommand, ACampaignTakesOverNoFolderOfOthers) {
  const std::string file = plan("two", "[repeats]\nevery_min = 15\nfor_h = 0.5\n");
  ASSERT_EQ(vqas("measure " + file + " --out " + in("two")).exit_code, 0);
  fs::remove_all(in("two/run-0002"));
  fs::create_directories(in("two/run-0002"));
  test::write_text(in("two/run-0002/letter.txt"), "dear");
  const auto resumed = vqas("measure --resume " + in("two"));
  EXPECT_EQ(resumed.exit_code, kBadInput) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr("files that are not a run"));
  EXPECT_FALSE(fs::exists(in("two/run-0002/journal.jsonl")));

  const std::string one = plan("one", "");
  ASSERT_EQ(vqas("measure " + one + " --out " + in("one")).exit_code, 0);
  for (const std::string how : {"", " --force"}) {
    const auto beside = vqas("measure " + file + " --out " + in("one") + how);
    EXPECT_EQ(beside.exit_code, kBadInput) << beside.output;
    EXPECT_THAT(beside.output, HasSubstr("holds a run of its own"));
    EXPECT_FALSE(fs::exists(in("one/run-0001")));
  }
}

TEST_F(ResumeCommand, SaysThatACompleteRunIsComplete) {
  const std::string file = plan("whole", "");
  ASSERT_EQ(vqas("measure " + file + " --out " + in("whole")).exit_code, 0);
  std::ofstream(in("whole/recordings/.x.flac.2147483646.part")) << "x";
  // Resumed like a run without a plan.
  const auto campaign = vqas("measure --resume " + in("whole"));
  EXPECT_EQ(campaign.exit_code, 0) << campaign.output;
  EXPECT_THAT(campaign.output,
              HasSubstr("The campaign in " + in("whole") + " is complete: nothing is left to measure"));
  EXPECT_THAT(campaign.output, HasSubstr("Report: " + in("whole/report.html")));
  EXPECT_FALSE(fs::exists(in("whole/recordings/.x.flac.2147483646.part")));
  fs::remove(in("whole/plan.json"));
  const auto alone = vqas("measure --resume " + in("whole"));
  EXPECT_EQ(alone.exit_code, 0) << alone.output;
  EXPECT_THAT(alone.output, HasSubstr("The run in " + in("whole") + " is complete: nothing is left to measure"));
  EXPECT_THAT(alone.output, HasSubstr("Report: " + in("whole/report.html")));
  ASSERT_EQ(vqas("measure --json --resume " + in("whole") + " > " + in("out.json")).exit_code, 0);
  EXPECT_EQ(json::parse(test::read_text(in("out.json")))["ended_because"], nullptr);
}

}  // namespace
}  // namespace vqas
