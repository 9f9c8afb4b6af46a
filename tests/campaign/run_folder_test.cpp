// What a folder holds, and what a run that begins there removes.
#include "vqas/campaign/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/fake_results.h"
#include "support/temporary_folder.h"
#include "vqas/campaign/folder_state.h"
#include "vqas/campaign/run_recorder.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class RunFolder : public ::testing::Test {
 protected:
  fs::path folder() const { return home_.path() / "run"; }
  FolderState state() const { return survey_folder(folder()).state; }
  void write(const std::string& name) const {
    fs::create_directories((folder() / name).parent_path());
    test::write_text(folder() / name, "precious");
  }
  /// A run with one recording; `ended_because` as in its results.
  void measure(const std::string& ended_because = {}) {
    auto prepared = prepare_run_folder(folder(), false);
    ASSERT_TRUE(prepared) << prepared.error().message;
    RunRecorder run = RunRecorder::create(*std::move(prepared));
    ASSERT_TRUE(run.begin(results_));
    test::add_score(results_, 0, 0, 4.0);
    results_.directions[0].stimuli[0].measurements.back().recording = "recordings/a-to-b-M1-0001.flac";
    write("recordings/a-to-b-M1-0001.flac");
    ASSERT_TRUE(run.record(results_, 0, 0));
    results_.ended_because = ended_because;
    ASSERT_TRUE(run.finish(results_));
  }
  void write_session() const {
    test::write_text(
        folder() / kSessionFile,
        "{\"schema\":\"vqas-session/1\",\"session\":\"s\",\"key\":\"k\",\"node_a\":\"a\",\"node_b\":\"b\"}\n");
  }

  test::TemporaryFolder home_;
  RunResults results_ = test::empty_results({"M1"});
};

TEST_F(RunFolder, WithoutFilesOfARunItIsEmptyOrForeign) {
  EXPECT_EQ(state(), FolderState::empty) << "missing";
  fs::create_directories(folder() / "recordings");
  EXPECT_EQ(state(), FolderState::empty);
  fs::create_directories(folder() / "nodes" / "a");
  EXPECT_EQ(state(), FolderState::foreign) << "somebody's nodes";
  test::write_text(folder() / "run.lock", "");
  EXPECT_EQ(state(), FolderState::begun) << "of a run that was killed";
  write("letter.txt");
  EXPECT_EQ(state(), FolderState::foreign);
}

TEST_F(RunFolder, AJournalWithoutAMeasurementIsOnlyBegun) {
  auto prepared = prepare_run_folder(folder(), false);
  ASSERT_TRUE(prepared) << prepared.error().message;
  ASSERT_TRUE(RunRecorder::create(*std::move(prepared)).begin(results_));
  EXPECT_EQ(state(), FolderState::begun);
  write_session();
  EXPECT_EQ(state(), FolderState::resumable);
  EXPECT_TRUE(survey_folder(folder()).session);
}

TEST_F(RunFolder, AnEndedRunIsCompleteAndABrokenOffOneIsNot) {
  measure();
  EXPECT_EQ(state(), FolderState::complete);
  fs::remove_all(folder());
  measure("node b went away");
  write_session();
  EXPECT_EQ(state(), FolderState::resumable);
}

TEST_F(RunFolder, ARunThatMissesAFileIsDamagedAndNeverEmpty) {
  measure("node b went away");
  EXPECT_EQ(state(), FolderState::damaged);
  EXPECT_THAT(survey_folder(folder()).why, HasSubstr(kSessionFile));
  fs::remove(folder() / kJournalFile);
  EXPECT_EQ(state(), FolderState::damaged);
  EXPECT_THAT(survey_folder(folder()).why, HasSubstr("journal.jsonl is missing"));
  write_session();
  fs::remove(folder() / kResultsFile);
  EXPECT_EQ(state(), FolderState::damaged) << "its recordings are left";
}

TEST_F(RunFolder, ARunBrokenOffIsOfferedForResumingUnlessItsLineEndedWithIt) {
  measure("node b went away");
  write_session();
  FolderAdvice advice;
  advice.to_continue = "continue it";
  EXPECT_THAT(prepare_run_folder(folder(), false, advice).error().message, HasSubstr("continue it"));
  fs::create_directories(folder() / "nodes");
  EXPECT_THAT(prepare_run_folder(folder(), false, advice).error().message, Not(HasSubstr("continue it")));
}

TEST_F(RunFolder, ForceRemovesOnlyTheFilesThatARunNames) {
  measure();
  write("recordings/my-own.wav");
  write("recordings/a-to-b-M1-0002.flac");
  write("nodes/letter.txt");
  write("nodes/a/letter.txt");
  write("letter.txt");
  fs::create_directories(folder() / "nodes/b/recordings");
  test::write_text(folder() / "nodes/b/node-journal.jsonl",
                   "{\"measurement\":{\"recording\":\"s-a-to-b-M1-0001.flac\"}}\n"
                   "{\"measurement\":{\"recording\":\"../../../letter.txt\"}}\n");
  write("nodes/b/recordings/s-a-to-b-M1-0001.flac");
  auto prepared = prepare_run_folder(folder(), true);
  ASSERT_TRUE(prepared) << prepared.error().message;
  RunRecorder run = RunRecorder::create(*std::move(prepared));
  EXPECT_TRUE(fs::exists(folder() / kResultsFile)) << "a start that fails costs no results";
  results_ = test::empty_results({"M1"});
  ASSERT_TRUE(run.begin(results_));
  EXPECT_FALSE(fs::exists(folder() / "recordings/a-to-b-M1-0001.flac"));
  EXPECT_FALSE(fs::exists(folder() / "nodes/b"));
  run.leave(true);
  for (const char* const kept : {"recordings/my-own.wav", "recordings/a-to-b-M1-0002.flac", "nodes/letter.txt",
                                 "nodes/a/letter.txt", "letter.txt"})
    EXPECT_TRUE(fs::exists(folder() / kept)) << kept;
}

TEST_F(RunFolder, ForceNeverPutsARunOnFilesOfItsNames) {
  for (const std::string name : {"recordings/mine.wav", "nodes/mine.txt", "report.html", "plan.json", "results.json"}) {
    fs::remove_all(folder());
    write(name);
    const auto prepared = prepare_run_folder(folder(), true);
    ASSERT_FALSE(prepared) << name;
    EXPECT_EQ(prepared.error().code, ErrorCode::bad_input);
    EXPECT_THAT(prepared.error().message, HasSubstr(name.substr(0, name.find('/'))));
    EXPECT_EQ(test::read_text(folder() / name), "precious");
  }
  fs::remove_all(folder());
  write("letter.txt");
  EXPECT_TRUE(prepare_run_folder(folder(), true)) << "beside it";
}

}  // namespace
}  // namespace vqas
