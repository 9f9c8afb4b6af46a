// The recorder that keeps a run in its folder, for every program and every way of measuring.
#include "vqas/campaign/run_recorder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "app/fake_results.h"
#include "node/event_loop.h"
#include "support/journals.h"
#include "support/temporary_folder.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/listener_run.h"
#include "vqas/report/report.h"
#include "vqas/run/recording_name.h"
#include "vqas/score/score.h"
#include "vqas/store/notes.h"
#include "vqas/store/run_store.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

class Recorder : public testing::Test {
 protected:
  Recorder() { test::application(); }  // for the store
  fs::path folder() const { return home_.path() / "site" / "run"; }
  static RunRecorder recorder_in(const fs::path& folder, RecorderOptions options = {}) {
    auto prepared = prepare_run_folder(folder, false);
    EXPECT_TRUE(prepared) << prepared.error().message;
    return RunRecorder::create(*std::move(prepared), std::move(options));
  }
  RunRecorder recorder() const { return recorder_in(folder()); }
  /// As read_earlier_run() gives it, without a session at nodes.
  RunPlan earlier() const {
    RunPlan plan;
    plan.folder = folder();
    auto lock = RunLock::take(folder());
    EXPECT_TRUE(lock) << lock.error().message;
    if (lock) plan.lock = *std::move(lock);
    plan.continues = RunContinuation{test::read_journal(folder()).value(), {}};
    return plan;
  }

  test::TemporaryFolder home_;
  RunResults results_ = test::empty_results({"M1", "F5"});
};

TEST_F(Recorder, MakesItsFolder) {
  const RunRecorder run = recorder();
  EXPECT_TRUE(run_goes_on(folder()));
  EXPECT_FALSE(run.begun());
  EXPECT_EQ(survey_folder(folder()).state, FolderState::empty) << "only the remains of a run killed before it began";
}

TEST_F(Recorder, ARefusedFolderIsReportedWithTheAdviceOfTheProgram) {
  fs::create_directories(folder());
  {
    RunRecorder run = recorder();
    ASSERT_TRUE(run.begin(results_));
    test::add_score(results_, 0, 0, 4.0);
    ASSERT_TRUE(run.record(results_, 0, 0));
  }
  auto prepared = prepare_run_folder(folder(), false, {"choose another", "choose one", "choose", "choose"});
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::bad_input);
  EXPECT_EQ(prepared.error().message, "the folder " + folder().string() + " holds an earlier run; choose another");
  prepared = prepare_run_folder(folder() / kJournalFile / "below a file", false, {"", "", "", "choose another"});
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::io);
  EXPECT_TRUE(prepared.error().message.ends_with("; choose another")) << prepared.error().message;
}

TEST_F(Recorder, AFolderOfARunThatWasBrokenOffIsRefusedWithTheWayToContinueIt) {
  {
    RunRecorder run = recorder();
    ASSERT_TRUE(run.begin(results_));
    test::add_score(results_, 0, 0, 4.0);
    ASSERT_TRUE(run.record(results_, 0, 0));
  }
  test::write_text(
      folder() / kSessionFile,
      "{\"schema\":\"vqas-session/1\",\"session\":\"s\",\"key\":\"k\",\"node_a\":\"a\",\"node_b\":\"b\"}\n");
  FolderAdvice advice{.for_a_run = "choose another", .to_continue = "continue it"};
  auto prepared = prepare_run_folder(folder(), false, advice);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().message,
            "the folder " + folder().string() + " holds a run that was broken off; continue it; or choose another");
  EXPECT_EQ(prepare_run_folder(folder(), false).error().message.find("broken off"), std::string::npos)
      << "a program that cannot continue it";
}

TEST_F(Recorder, TwoRunsBegunInTheSameSecondDifferInTheStore) {
  results_.started_utc = "2026-11-22T12:00:00Z";
  auto store = RunStore::open((home_.path() / "store.sqlite").string());
  ASSERT_TRUE(store) << store.error().message;
  for (const char* const name : {"one", "other"}) {
    RunRecorder run = recorder_in(home_.path() / name);
    ASSERT_TRUE(run.begin(results_));
    ASSERT_TRUE(store->take(home_.path() / name));
  }
  EXPECT_EQ(store->list()->size(), 2U);
}

TEST_F(Recorder, AGivenUuidIsUsed) {
  RecorderOptions options;
  options.about.uuid = "00000000-0000-4000-8000-000000000001";
  RunRecorder run = recorder_in(folder(), options);
  ASSERT_TRUE(run.begin(results_));
  EXPECT_EQ(test::read_journal(folder())->about.uuid, options.about.uuid);
}

