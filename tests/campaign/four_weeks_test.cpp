// A campaign of four weeks in virtual time, with everything planted that happens to a machine nobody looks after.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "campaign/slots/next_move.h"
#include "node/event_loop.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "vqas/campaign/bench_line.h"
#include "vqas/campaign/bench_run.h"
#include "vqas/campaign/campaign_metrics.h"
#include "vqas/campaign/campaign_status.h"
#include "vqas/report/report.h"
#include "vqas/store/utc_text.h"
#include "weeks_world.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kHour_s = 3600, kDay_s = 86400, kEvery_s = 2 * kHour_s;
constexpr std::size_t kSlots = 336;
constexpr std::uint64_t kPlenty = 1'000'000'000'000;
constexpr const char* kBegan = "2026-10-10T10:00:00Z";  // central Europe sets its clocks back on 25 October

std::string plan_text(const std::string& repeats) {
  return "[campaign]\nname = \"weeks\"\n[line]\nkind = \"nodes\"\nnode_a = \"ws://127.0.0.1:7811\"\n"
         "node_b = \"ws://127.0.0.1:7812\"\n[stimuli]\nstimuli = [\"M1\"]\ndirections = \"a-to-b\"\n"
         "[precision]\ncap_count = 5\nlimit_mos = 3\n[repeats]\n" +
         repeats;
}

class FourWeeks : public testing::Test {
 protected:
  FourWeeks() {
    test::application();
    qputenv("VQAS_BASELINE", (home_.path() / "baseline").c_str());
    // The machine's own time zone changes on the way; the slots must not.
    qputenv("TZ", "Europe/Berlin");
    ::tzset();
    line_.began_s = time_.utc_s();
    options_.folder = home_.path() / "campaign";
    options_.corpus = fs::path(test::source_dir()) / "corpus";
    options_.program = test::vqas_command();
    options_.unattended = true;
    options_.free_bytes = [this](const fs::path&) { return free_bytes_; };
    options_.measuring = [this](RunPlan plan, RunRecorder& recorder, RunEvents events,
                                std::function<void(const Error&)> not_begun) -> std::unique_ptr<MeasuringRun> {
      if (real_.contains(recorder.folder().filename().string()))
        return std::make_unique<BenchRun>(options_.program, simulated_line(BenchLine{}, plan.seed).value(), plan,
                                          recorder, std::move(events), std::move(not_begun));
      return std::make_unique<test::VirtualRun>(time_, line_, measured_, std::move(plan), recorder, std::move(events));
    };
    events_.run_begins = [this](const CampaignRun& run) {
      is_real_ = real_.contains(run.folder.filename().string());
      RunEvents events;
      events.finished = [this](const EndOfRun&) { is_real_ = false; };
      return events;
    };
    events_.slot_over = [this](const SlotRecord& slot) { told_.push_back(slot); };
    events_.away = [this](const std::string& why) { away_.push_back(why.empty() ? "back" : "away"); };
    events_.finished = [this](const EndOfCampaign& end) { end_ = end; };
  }

  void TearDown() override {
    if (!HasFailure()) return;
    for (const SlotRecord& one : log().records)
      if (one.outcome != SlotOutcome::measured)
        std::cerr << fmt::format("slot {}: {}, {} tries: {}\n", one.number, to_string(one.outcome), one.tries, one.why);
    if (fs::exists(options_.folder / "hooks.log")) std::cerr << test::read_text(options_.folder / "hooks.log");
  }

