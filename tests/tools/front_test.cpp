// The program that users call scores by itself and replaces itself by the full program for every other command. Output
// and exit codes must be those of the full program.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "command_test.h"
#include "support/child.h"
#include "support/exit_codes.h"
#include "support/wait_until.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Front : public test::CommandTest {
 protected:
  static test::CommandRun full(const std::string& arguments) {
    return test::run_command(fmt::format("{} {}", VQAS_FULL, arguments));
  }
  static std::string speech() { return (fs::path(test::source_dir()) / "corpus/8k/M1.wav").string(); }
};

TEST_F(Front, LoadsTheLibrariesOfTheScoreOnly) {
  const auto loaded = test::run_command(fmt::format("ldd {}", test::vqas_command()));
  ASSERT_EQ(loaded.exit_code, 0) << loaded.output;
  EXPECT_THAT(loaded.output, HasSubstr("libsndfile"));
  // 19 on Debian 12, most of them libsndfile's own; the full program has 84.
  EXPECT_LE(std::ranges::count(loaded.output, '\n'), 24) << loaded.output;
  for (const char* heavy : {"libQt6", "libcairo", "libssl", "libcrypto", "libportaudio", "libjack", "libasound",
                            "libre.", "libspandsp", "libtomlplusplus"}) {
    EXPECT_THAT(loaded.output, Not(HasSubstr(heavy)));
  }
}

TEST_F(Front, AnswersAsTheFullProgramDoes) {
  for (const char* words : {"",
                            "''",
                            "--help",
                            "--version",
                            "nothing",
                            "-- score",
                            "devices --help",
                            "plan status /nowhere",
                            "channel profiles nothing",
                            "score",
                            "score --help",
                            "score --help --plot x.svg",
                            "score --version",
                            "score devices --json",
                            "score devices sim",
                            "score --nothing",
                            "score --plo x.svg a b",
                            "score a b --plot",
                            "score a b --plot=x.txt",
                            "score a b --jobs 5",
                            "score a b --channel ''",
                            "score a b --mode xb",
                            "score /nowhere a",
                            "score --manifest - --out x",
                            "score --manifest /nowhere --out x",
                            "score {0} {0}",
                            "score --json {0} {0}",
                            "score --mode wb {0} {0}",
                            "score {0} {0} --plot {1}"}) {
    const std::string arguments = fmt::format(fmt::runtime(words), speech(), in("x.svg"));
    const auto one = vqas(arguments), other = full(arguments);
    EXPECT_EQ(one.exit_code, other.exit_code) << arguments;
    EXPECT_EQ(one.output, other.output) << arguments;
  }
  EXPECT_TRUE(fs::exists(in("x.svg")));
}

TEST_F(Front, BecomesTheFullProgramWithinItsProcess) {
  fs::create_symlink(test::vqas_command(), in("elsewhere"));
  test::Child child({in("elsewhere"), "sim", "--port", "0"}, in("said"));
  ASSERT_TRUE(child.started());
  const fs::path process = fs::path("/proc") / std::to_string(child.process());
  ASSERT_TRUE(test::wait_until([&] { return !test::read_text(in("said")).empty(); }, std::chrono::seconds(20)));
  EXPECT_EQ(fs::read_symlink(process / "exe"), fs::canonical(VQAS_FULL));
  EXPECT_EQ(test::read_text(process / "comm"), "vqas\n");
  EXPECT_THAT(test::read_text(process / "cmdline"), StartsWith(fmt::format("{}{}sim", in("elsewhere"), '\0')));
  EXPECT_EQ(child.end(),
            test::run_command(fmt::format("timeout --preserve-status -s TERM 2 {} sim --port 0", VQAS_FULL)).exit_code);
}

TEST_F(Front, AloneItScoresAndNamesWhatIsMissingForAllElse) {
  fs::create_directory(in("bin"));
  fs::copy_file(test::vqas_command(), in("bin/vqas"));
  const std::string alone = in("bin/vqas"), pair = fmt::format(" '{0}' '{0}'", speech());
  EXPECT_EQ(test::run_command(alone + " score" + pair).output, vqas("score" + pair).output);
  EXPECT_EQ(test::run_command(alone + " --version").output, vqas("--version").output);
  for (const char* arguments : {"devices", "", "score --plot x.svg"}) {
    const auto run = test::run_command(fmt::format("{} {}{}", alone, arguments, pair));
    EXPECT_EQ(run.exit_code, test::kIo);
    EXPECT_THAT(run.output, AllOf(StartsWith(fmt::format("vqas: cannot start the full program {}", in(""))),
                                  HasSubstr("/vqas/vqas: No such file or directory; "), HasSubstr("install VQAS")));
    EXPECT_EQ(std::ranges::count(run.output, '\n'), 1);
  }
}

TEST_F(Front, RefusesAFullProgramOfAnotherVersionAndOneThatIsItself) {
  const auto other = test::run_command(fmt::format("VQAS_STARTED_BY=elder {} devices", VQAS_FULL));
  EXPECT_EQ(other.exit_code, test::kIo);
  EXPECT_THAT(other.output, AllOf(StartsWith("vqas: the program vqas is of VQAS elder"), HasSubstr("install VQAS")));

  // The variable may be there by chance: two programs of one version run all the same.
  EXPECT_EQ(test::run_command(fmt::format("VQAS_STARTED_BY=stray {} devices --help", test::vqas_command())).exit_code,
            0);

  fs::create_directories(in("bin"));
  fs::create_directories(in("libexec/vqas"));
  fs::copy_file(test::vqas_command(), in("bin/vqas"));
  fs::create_symlink(in("bin/vqas"), in("libexec/vqas/vqas"));
  const auto itself = test::run_command(fmt::format("timeout 20 {} devices", in("bin/vqas")));
  EXPECT_EQ(itself.exit_code, test::kIo);
  EXPECT_THAT(itself.output, HasSubstr("is the one that only scores"));
  // Nothing else is tried where something is there that does not start.
  fs::create_directories(in("bin/full"));
  fs::create_symlink(VQAS_FULL, in("bin/full/vqas"));
  fs::remove(in("libexec/vqas/vqas"));
  std::ofstream(in("libexec/vqas/vqas")) << "no program";
  const auto broken = test::run_command(fmt::format("{} devices", in("bin/vqas")));
  EXPECT_EQ(broken.exit_code, test::kIo);
  EXPECT_THAT(broken.output, HasSubstr("libexec/vqas/vqas: Permission denied"));
}

}  // namespace
}  // namespace vqas