TEST_F(Recorder, AResumedRunKeepsItsUuidAndMeasurements) {
  std::string uuid;
  {
    RunRecorder run = recorder();
    uuid = run.about().uuid;
    ASSERT_TRUE(run.begin(results_));
    test::add_score(results_, 0, 0, 4.0);
    ASSERT_TRUE(run.record(results_, 0, 0));
    ASSERT_TRUE(run.finish(results_));
    run.leave(true);
  }
  EXPECT_EQ(uuid.size(), 36U);
  const RunPlan plan = earlier();
  RecorderOptions options;
  options.about = plan.continues->so_far.about;
  RunRecorder run = RunRecorder::resume(plan, options);
  ASSERT_TRUE(run.begin(results_));
  EXPECT_FALSE(fs::exists(folder() / kResultsFile)) << "it would be out of date";
  test::add_score(results_, 0, 0, 4.1);
  ASSERT_TRUE(run.record(results_, 0, 0));
  ASSERT_TRUE(run.finish(results_));
  EXPECT_EQ(read_results(folder())->results.about.uuid, uuid);
  const auto journal = test::read_journal(folder());
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_EQ(journal->about.uuid, uuid);
  EXPECT_EQ(journal->directions[0].stimuli[0].measurements.size(), 2U);
}

TEST_F(Recorder, AResumedListenerKeepsItsUuidAndMeasurements) {
  results_.directions.pop_back();
  results_.corpus_digest = "0123";
  std::string uuid;
  {
    auto run = prepare_listener_run(folder(), false, false, "0123", "again");
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_FALSE(run->earlier);
    uuid = run->recorder.about().uuid;
    ASSERT_TRUE(run->recorder.begin(results_));
    test::add_score(results_, 0, 0, 4.0);
    results_.directions[0].stimuli[0].measurements.back().sent_as = SentAs{0xFFFFFF, 65535};
    ASSERT_TRUE(run->recorder.record(results_, 0, 0));
    ASSERT_TRUE(run->recorder.finish(results_));
  }
  EXPECT_FALSE(prepare_listener_run(folder(), true, false, "4567", "again")) << "another corpus";
  const std::string first_part = test::read_text(folder() / kJournalFile);
  auto run = prepare_listener_run(folder(), true, false, "0123", "again");
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_TRUE(run->earlier);
  EXPECT_EQ(run->earlier->directions[0].stimuli[0].measurements[0].sent_as, (SentAs{0xFFFFFF, 65535}));
  EXPECT_EQ(run->recorder.about().uuid, uuid);
  ASSERT_TRUE(run->recorder.begin(results_));
  test::add_score(results_, 0, 0, 4.1);
  ASSERT_TRUE(run->recorder.record(results_, 0, 0));
  ASSERT_TRUE(run->recorder.finish(results_));
  const auto journal = test::read_journal(folder());
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_EQ(journal->about.uuid, uuid);
  EXPECT_EQ(journal->directions[0].stimuli[0].measurements.size(), 2U);
  EXPECT_EQ(uuid.size(), 36U);
  EXPECT_TRUE(test::read_text(folder() / kJournalFile).starts_with(first_part)) << "no line is ever changed";
}

TEST_F(Recorder, AListenersRunOfAnotherScoreVersionIsNotResumed) {
  results_.directions.pop_back();
  results_.corpus_digest = "0123";
  {
    auto run = prepare_listener_run(folder(), false, false, "0123", "again");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_TRUE(run->recorder.begin(results_));
    test::add_score(results_, 0, 0, 4.0);
    results_.directions[0].stimuli[0].measurements.back().sent_as = SentAs{7, 1};
    ASSERT_TRUE(run->recorder.record(results_, 0, 0));
  }
  std::string text = test::without_digests(test::read_text(folder() / kJournalFile));
  const std::string version = std::string("\"score_version\":\"") + kScoreVersion + '"';
  ASSERT_NE(text.find(version), std::string::npos);
  test::write_text(folder() / kJournalFile,
                   text.replace(text.find(version), version.size(), "\"score_version\":\"0\""));
  const auto run = prepare_listener_run(folder(), true, false, "0123", "again");
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("score version 0"), std::string::npos) << run.error().message;
}

TEST_F(Recorder, AListenersRunWithoutSenderNumbersIsNotResumed) {
  results_.directions.pop_back();
  results_.corpus_digest = "0123";
  {
    auto run = prepare_listener_run(folder(), false, false, "0123", "again");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_TRUE(run->recorder.begin(results_));
    test::add_score(results_, 0, 0, 4.0);
    ASSERT_TRUE(run->recorder.record(results_, 0, 0));
    ASSERT_TRUE(run->recorder.finish(results_));
  }
  const auto run = prepare_listener_run(folder(), true, false, "0123", "again");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::bad_input);
  EXPECT_NE(run.error().message.find("would count twice"), std::string::npos) << run.error().message;
}