  void begin(const std::string& plan) { test::write_text(home_.path() / "plan.toml", plan); }
  /// A process starts, as by cron or systemd.
  void open() {
    end_.reset();
    options_.clock = std::make_shared<test::VirtualClock>(time_, std::to_string(boot_));
    const auto plan = open_plan(home_.path() / "plan.toml");
    ASSERT_TRUE(plan) << plan.error().message;
    auto campaign = Campaign::open(*plan, options_, events_);
    ASSERT_TRUE(campaign) << campaign.error().message;
    campaign_ = *std::move(campaign);
    campaign_->start();
  }
  /// The process is gone in this instant, as by kill -9: no event, no file is closed in order.
  void kill() {
    campaign_.reset();
    is_real_ = false;
  }
  void boot() {
    ++boot_;
    open();
  }
  /// The system refuses to write, and says that the disk is full.
  void set_disk_full(bool full) {
    free_bytes_ = full ? 1000 : kPlenty;
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = full ? 1 : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  /// Time passes until the campaign ends.
  void pass(double deadline_s = 40 * kDay_s) {
    while (!end_ && time_.steady_s() < deadline_s) {
      // What an event asks for follows in the next round of the loop.
      for (int round = 0; round < 4 && !is_real_; ++round) QCoreApplication::processEvents();
      if (is_real_) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        continue;
      }
      if (end_) continue;
      // Without anything planned any more, only hooks are waited for.
      if (!time_.pass() && !test::serve_until([this] { return end_.has_value(); })) break;
    }
    EXPECT_TRUE(end_) << "the campaign does not end; " << told_.size() << " slots are over";
  }
  /// A hook for all that is rare; it adds what it is told to a file. While the disk is full it cannot, so it gets more
  /// attempts than fit into that time.
  std::string hooks() const {
    const fs::path hook = home_.path() / "hook.sh";
    test::write_text(hook, fmt::format("#!/bin/sh\ncat >> '{}'\n", (home_.path() / "told").string()));
    fs::permissions(hook, fs::perms::owner_all);
    return fmt::format(
        "[hooks]\nattempts = 20\nverdict_changed = [\"{0}\"]\nline_changed = [\"{0}\"]\ndisk_full = [\"{0}\"]\n",
        hook.string());
  }
  /// The events in the order of their numbers; one that was told again after a kill counts once.
  std::vector<std::string> told_to_hooks() const {
    std::map<std::uint64_t, std::string> events;
    std::istringstream lines(test::read_text(home_.path() / "told"));
    for (std::string line; std::getline(lines, line);) {
      const auto document = nlohmann::json::parse(line);
      events[document["number"].get<std::uint64_t>()] = document["event"].get<std::string>();
    }
    std::vector<std::string> found;
    for (const auto& [number, event] : events) found.push_back(event);
    return found;
  }
  SlotLog log() const {
    const auto found = read_slot_log(options_.folder);
    EXPECT_TRUE(found) << found.error().message;
    return found && *found ? **found : SlotLog{};
  }
  std::map<SlotOutcome, std::vector<std::size_t>> by_outcome() const {
    std::map<SlotOutcome, std::vector<std::size_t>> found;
    for (const SlotRecord& slot : log().records) found[slot.outcome].push_back(slot.number);
    return found;
  }
  /// Each slot has one record at its instant, each was told once, and each number that was accepted is in its folder.
  void expect_all_accounted_for(std::size_t records) const {
    const SlotLog found = log();
    EXPECT_EQ(found.damaged, 0U);
    ASSERT_EQ(found.records.size(), records);
    std::set<std::size_t> told;
    for (const SlotRecord& one : told_) EXPECT_TRUE(told.insert(one.number).second) << one.number << " was told twice";
    EXPECT_EQ(told.size(), records);
    std::set<std::string> runs;
    for (std::size_t i = 0; i < records; ++i) {
      const SlotRecord& one = found.records[i];
      EXPECT_EQ(one.number, i + 1);
      if (one.outcome == SlotOutcome::failed) ADD_FAILURE() << one.number << " failed: " << one.why;
      const bool has_run = one.outcome == SlotOutcome::measured || one.outcome == SlotOutcome::cut_short;
      EXPECT_EQ(has_run, !one.run.empty()) << one.number;
      if (has_run) {
        EXPECT_TRUE(runs.insert(one.run).second) << one.run;
        expect_numbers_of(one);
      } else {
        EXPECT_FALSE(fs::exists(options_.folder / fmt::format("run-{:04}/journal.jsonl", one.number)));
      }
    }
    for (const auto& [run, numbers] : measured_) EXPECT_TRUE(runs.contains(run)) << run << " is in no slot";
  }
  void expect_numbers_of(const SlotRecord& slot) const {
    const auto run = load_run(options_.folder / slot.run);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->damaged, 0U);
    std::set<std::uint32_t> numbers;
    for (const Measurement& one : run->results.directions[0].stimuli[0].measurements)
      EXPECT_TRUE(numbers.insert(one.sequence).second) << slot.run;
    const auto accepted = measured_.find(slot.run);
    if (accepted != measured_.end()) {
      EXPECT_EQ(numbers, accepted->second) << slot.run;
    }
    EXPECT_EQ(numbers.size() == 5, slot.outcome == SlotOutcome::measured) << slot.run;
  }

  test::TemporaryFolder home_;
  test::VirtualTime time_{utc_from_text(kBegan).value()};
  test::VirtualLine line_;
  test::Measured measured_;
  std::set<std::string> real_;  // runs on a simulated line with real scores
  bool is_real_ = false;
  std::uint64_t free_bytes_ = kPlenty;
  CampaignOptions options_;
  CampaignEvents events_;
  std::unique_ptr<Campaign> campaign_;
  std::optional<EndOfCampaign> end_;
  std::vector<SlotRecord> told_;
  std::vector<std::string> away_;
  int boot_ = 1;
};

