// Hooks as an operator checks them: "vqas plan check" and "vqas hooks test".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/exit_codes.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class HooksCommand : public ::testing::Test {
 protected:
  test::CommandRun run(const std::string& arguments) const {
    return test::run_command("cd " + home_.path().string() + " && " + std::string(test::vqas_command()) + " " +
                             arguments);
  }
  void plan(const std::string& hooks) const {
    test::write_text(home_.path() / "plan.toml", "[line]\nkind = \"sim:\"\n[hooks]\n" + hooks + "\n");
  }
  void script(const std::string& body) const {
    test::write_text(home_.path() / "hook.sh", "#!/bin/sh\n" + body + "\n");
    fs::permissions(home_.path() / "hook.sh", fs::perms::owner_all);
  }
  test::TemporaryFolder home_;
};

TEST_F(HooksCommand, APlanWhoseHookIsMissingOrNoProgramIsRefused) {
  plan("run_ended = [\"./hook.sh\", \"now\"]");
  const auto missing = run("plan check plan.toml");
  EXPECT_EQ(missing.exit_code, test::kBadInput);
  EXPECT_THAT(missing.output, HasSubstr("[hooks] run_ended: the program ./hook.sh does not exist"));
  EXPECT_EQ(run("measure plan.toml --out never").exit_code, test::kBadInput);
  EXPECT_FALSE(fs::exists(home_.path() / "never"));
  script("exit 0");
  EXPECT_EQ(run("plan check plan.toml").exit_code, 0) << run("plan check plan.toml").output;
  fs::permissions(home_.path() / "hook.sh", fs::perms::owner_read);
  EXPECT_THAT(run("plan check plan.toml").output, HasSubstr("may not be executed"));
}

TEST_F(HooksCommand, EachHookIsRunOnceAndAFailureIsTold) {
  script("cat > $1.json; echo told of $VQAS_HOOK_EVENT; test $1 != bad");
  plan("run_ended = [\"./hook.sh\", \"good\"]");
  const auto good = run("hooks test plan.toml");
  EXPECT_EQ(good.exit_code, 0) << good.output;
  EXPECT_THAT(good.output, StartsWith("run_ended: "));
  EXPECT_THAT(good.output, HasSubstr("took it\ntold of run_ended\n"));
  EXPECT_THAT(test::read_text(home_.path() / "good.json"), HasSubstr("\"example\":true"));
  plan("run_ended = [\"./hook.sh\", \"good\"]\ndisk_full = [\"./hook.sh\", \"bad\"]");
  const auto bad = run("hooks test plan.toml");
  EXPECT_EQ(bad.exit_code, test::kBadInput);
  EXPECT_THAT(bad.output, HasSubstr("failed: it ended with code 1\ntold of disk_full_soon\n"));
  plan("");
  EXPECT_THAT(run("hooks test plan.toml").output, HasSubstr("names no program in [hooks]"));
}

}  // namespace
}  // namespace vqas