TEST_F(Recorder, AListenerThatFindsNoRunToResumeBeginsNone) {
  const auto missing = prepare_listener_run(folder(), true, false, "0123", "again");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(fs::exists(folder()));
  fs::create_directories(folder());
  EXPECT_FALSE(prepare_listener_run(folder(), true, false, "0123", "again"));
  EXPECT_TRUE(fs::is_empty(folder()));
}

// Measurements 1 and 2 with recordings; then the line of number 2 is damaged, and a recording 3 is on the disk.
TEST_F(Recorder, AResumedListenerRestoresDamagedLinesAndGivesNoNumberTwice) {
  results_.directions.pop_back();
  results_.corpus_digest = "0123";
  {
    auto run = prepare_listener_run(folder(), false, false, "0123", "again");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_TRUE(run->recorder.begin(results_));
    for (const std::uint32_t number : {1U, 2U}) {
      test::add_score(results_, 0, 0, 4.0);
      Measurement& one = results_.directions[0].stimuli[0].measurements.back();
      one.sent_as = SentAs{7, number};
      one.recording = recording_name(results_.directions[0], "M1", number);
      test::write_text(folder() / one.recording, "sound");
      ASSERT_TRUE(run->recorder.record(results_, 0, 0));
    }
    ASSERT_TRUE(run->recorder.finish(results_));
  }
  test::write_text(folder() / recording_name(results_.directions[0], "F5", 3), "sound");
  std::string text = test::read_text(folder() / kJournalFile);
  const std::size_t second = text.find("\"sequence\":2");
  ASSERT_NE(second, std::string::npos);
  test::write_text(folder() / kJournalFile, text.replace(second, 12, "\"sequence\":9"));
  auto run = prepare_listener_run(folder(), true, false, "0123", "again");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_NE(run->notice.find("taken from results.json instead: 1"), std::string::npos) << run->notice;
  ASSERT_TRUE(run->earlier);
  EXPECT_EQ(run->earlier->directions[0].stimuli[0].measurements.size(), 2U);
  EXPECT_EQ(run->last_sequence, 3U);
  ASSERT_TRUE(run->recorder.begin(*run->earlier));
  EXPECT_EQ(test::read_journal(folder())->directions[0].stimuli[0].measurements.size(), 2U);
  const std::string resumed = test::read_text(folder() / kJournalFile);
  const std::string digest = "\"recording_sha256\"";
  std::size_t digests = 0;
  for (std::size_t at = resumed.find(digest); at != std::string::npos; at = resumed.find(digest, at + 1)) ++digests;
  EXPECT_EQ(digests, 3U) << "of both measurements, and of the restored one";
}

TEST_F(Recorder, ItsReportShowsTheBaseline) {
  results_.equipment = {{"a", "alsa USB Audio"}, {"b", "alsa USB Audio"}};
  RecorderOptions options;
  options.baseline = home_.path() / "none";
  RunRecorder run = recorder_in(folder(), options);
  ASSERT_TRUE(run.begin(results_));
  ASSERT_TRUE(run.finish(results_));
  EXPECT_EQ(results_.baseline, no_baseline());
  EXPECT_NE(test::read_text(run.report()).find("no baseline"), std::string::npos);
  EXPECT_EQ(test::read_journal(folder())->baseline, no_baseline());
}

TEST_F(Recorder, NotesOfTheRunAreInItsResults) {
  RunRecorder run = recorder();
  ASSERT_TRUE(run.begin(results_));
  test::add_score(results_, 0, 0, 4.0);
  ASSERT_TRUE(run.record(results_, 0, 0));
  ASSERT_TRUE(append_note(folder(), {End::a, 1, false, "every word was clear", {}}));
  ASSERT_TRUE(run.finish(results_));
  ASSERT_EQ(read_results(folder())->results.notes.size(), 1U);
}