/// The number of the slot that is due then.
std::size_t slot_at(double after_began_s) {
  return static_cast<std::size_t>(after_began_s / kEvery_s) + 1;
}

std::vector<std::size_t> slots_from(double first_s, std::size_t count) {
  std::vector<std::size_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = slot_at(first_s) + i;
  return numbers;
}

TEST_F(FourWeeks, EverySlotIsAccountedForOnceAndNoNumberIsLost) {
  begin(plan_text("every_min = 120\nfor_h = 672\n") + hooks());
  real_ = {"run-0002", "run-0100"};
  line_.away = {{2.25 * kDay_s + 100, 2.25 * kDay_s + 100 + 1200}, {3 * kDay_s, 3.5 * kDay_s}};
  line_.slow = {{5 * kDay_s, 5 * kDay_s + 2.5 * kHour_s}};
  line_.degraded = {{6 * kDay_s, 8 * kDay_s}};
  time_.at(9 * kDay_s - 60, [this] { set_disk_full(true); });
  time_.at(9.5 * kDay_s - 60, [this] { set_disk_full(false); });
  // From here on the steady clock is behind UTC by what the system's clock was set.
  time_.at(11 * kDay_s + 1000, [this] { time_.set_clock_by(5 * kHour_s); });
  time_.at(13 * kDay_s + 1000 - 5 * kHour_s, [this] { time_.set_clock_by(-5 * kHour_s); });
  time_.at(15 * kDay_s + 3000, [this] { campaign_->cancel(); });
  const double started_again_s = 15 * kDay_s + 3000 + 8 * kHour_s;
  // Ten kills, each second one within a run; then the machine is off for a while.
  constexpr int kSeed = 20261010;
  std::mt19937 chance(kSeed);
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::vector<std::pair<double, double>> off;
  for (int n = 0; n < 10; ++n) {
    const double within_s =
        n % 2 == 0 ? 10.0 + static_cast<double>(chance() % 230) : 300.0 + static_cast<double>(chance() % 6800);
    const double at_s = (17 + n) * kDay_s + kEvery_s * static_cast<double>(chance() % 6) + within_s;
    const double for_s = std::array{60.0, 1200.0, 5 * kHour_s}.at(chance() % 3);
    off.emplace_back(at_s, at_s + for_s);
    time_.at(at_s, [this] { kill(); });
    time_.at(at_s + for_s, [this] { boot(); });
  }
  const auto real_began = std::chrono::steady_clock::now();
  open();
  pass();  // until the user stops it
  ASSERT_EQ(end_->verdict, RunVerdict::cancelled);
  campaign_.reset();
  time_.at(started_again_s, [this] { open(); });
  end_.reset();
  pass();
  campaign_.reset();

  expect_all_accounted_for(kSlots);
  const auto found = by_outcome();
  const auto of = [&found](SlotOutcome outcome) {
    const auto there = found.find(outcome);
    return there == found.end() ? std::vector<std::size_t>() : there->second;
  };
  EXPECT_EQ(of(SlotOutcome::line_away), slots_from(3 * kDay_s, 6));
  EXPECT_EQ(of(SlotOutcome::overran), slots_from(5 * kDay_s + kEvery_s, 1));
  EXPECT_EQ(of(SlotOutcome::disk_full), slots_from(9 * kDay_s, 6));
  EXPECT_EQ(of(SlotOutcome::clock_step), slots_from(11 * kDay_s + kEvery_s, 2));
  EXPECT_EQ(of(SlotOutcome::stopped), slots_from(15 * kDay_s + kEvery_s, 3));
  const SlotRecord lost_for_a_while = log().records[slot_at(2.25 * kDay_s) - 1];
  EXPECT_EQ(lost_for_a_while.outcome, SlotOutcome::measured)
      << "it was not continued in its slot: " << lost_for_a_while.why;
  EXPECT_GE(lost_for_a_while.tries, 2U);
  EXPECT_EQ(away_, (std::vector<std::string>{"away", "back", "away", "back"}));

  // A machine that is off misses the slots whose time it sleeps through, and no others.
  std::vector<std::size_t> slept;
  for (const auto& [from_s, until_s] : off) {
    for (std::size_t number = slot_at(from_s) + 1; kEvery_s * static_cast<double>(number - 1) + kEvery_s / 2 < until_s;
         ++number)
      slept.push_back(number);
  }
  EXPECT_EQ(of(SlotOutcome::not_running), slept);
  for (const std::size_t number : of(SlotOutcome::cut_short)) {
    EXPECT_TRUE(std::ranges::any_of(off, [number](const auto& one) { return slot_at(one.first) == number; })) << number;
  }
  for (const SlotRecord& one : log().records) {
    EXPECT_EQ(one.due_s, line_.began_s + kEvery_s * static_cast<double>(one.number - 1))
        << "daylight saving moves none";
    const bool degraded = one.number >= slot_at(6 * kDay_s) && one.number < slot_at(8 * kDay_s);
    if (one.outcome == SlotOutcome::measured) {
      EXPECT_EQ(one.verdict, degraded ? "fail" : "pass") << one.number;
    }
  }
  EXPECT_EQ(log().steps.size(), 2U);
  EXPECT_EQ(end_->verdict, RunVerdict::not_measured) << "of the slots without a complete run";
  EXPECT_EQ(end_->records.size(), kSlots);
  EXPECT_THAT(told_to_hooks(), ElementsAre("verdict_changed", "line_dead", "line_back", "verdict_changed",
                                           "verdict_changed", "disk_full_soon"));
  const std::string page = test::read_text(options_.folder / "campaign.html");
  EXPECT_THAT(page, HasSubstr("336 slots are over"));
  EXPECT_THAT(page, HasSubstr("the line or a node was away"));
  EXPECT_THAT(page, HasSubstr("37 to 42"));

  // A further start finds nothing left, and repeats the verdict.
  told_.clear();
  open();
  pass();
  EXPECT_TRUE(end_->was_complete);
  EXPECT_EQ(end_->verdict, RunVerdict::not_measured);
  EXPECT_TRUE(told_.empty());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - real_began;
  RecordProperty("seconds", std::to_string(took.count()));
}

