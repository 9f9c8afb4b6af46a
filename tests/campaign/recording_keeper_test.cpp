// Which recordings of a campaign's runs stay, and that nothing else is removed.
#include "vqas/campaign/recording_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDateTime>
#include <algorithm>
#include <set>

#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/store/journal.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kDay_s = 86400;

/// `count` scored measurements from 1.0 upwards, best last, and one without a score; each with a recording.
RunResults run_of(std::size_t count, std::uint64_t seed, const std::string& ended_utc) {
  RunResults run;
  run.seed = seed;
  run.corpus_digest = "0123abcd";
  run.line = "sim:";
  run.about.uuid = "11111111-2222-3333-4444-555555555555";
  run.started_utc = run.finished_utc = ended_utc;
  StimulusRun stimulus{.stimulus = "M1", .measurements = {}, .interval = {}};
  for (std::uint32_t sequence = 1; sequence <= count; ++sequence)
    stimulus.measurements.push_back(test::scored(sequence, 1 + 0.1 * sequence));
  Measurement lost = test::unscored(static_cast<std::uint32_t>(count + 1), Outcome::not_found, "no mark was found");
  lost.recording = "recordings/a-to-b-M1-lost.flac";
  stimulus.measurements.push_back(lost);
  test::settle(stimulus, run.sampling);
  run.directions.push_back({.from = End::a, .stimuli = {stimulus}});
  return run;
}

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "recordings"))
    names.insert(entry.path().filename().string());
  return names;
}

class RecordingKeeperTest : public testing::Test {
 protected:
  fs::path add_run(const std::string& name, std::size_t count = 20, std::uint64_t seed = 1,
                   const std::string& ended_utc = "2026-11-21T08:00:00Z", std::size_t bytes = 1000) {
    const fs::path folder = home_.path() / name;
    const RunResults run = run_of(count, seed, ended_utc);
    auto journal = RunJournal::create(folder, run);
    EXPECT_TRUE(journal) << journal.error().message;
    fs::create_directories(folder / "recordings");
    for (const Measurement& one : run.directions[0].stimuli[0].measurements) {
      EXPECT_TRUE(journal->append(End::a, "M1", one));
      test::write_text(folder / one.recording, std::string(bytes, 'x'));
    }
    EXPECT_TRUE(journal->close(run));
    const auto stored = load_run(folder);
    EXPECT_TRUE(write_report(folder, stored->results, stored->provenance));
    return folder;
  }
  static double utc_s(const char* text) {
    return 1e-3 * static_cast<double>(QDateTime::fromString(text, Qt::ISODate).toMSecsSinceEpoch());
  }

  test::TemporaryFolder home_;
};

TEST(ChooseRecordings, TheUnscoredTheWorstAndARandomSampleStay) {
  const RunResults run = run_of(100, 7, "");
  const KeptRecordings kept = choose_recordings(run, {.chosen = true, .worst = 3, .sample = 4});
  ASSERT_EQ(kept.recordings.size(), 101U);
  const auto count = [&](Interest interest) {
    return std::ranges::count(kept.recordings, interest, &KeptRecording::interest);
  };
  EXPECT_EQ(count(Interest::unscored), 1);
  EXPECT_EQ(count(Interest::worst), 3);
  EXPECT_EQ(count(Interest::sample), 4);
  EXPECT_EQ(kept.removed(), 93U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(kept.recordings[i].interest, Interest::worst) << i;
  const auto again = choose_recordings(run, {.chosen = true, .worst = 3, .sample = 4});
  EXPECT_TRUE(
      std::ranges::equal(kept.recordings, again.recordings, {}, &KeptRecording::interest, &KeptRecording::interest));
}

TEST(ChooseRecordings, EachOfTheOthersHasTheSameChance) {
  std::vector<int> drawn(20);
  constexpr int kRuns = 1000;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const auto kept = choose_recordings(run_of(20, seed, ""), {.chosen = true, .worst = 0, .sample = 5});
    for (std::size_t i = 0; i < 20; ++i) drawn[i] += kept.recordings[i].interest == Interest::sample ? 1 : 0;
  }
  // 250 each, with a deviation of 14.
  for (const int count : drawn) EXPECT_NEAR(count, kRuns / 4, 70);
}

