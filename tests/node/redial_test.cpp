// A call that a simulated network releases in the middle of a run, and that is made again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "node/node_harness.h"
#include "vqas/channel/profile_text.h"
#include "vqas/run/call_levels.h"

namespace vqas {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using RedialTest = test::NodeTest;

// Half of all bits wrong for three seconds, for which the network hangs up; for 25 s there is nothing.
SimulatedLine released_line() {
  const auto profile = parse_profile(R"(
delay_s = 0.25
[[errors]]
kind = "varying"
steps = [{ duration_s = 12, ber = 1e-9 }, { duration_s = 3, ber = 0.3 }, { duration_s = 86400, ber = 1e-9 }]
loop = false
[release]
ber = 1e-2
after_s = 1
restore_s = 25
restored_ber = 1e-9
)",
                                     "test");
  EXPECT_TRUE(profile) << profile.error().message;
  return profiled_line(*profile, 0, 0, 3);
}

// A run over a call that is released and never comes back.
class StaysGone : public RedialTest {
 protected:
  RunPlan plan_for_it() {
    SimulatedLine line = released_line();
    line.profile->release->restore_s = 3600;
    bench_.emplace(line, folder_);
    RunPlan plan = test::short_plan(*bench_, folder_ / "run");
    plan.redial_s = 0;
    plan.within_s = 3;
    return plan;
  }
  std::optional<test::Bench> bench_;
};

TEST_F(RedialTest, AReleasedCallIsMadeAgainAndTheRunGoesOnWithWhatWasWanted) {
  const test::Bench bench(released_line(), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.redial = "sleep 2; echo again >> '" + (folder_ / "redials").string() + "'";
  plan.redial_s = 0;
  plan.within_s = 3;
  test::WatchedRun run(plan);
  std::vector<std::string> said;
  using Clock = std::chrono::steady_clock;
  double lost_s = 0;
  std::optional<Clock::time_point> since;
  QObject::connect(&run.controller, &Controller::paused, &run.controller, [&](const QString& why) {
    said.push_back(why.toStdString());
    const auto now = Clock::now();
    if (why.isEmpty() && since)
      lost_s += std::chrono::duration<double>(now - *std::exchange(since, std::nullopt)).count();
    if (!why.isEmpty() && !since) since = now;
  });
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.error, "");
  std::size_t lost = 0;
  for (const Measurement& one : run.all()) lost += one.outcome == Outcome::line_lost ? 1 : 0;
  EXPECT_GE(lost, 1U);
  EXPECT_GE(lost_s, 2) << "as long as the command takes";
  EXPECT_NEAR(run.results().lost_seconds, lost_s, 0.3);
  for (const DirectionRun& direction : run.results().directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      EXPECT_EQ(stimulus.interval.n, 5U) << "everything that was wanted was measured";
    }
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "redials"));
  ASSERT_GE(said.size(), 2U);
  EXPECT_THAT(said.front(), HasSubstr("call is gone"));
  EXPECT_EQ(said.back(), "") << "and there again";
}

// Lets a line run for a part of a run and stops it there until open(). The planted end of the call then always falls
// into the run, however slow the machine is.
class Gate {
 public:
  static constexpr std::size_t kBlocks =
      30 * kLineRateHz / kLineBlock;  // about five of ten transmissions in each direction

  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  std::unique_ptr<Line> put_before(std::unique_ptr<Line> line) {
    return std::make_unique<GatedLine>(*this, std::move(line));
  }

 private:
  class GatedLine : public Line {
   public:
    GatedLine(Gate& gate, std::unique_ptr<Line> line) : gate_(gate), line_(std::move(line)) {}
    LineDescription description() const override { return line_->description(); }
    Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
      {
        std::unique_lock lock(gate_.mutex_);
        const bool waits = blocks_ >= kBlocks;
        if (waits) gate_.changed_.wait(lock, [this] { return gate_.open_ || interrupted_; });
        if (std::exchange(interrupted_, false) && waits && !gate_.open_)
          return Error{ErrorCode::cancelled, "interrupted"};
      }
      auto time = line_->exchange(sent, heard, round);
      if (time && !time->standing) ++blocks_;
      return time;
    }
    Status stand() override { return line_->stand(); }
    void interrupt() override {
      {
        const std::lock_guard lock(gate_.mutex_);
        interrupted_ = true;
        gate_.changed_.notify_all();
      }
      line_->interrupt();
    }

