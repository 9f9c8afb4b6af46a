// When slots are due, what a campaign does at an instant, and why a slot was missed.
#include "vqas/campaign/slot_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/slots/next_move.h"
#include "campaign/slots/slot_book.h"
#include "support/temporary_folder.h"
#include "vqas/report/slot_words.h"
#include "vqas/store/utc_text.h"

namespace vqas::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum Move::What;

constexpr double kDay_s = 86400;

double at(const char* utc) {
  return utc_from_text(utc).value_or(-1);
}

/// Instants at which a clock of the zone shows these times, as texts.
std::vector<std::string> instants(const char* from, const char* zone, std::vector<int> at_min, std::size_t count) {
  std::vector<std::string> texts;
  for (const double one : times_of_day({1, at(from), 0, std::move(at_min), zone}, count))
    texts.push_back(utc_text(one).substr(0, 16));
  return texts;
}

SlotSchedule quarters(double from_s = 1000) {
  return SlotSchedule({{.first = 1, .from_s = from_s, .every_s = 900}}, kDay_s);
}

TEST(SlotSchedule, EveryQuarterOfAnHourForADayGives96Slots) {
  const SlotSchedule schedule = quarters();
  EXPECT_EQ(schedule.count(), 96U);
  EXPECT_EQ(schedule.due_s(1), 1000);
  EXPECT_EQ(schedule.due_s(96), 1000 + 95 * 900);
  EXPECT_EQ(schedule.due_s(97), 1000 + kDay_s) << "the end of the last slot";
}

TEST(SlotSchedule, ASlotMayBeginUntilHalfTheTimeToTheNextOneUnlessThePlanSaysOtherwise) {
  const SlotSchedule schedule = quarters(0);
  EXPECT_EQ(schedule.latest_s(2, 0), 900 + 450);
  EXPECT_EQ(schedule.latest_s(2, 60), 900 + 60);
  EXPECT_EQ(schedule.latest_s(2, 5000), 1800) << "never after the next slot";
}

TEST(SlotSchedule, ChangedRepeatsHoldFromTheirSlotOnAndUntilTheSameEnd) {
  const SlotSchedule schedule(
      {{.first = 1, .from_s = 0, .every_s = 900}, {.first = 5, .from_s = 4000, .every_s = 7200}}, kDay_s);
  EXPECT_EQ(schedule.due_s(4), 2700);
  EXPECT_EQ(schedule.due_s(5), 4000);
  EXPECT_EQ(schedule.due_s(6), 11200);
  EXPECT_EQ(schedule.count(), 4U + 12U) << "82,400 s are left";
}

TEST(SlotSchedule, TimesOfDayKeepTheirLocalTimeWhenTheClocksChange) {
  EXPECT_THAT(instants("2026-03-28T06:00:00Z", "Europe/Berlin", {9 * 60, 17 * 60}, 4),
              ElementsAre("2026-03-28T08:00", "2026-03-28T16:00", "2026-03-29T07:00", "2026-03-29T15:00"));
  EXPECT_THAT(instants("2026-10-24T06:00:00Z", "Europe/Berlin", {9 * 60}, 3),
              ElementsAre("2026-10-24T07:00", "2026-10-25T08:00", "2026-10-26T08:00"));
  EXPECT_THAT(instants("2026-03-07T00:00:00Z", "America/New_York", {0}, 3),
              ElementsAre("2026-03-07T05:00", "2026-03-08T05:00", "2026-03-09T04:00"));
  EXPECT_THAT(instants("2026-03-28T08:00:00Z", "UTC", {8 * 60}, 2), ElementsAre("2026-03-28T08:00", "2026-03-29T08:00"))
      << "the first instant counts";
}

TEST(SlotSchedule, ATimeThatTheClocksSkipIsTakenByTheOffsetBefore) {
  EXPECT_THAT(instants("2026-03-28T00:00:00Z", "Europe/Berlin", {150}, 3),
              ElementsAre("2026-03-28T01:30", "2026-03-29T01:30", "2026-03-30T00:30"));
  EXPECT_THAT(instants("2026-03-29T00:00:00Z", "Europe/Berlin", {150, 210}, 3),
              ElementsAre("2026-03-29T01:30", "2026-03-30T00:30", "2026-03-30T01:30"))
      << "02:30 and 03:30 are one instant on that day";
}