TEST_F(FourWeeks, TimesOfDayAreKeptOverTheChangeOfClocks) {
  begin(plan_text("at = [\"02:30\", \"09:00\"]\nzone = \"Europe/Berlin\"\nfor_h = 672\n"));
  const double change_s = 14 * kDay_s;
  time_.at(change_s + 15 * kHour_s, [this] { kill(); });
  time_.at(change_s + 15 * kHour_s + 60, [this] { boot(); });
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(56);
  EXPECT_THAT(by_outcome()[SlotOutcome::measured], testing::SizeIs(56));
  std::set<std::string> days;
  for (const SlotRecord& one : log().records) {
    const bool summer = one.due_s < utc_from_text("2026-10-25T01:00:00Z").value();
    const std::string text = utc_text(one.due_s);
    EXPECT_THAT(text.substr(11, 5), testing::AnyOf(summer ? "00:30" : "01:30", summer ? "07:00" : "08:00")) << text;
    EXPECT_TRUE(days.insert(text.substr(0, 13)).second) << text;
  }
}

// The folder is opened again after a kill at each instant of the first slots; whatever the instant, the record is
// whole.
TEST_F(FourWeeks, AfterAKillAtAnyInstantTheFolderIsContinued) {
  begin(plan_text("every_min = 120\nfor_h = 8\n"));
  for (int n = 0; n < 12; ++n) {
    time_.at(n * 23.0 + 3, [this] { kill(); });
    time_.at(n * 23.0 + 4, [this] { boot(); });
  }
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(4);
  EXPECT_THAT(by_outcome()[SlotOutcome::measured], ElementsAre(1, 2, 3, 4));
}

