// Programs of hooks that behave, and that do not: each is a small script.
#include "vqas/campaign/hook_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "campaign/hooks/hook_files.h"
#include "campaign/hooks/hooks_file.h"
#include "node/event_loop.h"
#include "support/temporary_folder.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class HookDeskTest : public testing::Test {
 protected:
  HookDeskTest() {
    test::application();
    fs::create_directories(home_.path() / "plan");
    options_.campaign = {"winter", home_.path() / "campaign", {}, false};
    options_.hooks.folder = home_.path() / "plan";
    options_.hooks.time_limit_s = 20;
    options_.utc_s = [this] { return now_s_; };
    options_.noticed = [this](const std::string& what) { noticed_ += what + "\n"; };
  }
  std::string script(const std::string& body) const {
    const fs::path file = home_.path() / "plan" / "hook.sh";
    test::write_text(file, "#!/bin/sh\n" + body + "\n");
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }
  void open() {
    desk_.reset();
    desk_ = std::make_unique<HookDesk>(options_);
  }
  void run_ended(std::size_t number = 1) {
    RunEnd end;
    end.number = number;
    end.finished_utc = std::to_string(number);
    desk_->run_ended(end, true);
  }
  /// Serves events until the log holds this text.
  ::testing::AssertionResult logged(const std::string& text) {
    if (test::serve_until([&] { return log().find(text) != std::string::npos; }, 20'000))
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "the log holds: " << log();
  }
  std::string log() const {
    const fs::path file = options_.campaign.folder / kHookLog;
    return fs::exists(file) ? test::read_text(file) : std::string();
  }
  std::string text_of(const char* name) const { return test::read_text(home_.path() / "plan" / name); }
  /// The process whose number is in that file; one that nothing has waited for is a zombie, which has ended too.
  bool is_gone(const char* name) const {
    const fs::path state = fs::path("/proc") / std::to_string(std::stol(text_of(name))) / "stat";
    return test::serve_until(
        [&] { return !fs::exists(state) || test::read_text(state).find(") Z") != std::string::npos; }, 10'000);
  }
  bool finishes() {
    bool done = false;
    desk_->finish([&] { done = true; });
    return test::serve_until([&] { return done; }, 20'000);
  }

  test::TemporaryFolder home_;
  double now_s_ = 1.8e9;
  HookDeskOptions options_;
  std::unique_ptr<HookDesk> desk_;
  std::string noticed_;
};

TEST_F(HookDeskTest, AProgramGetsTheDocumentItsArgumentsAndASmallEnvironment) {
  ::setenv("VQAS_TEST_SECRET", "hidden", 1);
  options_.hooks.run_ended = {
      script("cat > got; echo \"$1\" > argument; env > environment; cut -d' ' -f5 /proc/$$/stat > group"),
      "two words; rm -rf"};
  open();
  run_ended();
  ASSERT_TRUE(finishes());
  const auto document = parse_json_text(text_of("got"), "got");
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ((*document)["event"], "run_ended");
  EXPECT_EQ(text_of("argument"), "two words; rm -rf\n");
  EXPECT_THAT(text_of("environment"), HasSubstr("VQAS_HOOK_EVENT=run_ended\n"));
  EXPECT_THAT(text_of("environment"), Not(HasSubstr("VQAS_TEST_SECRET")));
  EXPECT_NE(std::stol(text_of("group")), static_cast<long>(::getpgrp()));
  EXPECT_EQ(desk_->waiting(), 0U);
  EXPECT_THAT(log(), HasSubstr("took it"));
}

TEST_F(HookDeskTest, AProgramThatFailsIsTriedAgainWithTheSameIdUntilItTakesTheDocument) {
  options_.hooks.run_ended = {script("echo $VQAS_HOOK_ID >> ids; test -e cured")};
  open();
  run_ended();
  ASSERT_TRUE(logged("attempt 1: "));
  EXPECT_THAT(log(), HasSubstr("ended with code 1; it is tried again"));
  EXPECT_EQ(desk_->waiting(), 1U);
  now_s_ += 60;
  desk_->look();
  ASSERT_TRUE(logged("attempt 2: "));
  test::write_text(home_.path() / "plan/cured", "");
  now_s_ += 120;
  desk_->look();
  ASSERT_TRUE(logged("took it"));
  EXPECT_EQ(desk_->waiting(), 0U);
  const std::string ids = text_of("ids");
  EXPECT_EQ(ids, ids.substr(0, ids.size() / 3) + ids.substr(0, ids.size() / 3) + ids.substr(0, ids.size() / 3));
}

TEST_F(HookDeskTest, AfterTheLastAttemptTheOperatorIsTold) {
  options_.hooks.run_ended = {script("exit 3")};
  options_.hooks.attempts = 2;
  open();
  run_ended();
  ASSERT_TRUE(logged("attempt 1: "));
  now_s_ += 3600;
  desk_->look();
  ASSERT_TRUE(logged("that was the last of 2 attempts"));
  EXPECT_EQ(desk_->waiting(), 0U);
  EXPECT_THAT(noticed_, HasSubstr("in 2 attempts: it ended with code 3"));
}

TEST_F(HookDeskTest, AProgramThatNeverEndsIsEndedWithItsChildrenAlsoIfTheyIgnoreIt) {
  options_.hooks.time_limit_s = 0.3;
  options_.hooks.run_ended = {script("trap '' TERM; sleep 100 & echo $! > child; echo $$ > parent; wait; sleep 100")};
  open();
  run_ended();
  ASSERT_TRUE(logged("did not end within 0.3 s"));
  EXPECT_TRUE(is_gone("parent"));
  EXPECT_TRUE(is_gone("child"));
  EXPECT_EQ(desk_->waiting(), 1U);
}

TEST_F(HookDeskTest, WhatAProgramLeavesRunningIsKilledAtTheTimeLimitAndItsDocumentCountsAsTaken) {
  options_.hooks.time_limit_s = 0.5;
  options_.hooks.run_ended = {script("sleep 100 & echo $! > child; exit 0")};
  open();
  run_ended();
  ASSERT_TRUE(logged("took it"));
  EXPECT_THAT(log(), HasSubstr("processes that it left running were killed"));
  EXPECT_TRUE(is_gone("child"));
  EXPECT_EQ(desk_->waiting(), 0U);
}

TEST_F(HookDeskTest, AProgramThatHangsAtTheEndOfTheCampaignIsLoggedAndCounted) {
  options_.hooks.time_limit_s = 0.3;
  options_.hooks.run_ended = {script("trap '' TERM; echo $$ > parent; sleep 100")};
  open();
  run_ended();
  run_ended(2);
  ASSERT_TRUE(finishes());
  EXPECT_THAT(log(), HasSubstr("attempt 1: "));
  EXPECT_THAT(log(), HasSubstr("failed: it did not end within 0.3 s; it is tried again"));
  EXPECT_TRUE(is_gone("parent"));
  EXPECT_THAT(noticed_, HasSubstr("2 documents for hooks were not taken"));
  const auto read = campaign::read_hooks_file(options_.campaign.folder);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->queued.front().attempts, 1U);
}

TEST_F(HookDeskTest, LogAndStateAreReadableByTheirOwnerAlone) {
  fs::create_directories(options_.campaign.folder);
  test::write_text(options_.campaign.folder / kHookLog, "of an earlier release\n");
  options_.hooks.run_ended = {script("echo token; exit 1")};
  open();
  run_ended();
  ASSERT_TRUE(logged("attempt 1: "));
  for (const char* const file : {kHookLog, kHooksFile})
    EXPECT_EQ(fs::status(options_.campaign.folder / file).permissions(), fs::perms::owner_read | fs::perms::owner_write)
        << file;
}

TEST_F(HookDeskTest, AProgramThatFloodsItsOutputIsEndedAndTheLogStaysSmall) {
  options_.hooks.run_ended = {script("trap '' TERM; yes")};
  open();
  run_ended();
  ASSERT_TRUE(logged("printed more than"));
  EXPECT_LT(log().size(), 100'000U);
  EXPECT_THAT(log(), HasSubstr("more bytes are left out"));
}

TEST_F(HookDeskTest, AProgramThatReadsNothingTakesTheDocument) {
  options_.hooks.run_ended = {script("exec <&-; exit 0")};
  open();
  run_ended();
  ASSERT_TRUE(logged("took it"));
}

TEST_F(HookDeskTest, AProgramThatIsGoneIsAFailureAndTheNextDocumentIsSent) {
  options_.hooks.run_ended = {(home_.path() / "plan/missing.sh").string()};
  options_.hooks.line_changed = {script("cat > line")};
  options_.hooks.dead_after_s = 0;
  open();
  run_ended();
  desk_->line_away("the call is gone", now_s_);
  ASSERT_TRUE(logged("could not be started"));
  ASSERT_TRUE(logged("took it"));
  EXPECT_THAT(text_of("line"), HasSubstr("the call is gone"));
}

TEST_F(HookDeskTest, ALineThatIsSoonThereAgainIsNotTold) {
  options_.hooks.line_changed = {script("cat > line")};
  options_.hooks.dead_after_s = 60;
  open();
  desk_->line_away("the call is gone", now_s_);
  desk_->line_there();
  ASSERT_TRUE(finishes());
  EXPECT_FALSE(fs::exists(home_.path() / "plan/line"));
}

TEST_F(HookDeskTest, AfterAKillTheDocumentIsSentByTheNextProcess) {
  options_.hooks.run_ended = {script("test -e cured && cat >> got")};
  open();
  run_ended();
  ASSERT_TRUE(logged("attempt 1: "));
  const std::string state = test::read_text(options_.campaign.folder / kHooksFile);
  desk_.reset();
  test::write_text(home_.path() / "plan/cured", "");
  options_.resume = true;
  open();
  EXPECT_EQ(desk_->waiting(), 1U);
  ASSERT_TRUE(finishes());
  EXPECT_EQ(desk_->waiting(), 0U);
  const std::string id = own_json(state)["queue"][0]["id"].get<std::string>();
  EXPECT_THAT(text_of("got"), HasSubstr(id));
}

TEST_F(HookDeskTest, AKillWhileTheProgramRunsKeepsTheDocument) {
  options_.hooks.run_ended = {script("echo $$ > pid; sleep 100")};
  open();
  run_ended();
  ASSERT_TRUE(test::serve_until([&] { return fs::exists(home_.path() / "plan/pid") && !text_of("pid").empty(); }));
  desk_.reset();
  const auto read = campaign::read_hooks_file(options_.campaign.folder);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->queued.size(), 1U);
}

TEST_F(HookDeskTest, ACampaignThatBeginsForgetsTheStateOfAnEarlierOne) {
  options_.hooks.run_ended = {script("exit 1")};
  open();
  run_ended();
  open();
  EXPECT_EQ(desk_->waiting(), 0U);
}

TEST_F(HookDeskTest, WithHooksThatAreYoungerThanTheCampaignEarlierRunsAreNotTold) {
  options_.hooks.run_ended = {script("cat >> got")};
  options_.resume = true;
  open();
  RunEnd end;
  end.number = 1;
  desk_->run_had_ended(end);
  run_ended(2);
  ASSERT_TRUE(finishes());
  EXPECT_THAT(text_of("got"), HasSubstr("\"number\":2,\"runs\""));
  EXPECT_THAT(text_of("got"), Not(HasSubstr("\"number\":1,\"runs\"")));
}

TEST_F(HookDeskTest, ADamagedStateIsToldAndBegunAnew) {
  fs::create_directories(options_.campaign.folder);
  test::write_text(options_.campaign.folder / kHooksFile, "nonsense");
  options_.resume = true;
  options_.hooks.run_ended = {script("cat > got")};
  open();
  run_ended();
  ASSERT_TRUE(finishes());
  EXPECT_THAT(noticed_, HasSubstr("hooks begin anew"));
}

TEST_F(HookDeskTest, TheLogBeginsAnewBeforeItIsTooLarge) {
  fs::create_directories(options_.campaign.folder);
  test::write_text(options_.campaign.folder / kHookLog, std::string(1U << 20U, 'x') + "\n");
  options_.hooks.run_ended = {script("echo hello")};
  open();
  run_ended();
  ASSERT_TRUE(finishes());
  EXPECT_LT(log().size(), 1000U);
  EXPECT_TRUE(fs::exists(options_.campaign.folder / kEarlierHookLog));
}

TEST_F(HookDeskTest, EachHookOfAPlanIsTriedOnce) {
  CampaignPlan plan;
  plan.hooks = options_.hooks;
  plan.hooks.run_ended = {script("cat >> got; echo seen")};
  plan.hooks.disk_full = {"false"};
  const auto trials = try_hooks(plan);
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_TRUE(trials[0].delivered);
  EXPECT_EQ(trials[0].output, "seen\n");
  EXPECT_FALSE(trials[1].delivered);
  EXPECT_EQ(trials[1].event, HookEvent::disk_full_soon);
  EXPECT_FALSE(fs::exists(options_.campaign.folder)) << "nothing is written";
}

TEST_F(HookDeskTest, AMissingOrUselessProgramIsRefusedByItsKey) {
  PlannedHooks hooks;
  EXPECT_TRUE(check_hooks(hooks));
  hooks.disk_full = {script("")};
  EXPECT_TRUE(check_hooks(hooks));
  fs::permissions(hooks.disk_full.front(), fs::perms::owner_read);
  ASSERT_FALSE(check_hooks(hooks));
  EXPECT_THAT(check_hooks(hooks).error().message, HasSubstr("[hooks] disk_full"));
  EXPECT_THAT(check_hooks(hooks).error().message, HasSubstr("chmod +x"));
  hooks.disk_full = {"/no/such/program"};
  EXPECT_THAT(check_hooks(hooks).error().message, HasSubstr("does not exist"));
  hooks.disk_full = {"no-such-program-of-vqas"};
  EXPECT_THAT(check_hooks(hooks).error().message, HasSubstr("not found in PATH"));
  hooks.disk_full = {home_.path().string()};
  EXPECT_THAT(check_hooks(hooks).error().message, HasSubstr("is not a program"));
  hooks.disk_full = {"true"};
  EXPECT_TRUE(check_hooks(hooks));
}

}  // namespace
}  // namespace vqas