TEST(SlotSchedule, ATimeThatTheClocksShowTwiceIsTakenOnce) {
  EXPECT_THAT(instants("2026-10-24T00:00:00Z", "Europe/Berlin", {150}, 3),
              ElementsAre("2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"));
}

TEST(SlotSchedule, FourWeeksOfTwoTimesADayAre56SlotsInRisingOrder) {
  const SlotSchedule schedule(
      {{.first = 1, .from_s = at("2026-10-10T10:00:00Z"), .at_min = {540, 1020}, .zone = "Europe/Berlin"}},
      28 * kDay_s);
  EXPECT_EQ(schedule.count(), 56U);
  for (std::size_t n = 1; n <= 56; ++n) EXPECT_LT(schedule.due_s(n), schedule.due_s(n + 1)) << n;
}

TEST(NextMove, ASlotIsWaitedForMeasuredOrClosed) {
  const SlotSchedule schedule = quarters(0);
  const SlotRules rules{0, 300};
  EXPECT_EQ(next_move(schedule, rules, {2}, 800), (Move{wait, 100}));
  EXPECT_EQ(next_move(schedule, rules, {2}, 900), (Move{measure}));
  EXPECT_EQ(next_move(schedule, rules, {2}, 900 + 450), (Move{measure}));
  EXPECT_EQ(next_move(schedule, rules, {2}, 900 + 451), (Move{close}));
  EXPECT_EQ(next_move(schedule, rules, {97}, 900), (Move{end}));
}

TEST(NextMove, ARunThatHasBegunIsContinuedUntilTheNextSlot) {
  const SlotSchedule schedule = quarters(0);
  EXPECT_EQ(next_move(schedule, {}, {.number = 2, .begun = true}, 1799), (Move{measure}));
  EXPECT_EQ(next_move(schedule, {}, {.number = 2, .begun = true}, 1800), (Move{close}));
}

TEST(NextMove, ATryThatFailedIsRepeatedWhileTheSlotLasts) {
  const SlotSchedule schedule = quarters(0);
  const OpenSlot early{.number = 2, .begun = false, .retry_at_s = 1240};
  EXPECT_EQ(next_move(schedule, {0, 300}, early, 940), (Move{wait, 300}));
  EXPECT_EQ(next_move(schedule, {0, 300}, early, 1240), (Move{measure}));
  EXPECT_EQ(next_move(schedule, {0, 0}, early, 940), (Move{close})) << "one try";
  EXPECT_EQ(next_move(schedule, {0, 0}, {.number = 2, .begun = false, .retry_at_s = 940}, 940), (Move{close}))
      << "one try, whose repetition would be due at once";
  EXPECT_EQ(next_move(schedule, {0, 300}, {.number = 2, .begun = false, .retry_at_s = 1400}, 1100), (Move{close}))
      << "the next try would come too late";
  EXPECT_EQ(next_move(schedule, {0, 300}, {.number = 2, .begun = true, .retry_at_s = 1400}, 1100), (Move{wait, 300}));
}

TEST(NextMove, AClockThatIsSetBackBringsNoSlotTwiceAndAForwardOneSkipsNoneWithoutARecord) {
  const SlotSchedule schedule = quarters(0);
  EXPECT_EQ(next_move(schedule, {}, {3}, -7200), (Move{wait, 9000})) << "slots 1 and 2 have their records";
  EXPECT_EQ(next_move(schedule, {}, {3}, 7200).what, close);
  EXPECT_EQ(next_move(schedule, {}, {8}, 7200).what, close);
  EXPECT_EQ(next_move(schedule, {}, {9}, 7200).what, measure);
}

