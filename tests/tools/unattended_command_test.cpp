// --unattended begins, resumes and repeats a verdict; `plan status` says what became of the slots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "support/exit_codes.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class UnattendedCommand : public ::testing::Test {
 protected:
  std::string in(const std::string& name) const { return (folder_.path() / name).string(); }
  static test::CommandRun run(const std::string& arguments) {
    return test::run_command(std::string(test::vqas_command()) + " " + arguments);
  }
  /// One stimulus, one direction, five measurements.
  std::string plan(const std::string& repeats, const std::string& precision = "cap_count = 5\n") const {
    test::write_text(in("plan.toml"),
                     "[campaign]\nname = \"weeks\"\n[line]\nkind = \"sim:\"\nber = 1e-3\n[stimuli]\n"
                     "stimuli = [\"M1\"]\ndirections = \"a-to-b\"\n[precision]\n" +
                         precision + repeats);
    return in("plan.toml");
  }
  json status() const {
    EXPECT_EQ(run("plan status " + in("kept") + " --json > " + in("status.json")).exit_code, 0);
    return json::parse(test::read_text(in("status.json")), nullptr, false);
  }
  test::TemporaryFolder folder_;
};

TEST_F(UnattendedCommand, TheSameCommandBeginsResumesAndRepeatsTheVerdict) {
  // Enough measurements that the kill comes before the first slot is over, on a fast machine too.
  const std::string file = plan("limit_mos = 5\n[repeats]\nevery_min = 15\nfor_h = 0.5\n", "cap_count = 100\n");
  const std::string command = "measure " + file + " --unattended " + in("kept");
  test::run_command("{ " + std::string(test::vqas_command()) + " " + command +
                    " > /dev/null 2>&1 & cut=$!; while kill -0 " + "$cut 2> /dev/null && [ $(cat " +
                    in("kept/run-0001/journal.jsonl") +
                    " 2> /dev/null | wc -l) -lt 3 ]; do sleep 0.02; done; kill -9 $cut; wait $cut; }");
  EXPECT_THAT(status()["slots"], SizeIs(0));
  const auto resumed = run(command);
  EXPECT_EQ(resumed.exit_code, test::kFailed) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr("Slots: 2 of 2 are over: 2 measured"));
  const std::string records = test::read_text(in("kept/slots.jsonl"));
  const auto again = run(command);
  EXPECT_EQ(again.exit_code, test::kFailed) << again.output;
  EXPECT_THAT(again.output, HasSubstr("is complete: nothing is left to measure"));
  EXPECT_EQ(test::read_text(in("kept/slots.jsonl")).find(records), 0U) << "records stay as they are";
  const json told = status();
  EXPECT_EQ(told["slots_over"], 2);
  EXPECT_EQ(told["counts"]["measured"], 2);
  EXPECT_EQ(told["next_utc"], nullptr);
  EXPECT_EQ(told["slots"][1]["run"], "run-0002");
  EXPECT_EQ(told["slots"][1]["verdict"], "fail");
  EXPECT_THAT(test::read_text(in("kept/campaign.html")), HasSubstr("2 slots are over: 2 measured"));
}

TEST_F(UnattendedCommand, APlanWithoutRepeatsIsBegunResumedAndRepeatedToo) {
  const std::string command = "measure " + plan("") + " --unattended " + in("kept");
  EXPECT_EQ(run(command).exit_code, 0);
  const auto again = run(command);
  EXPECT_EQ(again.exit_code, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("is complete: nothing is left to measure"));
  EXPECT_EQ(run("plan status " + in("kept")).exit_code, test::kBadInput) << "it has no slots";
}

TEST_F(UnattendedCommand, WithoutAReadableCopyOfThePlanNothingIsMeasured) {
  const std::string command =
      "measure " + plan("[repeats]\nevery_min = 15\nfor_h = 0.5\n") + " --unattended " + in("kept");
  ASSERT_EQ(run(command).exit_code, 0);
  test::write_text(in("kept/plan.json"), "{");
  const auto damaged = run(command);
  EXPECT_EQ(damaged.exit_code, test::kBadInput);
  EXPECT_THAT(damaged.output, HasSubstr("plan.json is damaged"));
  fs::remove(in("kept/plan.json"));
  const auto missing = run(command);
  EXPECT_EQ(missing.exit_code, test::kBadInput);
  EXPECT_THAT(missing.output, HasSubstr("not the copy of their plan"));
}

TEST_F(UnattendedCommand, ARunThatWasRemovedChangesTheVerdictWhateverIsToldBesides) {
  const std::string command =
      "measure " + plan("[repeats]\nevery_min = 15\nfor_h = 0.5\n") + " --unattended " + in("kept");
  ASSERT_EQ(run(command).exit_code, 0);
  fs::remove_all(in("kept/run-0001"));
  const auto plain = run(command), figures = run(command + " --metrics-file " + in("weeks.prom"));
  EXPECT_EQ(plain.exit_code, test::kNotMeasured) << plain.output;
  EXPECT_EQ(figures.exit_code, test::kNotMeasured) << figures.output;
  EXPECT_THAT(plain.output, HasSubstr("it was removed"));
  fs::remove(in("kept/run-0002/report.html"));
  run(command);
  EXPECT_TRUE(fs::exists(in("kept/run-0002/report.html"))) << "a report that was lost is made again";
}

TEST_F(UnattendedCommand, AMetricsFileThatCannotBeWrittenIsRefusedBeforeAnythingIsMeasured) {
  const auto refused =
      run("measure " + plan("") + " --unattended " + in("kept") + " --metrics-file " + in("missing/weeks.prom"));
  EXPECT_EQ(refused.exit_code, test::kBadInput) << refused.output;
  EXPECT_THAT(refused.output, HasSubstr("name another file"));
  EXPECT_FALSE(fs::exists(in("kept")));
}

TEST_F(UnattendedCommand, OptionsThatSayOtherwiseAreRefused) {
  const std::string file = plan("");
  EXPECT_EQ(run("measure --unattended " + in("kept")).exit_code, test::kUsage) << "without a plan";
  for (const char* const other : {" --out ", " --resume "})
    EXPECT_EQ(run("measure " + file + " --unattended " + in("kept") + other + in("other")).exit_code, test::kUsage);
  EXPECT_FALSE(fs::exists(in("kept")));
}

TEST_F(UnattendedCommand, ACampaignThatExistsIsNotBegunAnewByOut) {
  const std::string file = plan("[repeats]\nevery_min = 15\nfor_h = 0.5\n");
  ASSERT_EQ(run("measure " + file + " --unattended " + in("kept")).exit_code, 0);
  const auto refused = run("measure " + file + " --out " + in("kept"));
  EXPECT_EQ(refused.exit_code, test::kBadInput);
  EXPECT_THAT(refused.output, HasSubstr("holds a campaign"));
  const auto forced = run("measure " + file + " --force --out " + in("kept"));
  EXPECT_EQ(forced.exit_code, 0) << forced.output;
  EXPECT_EQ(status()["counts"]["measured"], 2);
}

}  // namespace
}  // namespace vqas