   private:
    Gate& gate_;
    const std::unique_ptr<Line> line_;
    std::size_t blocks_ = 0;  // of the thread that exchanges
    bool interrupted_ = false;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

// A run over a call that ends after `before` measurements, and over one that is made again with `gain_db` more.
class TwoCalls {
 public:
  TwoCalls(const std::filesystem::path& folder, double gain_db, std::size_t before)
      : bench_(line(0), folder, listened_to(End::a), listened_to(End::b)) {
    RunPlan plan = test::short_plan(bench_, folder / "run");
    plan.redial = "true";
    plan.redial_s = 0;
    run_ = std::make_unique<test::WatchedRun>(plan);
    Controller& controller = run_->controller;
    QObject::connect(&controller, &Controller::measured, &controller, [this, before] {
      if (run_->measured != before) return;
      bench_.simulator->stop();
      gate_.open();
    });
    QObject::connect(&controller, &Controller::paused, &controller, [this, gain_db](const QString& why) {
      if (why.isEmpty() || again_) return;
      again_ = true;
      const std::uint16_t port = bench_.simulator->port();
      bench_.simulator.reset();
      bench_.simulator.emplace(line(gain_db), std::chrono::seconds(5), port);
    });
  }
  bool finish() { return run_->finish(120000); }
  bool again() const { return again_; }
  const test::WatchedRun& run() const { return *run_; }
  const std::vector<std::string>& noticed() const { return run_->noticed; }
  const std::vector<std::string>& told(End end) const { return told_[static_cast<std::size_t>(end)]; }

 private:
  static SimulatedLine line(double gain_db) {
    LineConditions conditions;
    conditions.gain_db = gain_db;
    return symmetric_line(conditions, 0, 0, 3);
  }
  NodeOptions listened_to(End end) {
    NodeOptions options;
    options.tell_operator = [this, end](const std::string& message) {
      told_[static_cast<std::size_t>(end)].push_back(message);
    };
    options.open_line = [this](End own) -> Result<std::unique_ptr<Line>> {
      auto line = open_line(bench_.simulator->name(own), own);
      if (!line) return line.error();
      return gate_.put_before(*std::move(line));
    };
    return options;
  }
  std::array<std::vector<std::string>, 2> told_;
  Gate gate_;
  test::Bench bench_;
  std::unique_ptr<test::WatchedRun> run_;
  bool again_ = false;
};

// Two stimuli, four scores of each in each of two calls.
RunResults two_calls(double moved_by, double scattered_by = 1) {
  RunResults results;
  results.directions.push_back({End::a, {}});
  std::uint32_t sequence = 0;
  for (const double mos : {3.0, 3.8}) {
    StimulusRun stimulus;
    stimulus.stimulus = mos < 3.5 ? "F4" : "M4";
    for (const std::uint32_t call : {1U, 2U}) {
      for (const double scatter : {-0.1, -0.03, 0.02, 0.11}) {
        Measurement one;
        one.sequence = ++sequence;
        one.call = call;
        one.mos_lqo = mos + scattered_by * scatter + (call == 2 ? moved_by : 0);
        stimulus.measurements.push_back(one);
      }
    }
    results.directions[0].stimuli.push_back(stimulus);
  }
  return results;
}

TEST(CallWarnings, MeansOfTwoCallsThatDifferByMoreThanTheirRepetitionAreTold) {
  EXPECT_THAT(call_warnings(two_calls(0)), IsEmpty());
  EXPECT_THAT(call_warnings(two_calls(0.05)), IsEmpty());
  const auto warnings = call_warnings(two_calls(-0.4));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], AllOf(HasSubstr("a to b: call 2 scores 0.40 ±"), HasSubstr("less than call 1")));
  RunResults one_call = two_calls(-0.4);
  for (StimulusRun& stimulus : one_call.directions[0].stimuli) {
    for (Measurement& one : stimulus.measurements) one.call = 1;
  }
  EXPECT_THAT(call_warnings(one_call), IsEmpty());
}

TEST(CallWarnings, ADifferenceBelowTheGoalIsNotToldHoweverSureItIs) {
  constexpr double kDigitalLine = 0.02;
  EXPECT_THAT(call_warnings(two_calls(0.05, kDigitalLine)), IsEmpty());
  EXPECT_EQ(call_warnings(two_calls(0.15, kDigitalLine)).size(), 1U);
}

TEST_F(RedialTest, ACallThatComesBackTenDecibelsLowerIsToldToBothOperatorsAndStored) {
  TwoCalls calls(folder_, -10, 6);
  ASSERT_TRUE(calls.finish());
  ASSERT_TRUE(calls.again());
  EXPECT_EQ(calls.run().error, "");
  for (const End end : {End::a, End::b}) {
    EXPECT_THAT(calls.told(end), Contains(AllOf(HasSubstr("a to b"), HasSubstr("dB lower"))));
    EXPECT_THAT(calls.told(end), Contains(AllOf(HasSubstr("b to a"), HasSubstr("dB lower"))));
    EXPECT_THAT(calls.told(end), Contains("the call is there again; the run continues"));
  }
  EXPECT_EQ(calls.noticed().size(), 2U) << "each direction once";
  for (const DirectionRun& direction : calls.run().results().directions) {
    const auto levels = call_levels(direction);
    ASSERT_EQ(levels.size(), 2U) << name_of(direction.from);
    EXPECT_NEAR(levels[1].level_change_db.value_or(0), -10, 2) << "noise of the line moves it too";
    EXPECT_EQ(levels[0].scored + levels[1].scored, 10U);
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!one.mos_lqo) continue;
        EXPECT_EQ(one.note.find("dB lower than in the call before") != std::string::npos, one.call == 2) << one.note;
      }
    }
  }
  const auto warnings = call_warnings(calls.run().results());
  EXPECT_EQ(std::ranges::count_if(warnings, [](const auto& one) { return one.find("dB lower") != std::string::npos; }),
            2)
      << "each direction once";
}