TEST(ChooseRecordings, LargerNumbersThanThereAreRecordingsKeepAll) {
  EXPECT_EQ(choose_recordings(run_of(3, 7, ""), {.chosen = true, .worst = 5, .sample = 5}).removed(), 0U);
  EXPECT_EQ(choose_recordings(RunResults(), {.chosen = true}).recordings.size(), 0U);
}

TEST_F(RecordingKeeperTest, NumbersStayAsTheyWereAndTheReportSaysWhatWasRemoved) {
  const fs::path run = add_run("run-0001");
  const std::string results = test::read_text(run / kResultsFile), csv = test::read_text(run / "results.csv");
  const std::string journal = test::read_text(run / kJournalFile);
  test::write_text(run / "recordings/of-the-user.flac", "mine");
  RecordingKeeper keeper({.chosen = true, .worst = 2, .sample = 3});
  ASSERT_TRUE(keeper.add(run));
  EXPECT_EQ(files_in(run).size(), 7U) << "one unscored, two of the worst, three of a sample, one of the user";
  EXPECT_TRUE(fs::exists(run / "recordings/of-the-user.flac"));
  EXPECT_TRUE(fs::exists(run / "recordings/a-to-b-M1-lost.flac"));
  EXPECT_EQ(test::read_text(run / kResultsFile), results);
  EXPECT_EQ(test::read_text(run / "results.csv"), csv);
  EXPECT_EQ(test::read_text(run / kJournalFile), journal);
  EXPECT_THAT(test::read_text(run / "report.html"), HasSubstr("15 of 21 recordings were removed by the plan"));
  EXPECT_EQ(keeper.bytes(), 6000U);
  EXPECT_EQ(keeper.removed_bytes_of(run), 15000U);
}

TEST_F(RecordingKeeperTest, AKillBetweenListAndRemovalIsMadeUpFor) {
  const fs::path run = add_run("run-0001");
  const RunResults results = load_run(run)->results;
  ASSERT_TRUE(write_kept_recordings(run, choose_recordings(results, {.chosen = true, .worst = 2, .sample = 3})));
  EXPECT_EQ(files_in(run).size(), 21U);
  RecordingKeeper keeper({.chosen = true, .worst = 2, .sample = 3});
  ASSERT_TRUE(keeper.know(run));
  EXPECT_EQ(files_in(run).size(), 6U);
  EXPECT_THAT(test::read_text(run / "report.html"), HasSubstr("recordings were removed"));
  const auto before = files_in(run);
  ASSERT_TRUE(RecordingKeeper({.chosen = true, .worst = 2, .sample = 3}).know(run));
  EXPECT_EQ(files_in(run), before) << "once more changes nothing";
}

TEST_F(RecordingKeeperTest, ARunThatIsCountedAgainKeepsItsChoice) {
  const fs::path run = add_run("run-0001");
  RecordingKeeper keeper({.chosen = true, .worst = 2, .sample = 3});
  ASSERT_TRUE(keeper.add(run));
  const auto before = files_in(run);
  ASSERT_TRUE(keeper.add(run));
  EXPECT_EQ(files_in(run), before);
  EXPECT_EQ(keeper.removed_bytes_of(run), 15000U);
}

TEST_F(RecordingKeeperTest, OnlyFilesThatTheJournalNamesAreRemoved) {
  const fs::path run = add_run("run-0001", 2);
  test::write_text(home_.path() / "outside.flac", "mine");
  test::write_text(run / "recordings/foreign.flac", "mine");
  KeptRecordings forged{"2026-11-21T08:00:00Z", {}};
  for (const char* const name :
       {"../outside.flac", "recordings/foreign.flac", "journal.jsonl", "recordings/../../outside.flac"})
    forged.recordings.push_back({name, 4, Interest::ordinary, RemovedBy::choice});
  ASSERT_TRUE(write_kept_recordings(run, forged));
  ASSERT_TRUE(RecordingKeeper({.chosen = true}).know(run));
  EXPECT_TRUE(fs::exists(home_.path() / "outside.flac"));
  EXPECT_TRUE(fs::exists(run / "recordings/foreign.flac"));
  EXPECT_TRUE(fs::exists(run / kJournalFile));
}