TEST_F(FourWeeks, ASecondStartIsRefusedAndChangesNothing) {
  begin(plan_text("every_min = 120\nfor_h = 8\n"));
  open();
  time_.at(60, [this] {
    const auto plan = open_plan(home_.path() / "plan.toml");
    const auto second = Campaign::open(*plan, options_, {});
    ASSERT_FALSE(second);
    EXPECT_EQ(verdict_of_start(second.error(), options_.folder), RunVerdict::in_use);
  });
  pass();
  campaign_.reset();
  expect_all_accounted_for(4);
}

TEST_F(FourWeeks, ChangedRepeatsHoldFromTheNextSlotOn) {
  begin(plan_text("every_min = 120\nfor_h = 8\n"));
  time_.at(kEvery_s + 1000, [this] {
    kill();
    begin(plan_text("every_min = 60\nfor_h = 8\n"));
    boot();
  });
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(6);
  std::vector<double> due_h;
  for (const SlotRecord& one : log().records) due_h.push_back((one.due_s - line_.began_s) / kHour_s);
  EXPECT_THAT(due_h, ElementsAre(0, 2, 4, 5, 6, 7));
}

TEST_F(FourWeeks, TimesThatAreChangedDuringAStopLeaveTheSlotsOfTheStopTheirRecords) {
  begin(plan_text("every_min = 120\nfor_h = 24\n"));
  time_.at(kEvery_s + 1000, [this] { kill(); });
  time_.at(5 * kEvery_s + 1000, [this] {
    begin(plan_text("every_min = 60\nfor_h = 24\n"));
    boot();
  });
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(19);
  auto found = by_outcome();
  EXPECT_THAT(found[SlotOutcome::not_running], ElementsAre(3, 4, 5));
  const SlotLog log_now = log();
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(log_now.records[i].due_s, line_.began_s + static_cast<double>(i) * kEvery_s);
  EXPECT_EQ(log_now.records[5].due_s, line_.began_s + 5 * kEvery_s + 1000);
  EXPECT_EQ(log_now.records[6].due_s, line_.began_s + 5 * kEvery_s + 1000 + kHour_s);
}