TEST_F(Recorder, MeasurementsBeforeTheDiskWasFullAreKept) {
  RunRecorder run = recorder();
  ASSERT_TRUE(run.begin(results_));
  test::add_score(results_, 0, 0, 4.0);
  ASSERT_TRUE(run.record(results_, 0, 0));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{fs::file_size(folder() / kJournalFile), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  test::add_score(results_, 0, 0, 4.1);
  const Status refused = run.record(results_, 0, 0);
  const Status unfinished = run.finish(results_);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_FALSE(unfinished);
  ASSERT_EQ(test::read_journal(folder())->directions[0].stimuli[0].measurements.size(), 1U);
  // The disk has room again: the refused measurements are recorded with the next ones.
  ASSERT_TRUE(run.record(results_, 0, 0));
  ASSERT_TRUE(run.finish(results_));
  EXPECT_EQ(test::read_journal(folder())->directions[0].stimuli[0].measurements.size(), 2U);
}

TEST_F(Recorder, HasEachMeasurementOnTheDiskBeforeTheRunEnds) {
  RunRecorder run = recorder();
  EXPECT_FALSE(run.record(results_, 0, 1)) << "before its plan";
  ASSERT_TRUE(run.begin(results_));
  test::add_score(results_, 0, 1, 4.0);
  ASSERT_TRUE(run.record(results_, 0, 1));
  test::add_score(results_, 0, 1, 4.1);
  test::add_unscored(results_, 0, 1, Outcome::no_speech, "silence");
  ASSERT_TRUE(run.record(results_, 0, 1)) << "two together";
  ASSERT_TRUE(run.record(results_, 0, 1)) << "nothing new";
  const auto read = test::read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  const auto& measurements = read->directions.at(0).stimuli.at(1).measurements;
  ASSERT_EQ(measurements.size(), 3U);
  EXPECT_EQ(measurements[1].mos_lqo, 4.1);
  EXPECT_EQ(measurements[2].outcome, Outcome::no_speech);
}

TEST_F(Recorder, WritesResultsAndReportAtTheEnd) {
  RunRecorder run = recorder();
  ASSERT_TRUE(run.begin(results_));
  test::add_score(results_, 1, 0, 4.0);
  ASSERT_TRUE(run.record(results_, 1, 0));
  fs::create_directories(run.node_data() / "a");
  ASSERT_TRUE(run.finish(results_));
  EXPECT_EQ(results_.about.uuid, run.about().uuid);
  EXPECT_EQ(test::read_text(folder() / kResultsFile), results_json(results_));
  EXPECT_EQ(test::read_text(folder() / "results.csv"), results_csv(results_));
  EXPECT_EQ(test::read_text(run.report()), report_html(results_));
  run.leave(false);
  EXPECT_TRUE(fs::exists(run.node_data())) << "not everything was fetched";
}

TEST_F(Recorder, RemovesTheNodesCopiesAfterAllIsFetched) {
  RunRecorder run = recorder();
  ASSERT_TRUE(run.begin(results_));
  fs::create_directories(run.node_data() / "a");
  ASSERT_TRUE(run.finish(results_));
  run.leave(true);
  EXPECT_FALSE(fs::exists(run.node_data()));
}

TEST_F(Recorder, HoldsTheFolderUntilTheRunHasEnded) {
  RunRecorder run = recorder();
  EXPECT_TRUE(run_goes_on(folder()));
  ASSERT_TRUE(run.begin(results_));
  ASSERT_TRUE(run.finish(results_));
  EXPECT_TRUE(run_goes_on(folder())) << "its nodes may still write";
  run.leave(true);
  EXPECT_FALSE(run_goes_on(folder()));
  EXPECT_TRUE(RunLock::take(folder())) << "the next run may take it while the recorder lives";
}

TEST_F(Recorder, LeavesNothingOfARunThatNeverBegan) {
  RunRecorder run = recorder();
  fs::create_directories(run.node_data() / "a");
  ASSERT_TRUE(run.finish(results_)) << "nothing is to be written";
  run.leave(false);
  EXPECT_FALSE(fs::exists(folder().parent_path()));
}

TEST_F(Recorder, ARunThatReplacesAnotherRemovesItWhenItBegins) {
  {
    RunRecorder first = recorder();
    ASSERT_TRUE(first.begin(results_));
    ASSERT_TRUE(first.finish(results_));
  }
  auto prepared = prepare_run_folder(folder(), true);
  ASSERT_TRUE(prepared) << prepared.error().message;
  bool kept_beside = false;
  RecorderOptions options;
  options.keep_beside = [&] {
    kept_beside = true;
    EXPECT_FALSE(fs::exists(folder() / kJournalFile)) << "cleared before, begun after";
    return success();
  };
  RunRecorder second = RunRecorder::create(*std::move(prepared), options);
  EXPECT_TRUE(fs::exists(folder() / kResultsFile)) << "a start that fails costs no results";
  ASSERT_TRUE(second.begin(results_));
  EXPECT_TRUE(kept_beside);
  EXPECT_FALSE(fs::exists(folder() / kResultsFile));
  EXPECT_EQ(test::read_journal(folder())->about.uuid, second.about().uuid);
}

}  // namespace
}  // namespace vqas
