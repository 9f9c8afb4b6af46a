// A campaign as a library call: its events, and that cancel() ends it. The tests of the command (tests/tools) check its
// folders.
#include "vqas/campaign/campaign.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "node/event_loop.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "vqas/campaign/operator_note.h"
#include "vqas/report/report.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlan = R"([campaign]
name = "library"
[line]
kind = "sim:"
[stimuli]
stimuli = ["M1"]
directions = "a-to-b"
[precision]
cap_count = 5
[repeats]
every_min = 1
for_h = 0.02
)";

class CampaignTest : public testing::Test {
 protected:
  CampaignTest() {
    test::application();
    options_.folder = home_.path() / "campaign";
    options_.corpus = fs::path(test::source_dir()) / "corpus";
    options_.program = test::vqas_command();
    events_.run_begins = [this](const CampaignRun& run) {
      told_.push_back("run " + std::to_string(run.number) + " of " + std::to_string(run.runs) +
                      (run.resumed ? ", resumed" : ""));
      RunEvents events;
      events.begun = [this](const RunResults&) { told_.emplace_back("begun"); };
      events.measured = [this](const DirectionRun&, const StimulusRun&) {
        ++measured_;
        if (cancel_at_ == measured_) campaign_->cancel();
      };
      events.finished = [this](const EndOfRun& end) {
        told_.emplace_back(end.fault ? "broken off" : "finished");
        EXPECT_EQ(end.results.about.campaign, "library");
      };
      return events;
    };
    events_.had_ended = [this](const CampaignRun& run, const StoredRun&) {
      told_.push_back("had ended: " + std::to_string(run.number));
    };
    events_.noticed = [this](const std::string& what) { told_.push_back(what); };
    events_.failed = [this](const Error& error) { told_.push_back(error.message); };
    events_.finished = [this](const EndOfCampaign& end) { end_ = end; };
  }
  /// Measures to the end; the events are in told_.
  EndOfCampaign measure() {
    told_.clear();
    end_.reset();
    measured_ = 0;
    test::write_text(home_.path() / "plan.toml", plan_);
    const auto plan = open_plan(home_.path() / "plan.toml");
    EXPECT_TRUE(plan) << plan.error().message;
    auto campaign = Campaign::open(*plan, options_, events_);
    EXPECT_TRUE(campaign) << campaign.error().message;
    if (!campaign) return {};
    campaign_ = *std::move(campaign);
    campaign_->start();
    EXPECT_TRUE(test::serve_until([this] { return end_.has_value(); }, 200'000)) << "the campaign hangs";
    campaign_.reset();
    return end_.value_or(EndOfCampaign{});
  }

  test::TemporaryFolder home_;
  std::string plan_ = kPlan;
  CampaignOptions options_;
  CampaignEvents events_;
  std::unique_ptr<Campaign> campaign_;
  std::vector<std::string> told_;
  std::size_t measured_ = 0, cancel_at_ = 0;
  std::optional<EndOfCampaign> end_;
};

TEST_F(CampaignTest, ReportsItsRunsInOrder) {
  const EndOfCampaign end = measure();
  EXPECT_EQ(told_, (std::vector<std::string>{"run 1 of 2", "begun", "finished", "run 2 of 2", "begun", "finished"}));
  EXPECT_EQ(measured_, 10U);
  EXPECT_EQ(end.verdict, RunVerdict::no_limit);
  EXPECT_EQ(end.page, options_.folder / "campaign.html");
  EXPECT_TRUE(fs::exists(end.page));
  EXPECT_FALSE(end.was_complete);
}

TEST_F(CampaignTest, CancelledAndResumedItKeepsTheUuidOfItsRun) {
  cancel_at_ = 1;
  const EndOfCampaign cancelled = measure();
  EXPECT_EQ(told_, (std::vector<std::string>{"run 1 of 2", "begun", "broken off"}));
  EXPECT_EQ(cancelled.verdict, RunVerdict::cancelled);
  const auto before = load_run(options_.folder / "run-0001");
  ASSERT_TRUE(before) << before.error().message;
  cancel_at_ = 0;
  options_.resume = true;
  const EndOfCampaign end = measure();
  EXPECT_EQ(told_,
            (std::vector<std::string>{"run 1 of 2, resumed", "begun", "finished", "run 2 of 2", "begun", "finished"}));
  EXPECT_EQ(end.verdict, RunVerdict::no_limit);
  EXPECT_EQ(load_run(options_.folder / "run-0001")->results.about.uuid, before->results.about.uuid);
  EXPECT_TRUE(measure().was_complete);
  EXPECT_EQ(told_, (std::vector<std::string>{"had ended: 1", "had ended: 2"}));
}

TEST_F(CampaignTest, TellsItsHooksAndKeepsChosenRecordingsAlsoAfterItWasCancelled) {
  const fs::path hook = home_.path() / "hook.sh";
  test::write_text(hook, "#!/bin/sh\ncat >> documents\n");
  fs::permissions(hook, fs::perms::owner_all);
  plan_ = std::string(kPlan) +
          "[hooks]\nrun_ended = [\"./hook.sh\"]\nverdict_changed = [\"./hook.sh\"]\n"
          "[keep]\nrecordings = \"chosen\"\nworst = 1\nsample = 1\n";
  plan_.replace(plan_.find("cap_count = 5"), 13, "cap_count = 5\nlimit_mos = 2.0");
  cancel_at_ = 7;
  measure();
  // By number: a cancelled campaign ends its hooks, so a document may come twice.
  const auto documents = [&] {
    std::map<int, std::string> events;
    std::istringstream lines(test::read_text(home_.path() / "documents"));
    for (std::string line; std::getline(lines, line);) {
      const Json document = own_json(line);
      events[document["number"].get<int>()] = document["event"].get<std::string>();
    }
    return events;
  };
  const auto recordings = [&](const char* run) {
    const fs::directory_iterator all(options_.folder / run / "recordings");
    return std::distance(begin(all), end(all));
  };
  EXPECT_EQ(recordings("run-0001"), 2);
  EXPECT_GE(recordings("run-0002"), 2) << "a run that was broken off keeps what it has";
  cancel_at_ = 0;
  options_.resume = true;
  EXPECT_EQ(measure().verdict, RunVerdict::pass);
  EXPECT_EQ(documents(), (std::map<int, std::string>{{1, "run_ended"}, {2, "verdict_changed"}, {3, "run_ended"}}));
  EXPECT_EQ(recordings("run-0002"), 2);
  EXPECT_TRUE(measure().was_complete);
  EXPECT_EQ(documents().size(), 3U) << "nothing is told twice";
}

TEST_F(CampaignTest, ARunThatDoesNotFitOnTheDiskIsNotBegun) {
  std::uint64_t free = 1'000'000'000;
  options_.free_bytes = [&](const fs::path&) { return free; };
  auto begins = events_.run_begins;
  events_.run_begins = [&, begins](const CampaignRun& run) {
    free = 1000;
    return begins(run);
  };
  const EndOfCampaign end = measure();
  EXPECT_EQ(end.verdict, RunVerdict::io);
  ASSERT_EQ(told_.size(), 4U);
  EXPECT_NE(told_.back().find("run 2 of 2 is not begun: the run may need"), std::string::npos) << told_.back();
  EXPECT_FALSE(fs::exists(options_.folder / "run-0002"));
}

TEST_F(CampaignTest, WithoutRoomForItsRunsItIsRefused) {
  test::write_text(home_.path() / "plan.toml", kPlan);
  options_.free_bytes = [](const fs::path&) { return std::uint64_t(1'000'000); };
  const auto refused = Campaign::open(*open_plan(home_.path() / "plan.toml"), options_, events_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_NE(refused.error().message.find("MB may be needed"), std::string::npos) << refused.error().message;
}

TEST_F(CampaignTest, ARequestToStopItsRunEndsItAsAUserDoesAndIsRecorded) {
  events_.run_begins = [](const CampaignRun& run) {
    RunEvents events;
    // Behind this event the run has its session with the nodes.
    events.begun = [folder = run.folder](const RunResults&) {
      QTimer::singleShot(0, QCoreApplication::instance(), [folder] { EXPECT_TRUE(request_stop(folder)); });
    };
    return events;
  };
  plan_.replace(plan_.find("cap_count = 5"), 13, "goal = \"line-time\"\ncap_line_time_min = 60");
  const EndOfCampaign end = measure();
  EXPECT_EQ(end.verdict, RunVerdict::cancelled);
  EXPECT_TRUE(end.records.empty()) << "its first slot is resumed";
  EXPECT_NE(test::read_text(options_.folder / kSlotsFile).find("\"stopped\""), std::string::npos);
  EXPECT_FALSE(fs::exists(options_.folder / "run-0001" / kStopFile));
}

TEST_F(CampaignTest, CancelledBeforeItsLineStartsItLeavesNothing) {
  auto begins = events_.run_begins;
  events_.run_begins = [this, begins](const CampaignRun& run) {
    QTimer::singleShot(0, QCoreApplication::instance(), [this] { campaign_->cancel(); });
    return begins(run);
  };
  const EndOfCampaign end = measure();
  EXPECT_EQ(end.verdict, RunVerdict::cancelled);
  EXPECT_EQ(told_, (std::vector<std::string>{"run 1 of 2"}));
  EXPECT_FALSE(fs::exists(options_.folder));
}

}  // namespace
}  // namespace vqas