TEST_F(FourWeeks, FiguresOfADeadLineHoldNoMeanAndTellWhenTheNextSlotIsDue) {
  begin(plan_text("every_min = 120\nfor_h = 8\n"));
  line_.away = {{kEvery_s - 100, 2 * kEvery_s - 100}};
  const fs::path file = home_.path() / "weeks.prom";
  std::vector<std::string> pages;
  const auto plan = open_plan(home_.path() / "plan.toml");
  ASSERT_TRUE(plan);
  events_ = with_metrics(std::move(events_), std::make_shared<CampaignMetrics>(file, home_.path(), plan->plan));
  for (const double at_s : {kEvery_s - 200, 2 * kEvery_s - 200, 3 * kEvery_s - 200})
    time_.at(at_s, [&pages, file] { pages.push_back(test::read_text(file)); });
  open();
  pass();
  campaign_.reset();
  ASSERT_EQ(pages.size(), 3U);
  for (const std::size_t good : {0U, 2U}) {
    EXPECT_THAT(pages[good], HasSubstr("vqas_campaign_mos_lqo{"));
    EXPECT_THAT(pages[good], HasSubstr("vqas_campaign_without_score{campaign=\"weeks\",direction=\"a-to-b\"} 0"));
  }
  EXPECT_THAT(pages[1], testing::Not(HasSubstr("vqas_campaign_mos_lqo{")));
  EXPECT_THAT(pages[1], HasSubstr("vqas_campaign_without_score{campaign=\"weeks\",direction=\"a-to-b\"} 1"));
  EXPECT_THAT(pages[1], HasSubstr("vqas_campaign_last_slot{campaign=\"weeks\",outcome=\"line_away\"} 1"));
  EXPECT_THAT(pages[1], HasSubstr("vqas_campaign_line_away{campaign=\"weeks\"} 1"));
  EXPECT_THAT(pages[1], HasSubstr(fmt::format("vqas_campaign_next_slot_timestamp_seconds{{campaign=\"weeks\"}} {:.0f}",
                                              line_.began_s + 2 * kEvery_s)));
}

TEST_F(FourWeeks, ACompleteRunWhoseReportCannotBeWrittenIsMeasuredAndItsReportIsMendedLater) {
  begin(plan_text("every_min = 120\nfor_h = 6\n"));
  const fs::path page = options_.folder / "run-0002/report.html";
  time_.at(kEvery_s + 100, [page] { fs::create_directories(page / "x"); });
  time_.at(2 * kEvery_s + 100, [page] { fs::remove_all(page); });
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(3);
  EXPECT_EQ(log().records[1].outcome, SlotOutcome::measured);
  EXPECT_EQ(log().records[1].verdict, "pass");
  EXPECT_EQ(end_->verdict, RunVerdict::pass);
  EXPECT_TRUE(fs::is_regular_file(page));
  for (const bool unattended : {true, false}) {
    options_.unattended = unattended;
    options_.resume = true;
    fs::remove_all(page);
    fs::create_directories(page / "x");
    open();
    pass();
    EXPECT_EQ(end_->verdict, RunVerdict::bad_input) << "a folder is where the report belongs";
    campaign_.reset();
    fs::remove_all(page);
    open();
    pass();
    EXPECT_EQ(end_->verdict, RunVerdict::pass) << "of the records";
    campaign_.reset();
    EXPECT_TRUE(fs::is_regular_file(page));
  }
}

TEST_F(FourWeeks, AnOutageEndsWithTheFirstScoreAfterItAndASecondOneBeginsWithItsOwnBreak) {
  begin(plan_text("every_min = 120\nfor_h = 4\n"));
  line_.away = {{100, 700}, {1100, 1300}};
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(2);
  EXPECT_EQ(log().records[0].outcome, SlotOutcome::measured);
  EXPECT_EQ(away_, (std::vector<std::string>{"away", "back", "away", "back"}));
  const std::vector<SlotOutage> outages = log().outages;
  ASSERT_EQ(outages.size(), 2U);
  const double ended_s = log().records[0].ended_s.value();
  ASSERT_TRUE(outages[0].until_s && outages[1].until_s);
  EXPECT_LT(*outages[0].until_s, line_.began_s + 1100) << "while the line was measured";
  EXPECT_GE(outages[1].since_s, *outages[0].until_s) << "the line was measured in between";
  EXPECT_LE(*outages[1].until_s, ended_s);
}