TEST_F(RecordingKeeperTest, OldRecordingsGoWithAllTheirInterest) {
  const fs::path old = add_run("run-0001", 3, 1, "2026-11-01T08:00:00Z");
  const fs::path young = add_run("run-0002", 3, 2, "2026-11-20T08:00:00Z");
  RecordingKeeper keeper({.days = 7});
  ASSERT_TRUE(keeper.add(old));
  ASSERT_TRUE(keeper.add(young));
  EXPECT_EQ(*keeper.tidy(utc_s("2026-11-08T07:59:59Z")), 0U);
  EXPECT_EQ(*keeper.tidy(utc_s("2026-11-08T08:00:01Z")), 4U);
  EXPECT_THAT(files_in(old), IsEmpty());
  EXPECT_EQ(files_in(young).size(), 4U);
  EXPECT_EQ(*keeper.tidy(utc_s("2026-11-08T08:00:01Z") + kDay_s), 0U);
}

TEST_F(RecordingKeeperTest, ARunWithoutATimeIsNotTakenForOld) {
  const fs::path run = add_run("run-0001", 3, 1, "");
  RecordingKeeper keeper({.days = 7});
  ASSERT_TRUE(keeper.add(run));
  EXPECT_EQ(*keeper.tidy(utc_s("2026-11-08T08:00:01Z")), 0U);
  EXPECT_EQ(files_in(run).size(), 4U);
}

TEST_F(RecordingKeeperTest, BeyondTheCapTheLeastInterestingGoFirstAndOfTheseTheOldest) {
  const fs::path old = add_run("run-0001", 3, 1, "2026-11-01T08:00:00Z");
  const fs::path young = add_run("run-0002", 3, 2, "2026-11-20T08:00:00Z");
  RecordingKeeper keeper({.worst = 1, .sample = 0, .cap_bytes = 5000});
  ASSERT_TRUE(keeper.add(old));
  ASSERT_TRUE(keeper.add(young));
  EXPECT_EQ(keeper.bytes(), 8000U);
  EXPECT_EQ(*keeper.tidy(0), 3U);
  EXPECT_EQ(keeper.bytes(), 5000U);
  EXPECT_THAT(files_in(old), ElementsAre("a-to-b-M1-1.flac", "a-to-b-M1-lost.flac"));
  EXPECT_EQ(files_in(young).size(), 3U);
  EXPECT_EQ(*keeper.tidy(0), 0U);
  RecordingKeeper tighter({.worst = 1, .sample = 0, .cap_bytes = 1000});
  ASSERT_TRUE(tighter.know(old));
  ASSERT_TRUE(tighter.know(young));
  EXPECT_EQ(*tighter.tidy(0), 4U);
  EXPECT_THAT(files_in(young), ElementsAre("a-to-b-M1-lost.flac")) << "of two without a score the younger stays";
}

TEST_F(RecordingKeeperTest, AFolderInUseIsLeftForLater) {
  const fs::path run = add_run("run-0001");
  RecordingKeeper keeper({.chosen = true, .worst = 2, .sample = 3});
  {
    const auto lock = RunLock::take(run);
    ASSERT_TRUE(lock);
    ASSERT_TRUE(keeper.add(run));
    EXPECT_EQ(files_in(run).size(), 21U);
    EXPECT_FALSE(fs::exists(run / kKeptRecordingsFile));
  }
  ASSERT_TRUE(keeper.tidy(0));
  EXPECT_EQ(files_in(run).size(), 6U);
}

TEST(KeptRecordings, ADamagedListIsRefused) {
  const test::TemporaryFolder home;
  ASSERT_TRUE(write_kept_recordings(
      home.path(), {"2026-11-21T08:00:00Z", {{"recordings/a.flac", 5, Interest::worst, RemovedBy::age}}}));
  const auto read = read_kept_recordings(home.path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->was_removed("recordings/a.flac"));
  EXPECT_EQ(removed_in_words(*read), "1 of 1 recordings were removed by the plan's rules on recordings: 1 by age");
  const std::string whole = test::read_text(home.path() / kKeptRecordingsFile);
  for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
    test::write_text(home.path() / kKeptRecordingsFile, whole.substr(0, length));
    EXPECT_FALSE(read_kept_recordings(home.path())) << length;
  }
}

}  // namespace
}  // namespace vqas