TEST(WhyMissed, TheProcessBeforeSaysWhyASlotBeforeTheStartWasMissed) {
  Witness witness{.started_s = 10'000, .boot = "second"};
  EXPECT_EQ(why_missed(900, 1350, witness).outcome, SlotOutcome::not_running);
  witness.before = SlotSession{0, "first", 800};
  EXPECT_EQ(why_missed(900, 1350, witness).outcome, SlotOutcome::stopped);
  witness.before = SlotSession{0, "first", {}};
  EXPECT_THAT(why_missed(900, 1350, witness).why, HasSubstr("the machine was off"));
  witness.before = SlotSession{0, "second", {}};
  EXPECT_EQ(why_missed(900, 1350, witness).outcome, SlotOutcome::not_running);
  EXPECT_THAT(why_missed(900, 1350, witness).why, HasSubstr("the command did not run"));
}

TEST(WhyMissed, ALongRunOrAStepOfTheClockOfThisProcessSaysWhy) {
  Witness witness{.started_s = 0};
  witness.run_began_s = 100;
  witness.run_ended_s = 1500;
  EXPECT_EQ(why_missed(900, 1350, witness).outcome, SlotOutcome::overran);
  EXPECT_EQ(why_missed(1800, 2250, witness).outcome, SlotOutcome::not_running);
  witness.step = ClockStep{5000, 3600};
  EXPECT_EQ(why_missed(1800, 2250, witness).outcome, SlotOutcome::clock_step);
  EXPECT_EQ(why_missed(900, 1350, witness).outcome, SlotOutcome::overran) << "before the step";
}

class LostTimes : public testing::Test {
 protected:
  LostTimes() {
    plan_.at_min = {540, 1020};
    plan_.zone = "Europe/Berlin";
    plan_.for_s = 4 * kDay_s;
    auto book = SlotBook::open(home_.path(), plan_, kNow_s, {});
    EXPECT_TRUE(book);
    for (std::size_t n = 1; n <= 4; ++n) {
      due_.push_back(book->schedule().due_s(n));
      EXPECT_TRUE(book->close({.number = n, .due_s = due_.back(), .run = {}, .verdict = {}}));
    }
  }
  /// The lines that hold this text do not fit their digest any more.
  void damage(const std::string& text) const {
    std::string all = test::read_text(home_.path() / kSlotsFile);
    for (std::size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) all[at + 2] = '#';
    test::write_text(home_.path() / kSlotsFile, all);
  }
  Result<SlotBook> reopen() const { return SlotBook::open(home_.path(), plan_, kNow_s + 3 * kDay_s, {}); }

  static constexpr double kNow_s = 1'760'000'000;
  test::TemporaryFolder home_;
  CampaignPlan plan_;
  std::vector<double> due_;
};

TEST_F(LostTimes, TheFirstSlotsRecordTellsThem) {
  damage("\"times\"");
  const auto book = reopen();
  ASSERT_TRUE(book) << book.error().message;
  for (std::size_t n = 1; n <= 4; ++n) EXPECT_EQ(book->schedule().due_s(n), due_[n - 1]);
  EXPECT_EQ(book->schedule().count(), 8U);
}

TEST_F(LostTimes, WithoutItTimesOfDayAreRefusedWithTheCure) {
  damage("\"times\"");
  damage("\"number\":1,");
  const auto book = reopen();
  ASSERT_FALSE(book);
  EXPECT_THAT(book.error().message, HasSubstr("restore the file from a copy"));
}

TEST_F(LostTimes, RecordsThatTheTimesDoNotExplainAreRefused) {
  damage("\"times\"");
  plan_.at_min = {600, 1020};
  const auto book = reopen();
  ASSERT_FALSE(book);
  EXPECT_THAT(book.error().message, HasSubstr("the times of its slots are lost"));
}

TEST(SlotWords, ASlotThatWasLeftOutIsToldByItsReasonAlone) {
  SlotRecord slot{.outcome = SlotOutcome::clock_step, .run = {}, .verdict = {}, .why = "the clock was set"};
  EXPECT_EQ(in_words(slot), "left out: the clock was set");
  slot.outcome = SlotOutcome::line_away;
  EXPECT_EQ(in_words(slot), "the line or a node was away: the clock was set");
  slot.why.clear();
  EXPECT_EQ(in_words(slot), "the line or a node was away");
}

}  // namespace
}  // namespace vqas::campaign