TEST_F(FourWeeks, ARunThatWasKilledAndNotContinuedKeepsWhenItBeganAndIsNotCalledStoppedByItsUser) {
  begin(plan_text("every_min = 120\nfor_h = 6\n") + fmt::format("[hooks]\nrun_ended = [\"{0}\"]\n", [this] {
          hooks();
          return (home_.path() / "hook.sh").string();
        }()));
  time_.at(150, [this] { kill(); });
  time_.at(kEvery_s + 10, [this] { boot(); });
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(3);
  const SlotRecord cut = log().records[0];
  EXPECT_EQ(cut.outcome, SlotOutcome::cut_short);
  ASSERT_TRUE(cut.began_s);
  EXPECT_NEAR(*cut.began_s, line_.began_s, 10);
  EXPECT_EQ(cut.tries, 1U);
  const auto told = nlohmann::json::parse(
      test::read_text(home_.path() / "told").substr(0, test::read_text(home_.path() / "told").find('\n')));
  EXPECT_EQ(told["run"]["exit_code"], 4) << told;
  EXPECT_THAT(told_to_hooks(), testing::Each("run_ended")) << "a kill says nothing of the line";
}

TEST_F(FourWeeks, APlanThatIsMadeShorterThanWhatIsOverHasNoSlotLeftAndItsCopySaysSo) {
  begin(plan_text("every_min = 120\nfor_h = 24\n"));
  time_.at(3 * kEvery_s + 1000, [this] {
    kill();
    begin(plan_text("every_min = 120\nfor_h = 4\n"));
    boot();
  });
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(4);
  EXPECT_EQ(end_->slots_in_all, 4U);
  EXPECT_TRUE(end_->was_complete);
  const auto status = campaign_status(options_.folder);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->slots_in_all, 4U);
  EXPECT_FALSE(status->next_s);
}

TEST_F(FourWeeks, ACampaignWhoseSlotsWereMostlyLeftOutSaysSo) {
  begin(plan_text("every_min = 120\nfor_h = 8\n"));
  std::vector<std::string> noticed;
  events_.noticed = [&noticed](const std::string& what) { noticed.push_back(what); };
  time_.at(kEvery_s - 1000, [this] {
    kill();
    time_.set_clock_by(kDay_s);
    boot();
  });
  open();
  pass();
  campaign_.reset();
  expect_all_accounted_for(4);
  EXPECT_THAT(noticed, testing::Contains(HasSubstr("most slots have no run: 3 of 4 were left out")));
}

TEST_F(FourWeeks, ACampaignWithoutAnyRunIsNotMeasured) {
  begin(plan_text("every_min = 120\nfor_h = 8\n"));
  time_.at(1, [this] {
    kill();
    time_.set_clock_by(kDay_s);
    boot();
  });
  open();
  pass();
  EXPECT_THAT(by_outcome()[SlotOutcome::not_running], testing::SizeIs(4));
  EXPECT_EQ(end_->verdict, RunVerdict::not_measured);
}

TEST_F(FourWeeks, AFirstRunThatCannotBeMeasuredAsPlannedEndsTheCampaignAndLeavesNothing) {
  begin(plan_text("every_min = 120\nfor_h = 8\n"));
  options_.admit = [](RunPlan&) { return RunVerdict::bad_input; };
  open();
  pass();
  campaign_.reset();
  EXPECT_EQ(end_->verdict, RunVerdict::bad_input);
  EXPECT_FALSE(fs::exists(options_.folder));
}

}  // namespace
}  // namespace vqas
