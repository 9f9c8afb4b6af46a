// The records of a campaign's slots, and what is left of them after damage.
#include "vqas/store/slot_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "support/temporary_folder.h"
#include "vqas/store/utc_text.h"

namespace vqas {
namespace {

SlotRecord slot(std::size_t number, SlotOutcome outcome = SlotOutcome::measured) {
  SlotRecord one;
  one.number = number;
  one.due_s = 1000.25 * static_cast<double>(number);
  one.outcome = outcome;
  return one;
}

class SlotJournalTest : public testing::Test {
 protected:
  SlotLog read() const {
    const auto log = read_slot_log(home_.path());
    EXPECT_TRUE(log) << log.error().message;
    return log && *log ? **log : SlotLog{};
  }
  std::vector<std::size_t> numbers() const {
    std::vector<std::size_t> found;
    for (const SlotRecord& one : read().records) found.push_back(one.number);
    return found;
  }
  std::filesystem::path file() const { return home_.path() / kSlotsFile; }
  test::TemporaryFolder home_;
};

TEST_F(SlotJournalTest, EveryKindOfLineIsReadAsItWasWritten) {
  EXPECT_FALSE(read_slot_log(home_.path()).value()) << "no file";
  auto journal = SlotJournal::open(home_.path());
  ASSERT_TRUE(journal) << journal.error().message;
  SlotRecord full = slot(1, SlotOutcome::cut_short);
  full.run = "run-0001";
  full.verdict = "not_measured";
  full.began_s = 1001.5;
  full.ended_s = 1900;
  full.tries = 3;
  full.why = "the line\nwent away";
  full.not_stored = true;
  ASSERT_TRUE(journal->add({.first = 1, .from_s = 1000.25, .every_s = 900}));
  ASSERT_TRUE(journal->started(1000, "boot"));
  ASSERT_TRUE(journal->away(1400, "no answer"));
  ASSERT_TRUE(journal->add(full));
  ASSERT_TRUE(journal->back(1700));
  ASSERT_TRUE(journal->stepped({1800, -3600.5}));
  ASSERT_TRUE(journal->stopped(2000));
  ASSERT_TRUE(journal->add({.first = 2, .from_s = 5000, .every_s = 0, .at_min = {540, 1020}, .zone = "Europe/Berlin"}));
  const SlotLog log = read();
  EXPECT_EQ(log.damaged, 0U);
  ASSERT_EQ(log.times.size(), 2U);
  EXPECT_EQ(log.times[0].from_s, 1000.25);
  EXPECT_EQ(log.times[1].at_min, (std::vector<int>{540, 1020}));
  EXPECT_EQ(log.times[1].zone, "Europe/Berlin");
  ASSERT_EQ(log.records.size(), 1U);
  const SlotRecord& back = log.records[0];
  EXPECT_EQ(back.due_s, full.due_s);
  EXPECT_EQ(back.outcome, full.outcome);
  EXPECT_EQ(back.run, full.run);
  EXPECT_EQ(back.verdict, full.verdict);
  EXPECT_EQ(back.began_s, full.began_s);
  EXPECT_EQ(back.ended_s, full.ended_s);
  EXPECT_EQ(back.tries, 3U);
  EXPECT_EQ(back.why, "the line went away");
  EXPECT_TRUE(back.not_stored);
  ASSERT_EQ(log.sessions.size(), 1U);
  EXPECT_EQ(log.sessions[0].stopped_s, 2000);
  ASSERT_EQ(log.steps.size(), 1U);
  EXPECT_EQ(log.steps[0].step_s, -3600.5);
  ASSERT_EQ(log.outages.size(), 1U);
  EXPECT_EQ(log.outages[0].until_s, 1700);
}

TEST_F(SlotJournalTest, AfterATornLineItContinuesBehindTheLastWholeOne) {
  ASSERT_TRUE(SlotJournal::open(home_.path())->add(slot(1)));
  const std::string whole = test::read_text(file());
  for (std::size_t torn = 0; torn < 60; torn += 7) {
    test::write_text(file(), whole + whole.substr(whole.find("{\"slot"), torn));
    auto journal = SlotJournal::open(home_.path());
    ASSERT_TRUE(journal) << journal.error().message;
    ASSERT_TRUE(journal->add(slot(2)));
    EXPECT_THAT(numbers(), testing::ElementsAre(1, 2)) << torn;
    EXPECT_EQ(read().damaged, 0U);
  }
}

TEST_F(SlotJournalTest, AChangedMissingOrRepeatedLineIsCountedAndTheOthersAreRead) {
  {
    auto journal = SlotJournal::open(home_.path());
    for (const std::size_t number : {1, 2, 3}) ASSERT_TRUE(journal->add(slot(number)));
    ASSERT_TRUE(journal->add(slot(3, SlotOutcome::failed)));
  }
  EXPECT_THAT(numbers(), testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(read().records[2].outcome, SlotOutcome::measured) << "the first record counts";
  EXPECT_EQ(read().damaged, 1U);
  const std::string whole = test::read_text(file());
  std::string changed = whole;
  changed.replace(changed.find("\"number\":2"), 10, "\"number\":7");
  test::write_text(file(), changed);
  EXPECT_THAT(numbers(), testing::ElementsAre(1, 3));
  EXPECT_EQ(read().damaged, 2U);
  std::string shorter = whole;
  const std::size_t second = shorter.find("{\"slot\":{\"number\":2");
  shorter.erase(second, shorter.find('\n', second) + 1 - second);
  test::write_text(file(), shorter);
  EXPECT_THAT(numbers(), testing::ElementsAre(1, 3));
  EXPECT_EQ(read().damaged, 2U);
}

TEST_F(SlotJournalTest, AFileOfAnotherSchemaIsRefused) {
  test::write_text(file(), "{\"schema\":\"vqas-slots/9\"}\n");
  EXPECT_EQ(SlotJournal::open(home_.path()).error().code, ErrorCode::bad_input);
}

TEST_F(SlotJournalTest, HostileLinesAreLeftOut) {
  ASSERT_TRUE(SlotJournal::open(home_.path())->add(slot(1)));
  for (const char* const line :
       {"{}", "[]", "7", "{\"slot\":7}", "{\"slot\":{\"number\":0}}", "{\"slot\":{\"number\":2,\"outcome\":\"fine\"}}",
        "{\"slot\":{\"number\":2,\"due_utc\":\"2026\",\"outcome\":\"measured\"}}", "{\"times\":{\"first\":1}}",
        "{\"x\":{}}"})
    std::ofstream(file(), std::ios::app) << line << "\n";
  EXPECT_THAT(numbers(), testing::ElementsAre(1));
  EXPECT_GT(read().damaged, 0U);
}

// A full disk: the system lets no file grow.
TEST_F(SlotJournalTest, ALineThatCannotBeWrittenIsWrittenBeforeTheNextOne) {
  auto journal = SlotJournal::open(home_.path());
  ASSERT_TRUE(journal->add(slot(1)));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit full = before;
  full.rlim_cur = 1;
  setrlimit(RLIMIT_FSIZE, &full);
  const Status refused = journal->add(slot(2));
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_THAT(numbers(), testing::ElementsAre(1));
  ASSERT_TRUE(journal->add(slot(3)));
  EXPECT_THAT(numbers(), testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(read().damaged, 0U);
}

TEST(UtcText, TimesAreWrittenToAMillisecondAndReadAgain) {
  EXPECT_EQ(utc_text(0.25), "1970-01-01T00:00:00.250Z");
  EXPECT_EQ(utc_from_text("2026-11-23T06:30:00Z"), 1795415400);
  EXPECT_EQ(utc_from_text("2026-11-23T07:30:00+01:00"), 1795415400);
  EXPECT_EQ(utc_from_text("yesterday"), std::nullopt);
  EXPECT_EQ(utc_from_text("2026-11-23T06:30:00"), std::nullopt) << "without a zone";
}

}  // namespace
}  // namespace vqas