TEST_F(RedialTest, ACallThatComesBackAtItsLevelIsAnotherCallAndNothingMore) {
  TwoCalls calls(folder_, 1, 6);
  ASSERT_TRUE(calls.finish());
  ASSERT_TRUE(calls.again());
  EXPECT_THAT(calls.noticed(), IsEmpty());
  EXPECT_THAT(call_warnings(calls.run().results()), IsEmpty());
  EXPECT_EQ(call_levels(calls.run().results().directions[0]).size(), 2U);
  for (const Measurement& one : calls.run().all()) EXPECT_EQ(one.note, "");
}

TEST_F(StaysGone, ACallEndsTheRunAfterSomeAttemptsToMakeItAgain) {
  RunPlan plan = plan_for_it();
  plan.redial = "true";
  plan.most_redials = 2;
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("2 attempts"));
}

TEST_F(RedialTest, WithoutACommandTheRunWaitsUntilTheCallIsThereAgain) {
  std::vector<std::string> told;
  NodeOptions listens;
  listens.tell_operator = [&told](const std::string& message) { told.push_back(message); };
  const test::Bench bench(released_line(), folder_, listens, {});
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.redial_s = 0;
  plan.link_patience_s = 100;
  plan.within_s = 3;
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.error, "");
  EXPECT_GT(run.results().lost_seconds, 0);
  ASSERT_GE(told.size(), 2U);
  EXPECT_THAT(told.front(), HasSubstr("call is gone"));
  std::size_t lost = 0;
  for (const DirectionRun& direction : run.results().directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      EXPECT_EQ(stimulus.interval.n, 5U) << "no loss is counted as a failure of the stimulus";
      for (const Measurement& one : stimulus.measurements) lost += one.outcome == Outcome::line_lost ? 1 : 0;
    }
  }
  EXPECT_GE(lost, 1U);
}

TEST_F(StaysGone, WithoutACommandACallEndsTheRunWhenItsPatienceIsUsedUp) {
  RunPlan plan = plan_for_it();
  plan.link_patience_s = 0.5;
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("line is gone"));
  EXPECT_GE(run.results().lost_seconds, 0.5);
  for (const DirectionRun& direction : run.results().directions) {
    for (const StimulusRun& stimulus : direction.stimuli) EXPECT_NE(stimulus.stopped_because, StopReason::failures);
  }
}

TEST_F(RedialTest, ACommandThatFailsEndsTheRunAndSaysSo) {
  const test::Bench bench(released_line(), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.redial = "exit 3";
  plan.within_s = 3;
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("ended with code 3"));
}

// A line on which nothing has ever come is not one that is gone.
TEST_F(RedialTest, ADeadLineIsNotToldAsACallThatIsGone) {
  const auto profile = parse_profile(R"(
delay_s = 0.25
[[interruptions]]
fill = "idle"
start_s = 0
duration_s = 80000
every_s = 86000
)",
                                     "test");
  ASSERT_TRUE(profile) << profile.error().message;
  const test::Bench bench(profiled_line(*profile, 0, 0, 3), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.redial_s = 0;
  plan.within_s = 3;
  plan.link_patience_s = 2;
  test::WatchedRun run(plan);
  std::vector<std::string> said;
  QObject::connect(&run.controller, &Controller::paused, &run.controller,
                   [&said](const QString& why) { said.push_back(why.toStdString()); });
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  ASSERT_EQ(said.size(), 1U) << "once, however often it is tried";
  EXPECT_THAT(said.front(), AllOf(HasSubstr("no mark of"), HasSubstr("has come to"), HasSubstr("--link-patience")));
  EXPECT_THAT(run.error, HasSubstr("no mark of"));
  std::size_t silent = 0;
  for (const Measurement& one : run.announced) {
    EXPECT_EQ(one.reason.find("call is gone"), std::string::npos) << one.reason;
    silent += one.outcome == Outcome::not_found && one.call == 0 ? 1 : 0;
  }
  EXPECT_GE(silent, 1U);
}

}  // namespace
}  // namespace vqas
