// The command vqas corpus, as used by a person or a script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch_corpus.h"
#include "support/places.h"
#include "support/process.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CorpusCommand : public test::ScratchCorpus {
 protected:
  static test::CommandRun run(const std::string& arguments, const std::string& before = "") {
    return test::run_command(before + " " + test::vqas_command() + " corpus " + arguments);
  }
  static nlohmann::json json(const test::CommandRun& run) { return nlohmann::json::parse(run.output, nullptr, false); }
  static std::string speech(const std::string& id) { return (test::project_corpus() / "16k" / (id + ".wav")).string(); }
};

TEST_F(CorpusCommand, ListsTheStimuliForPeopleAndMachines) {
  const auto plain = run("list " + folder_.string());
  EXPECT_EQ(plain.exit_code, 0);
  EXPECT_THAT(plain.output, AllOf(HasSubstr("M6"), HasSubstr("night differential"), HasSubstr("12 stimuli")));
  const auto machine = run("list --json " + folder_.string());
  EXPECT_EQ(machine.exit_code, 0);
  EXPECT_EQ(json(machine)["stimuli"].size(), 12U) << machine.output;
  EXPECT_EQ(json(machine)["stimuli"][0]["files"]["8000"]["sha256"].get<std::string>().size(), 64U);
}

TEST_F(CorpusCommand, VerifiesAndNamesEveryFault) {
  EXPECT_EQ(run("verify " + folder_.string()).exit_code, 0);
  flip_bit("8k/M1.wav", 4000);
  fs::remove(folder_ / "16k/F6.wav");
  const auto plain = run("verify " + folder_.string());
  EXPECT_EQ(plain.exit_code, 3);
  EXPECT_THAT(plain.output, AllOf(HasSubstr("8k/M1.wav"), HasSubstr("16k/F6.wav"), HasSubstr("2 of 24")));
  const auto machine = run("verify --json " + folder_.string() + " 2>/dev/null");
  EXPECT_EQ(machine.exit_code, 3);
  EXPECT_EQ(run("list " + folder_.string()).exit_code, 3);
}

TEST_F(CorpusCommand, FindsTheCorpusByOptionThenEnvironmentThenBuild) {
  EXPECT_THAT(run("list --corpus " + folder_.string()).output, HasSubstr(folder_.string()));
  EXPECT_THAT(run("list", "VQAS_CORPUS=" + folder_.string()).output, HasSubstr(folder_.string()));
  EXPECT_EQ(run("list", "VQAS_CORPUS=" + (folder_ / "gone").string()).exit_code, 3);
  EXPECT_EQ(run("list", "env -u VQAS_CORPUS").exit_code, 0);
}

TEST_F(CorpusCommand, ImportsGoodRecordingsAndExplainsRefusals) {
  test::write_text(folder_ / "text.wav", "not a recording");
  const std::string into = (folder_ / "mine").string();
  const auto result =
      run("import " + speech("M1") + " " + (folder_ / "text.wav").string() + " " + speech("F1") +
          " --talker anna --text One. --text Two. --text Three. --id A1 --id A2 --id A3 --into " + into);
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("text.wav"), HasSubstr("unreadable"), HasSubstr("A3")));
  EXPECT_EQ(run("verify " + into).exit_code, 0);
  const auto listed = json(run("list --json " + into));
  ASSERT_EQ(listed["stimuli"].size(), 2U);
  EXPECT_EQ(listed["stimuli"][1]["id"], "A3");
  EXPECT_EQ(listed["stimuli"][1]["text"], "Three.");
}

TEST_F(CorpusCommand, ImportReportsAsJson) {
  const auto result =
      run("import " + speech("M1") + " --talker anna --text One. --into " + (folder_ / "mine").string() + " --json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const auto report = json(result);
  ASSERT_FALSE(report.is_discarded()) << result.output;
  EXPECT_EQ(report["recordings"][0]["id"], "M1");
  EXPECT_EQ(report["recordings"][0]["accepted"], true);
}

TEST_F(CorpusCommand, MismatchedCountsAreReportedBeforeAnythingIsWritten) {
  const std::string into = (folder_ / "mine").string();
  const auto result = run("import " + speech("M1") + " " + speech("M2") + " --talker anna --text One. --into " + into);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.output, HasSubstr("--text"));
  EXPECT_FALSE(fs::exists(into));
  EXPECT_EQ(run("import " + speech("M1") + " --talker anna --into " + into).exit_code, 2);
  EXPECT_EQ(run("import " + speech("M1") + " --channel 0 --talker a --text b --into " + into).exit_code, 2);
}

TEST_F(CorpusCommand, BuildWithoutFliteTellsHowToInstallIt) {
  const auto result = run("build " + (folder_ / "new").string(), "PATH=" + folder_.string());
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("flite"), HasSubstr("apt install flite")));
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(CorpusCommand, EverySubcommandHasHelpWithAnExample) {
  for (const std::string name : {"", "list", "verify", "build", "import"}) {
    const auto result = run(name + " --help");
    EXPECT_EQ(result.exit_code, 0) << name;
    EXPECT_THAT(result.output, AllOf(HasSubstr("Example"), HasSubstr("vqas corpus " + name))) << name;
    EXPECT_THAT(result.output, Not(HasSubstr("internal fault")));
  }
}

}  // namespace
}  // namespace vqas
