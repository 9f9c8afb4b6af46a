#include "model/run_recorder.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <fstream>
#include <iterator>

#include "app/fake_results.h"
#include "vqas/report/report.h"

namespace vqas::app {
namespace {

namespace fs = std::filesystem;

class Recorder : public testing::Test {
 protected:
  fs::path folder() const { return fs::path(home_.path().toStdString()) / "site" / "run"; }
  static std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  QTemporaryDir home_;
  RunResults results_ = test::empty_results({"M1", "F5"});
};

TEST_F(Recorder, MakesItsFolder) {
  const auto recorder = RunRecorder::prepare(folder());
  ASSERT_TRUE(recorder) << recorder.error().message;
  EXPECT_TRUE(fs::exists(folder() / kRunLockFile)) << "claimed";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), fs::directory_iterator()), 1) << "and nothing else";
  EXPECT_FALSE(recorder->begun());
}

TEST_F(Recorder, RefusesAFolderThatHoldsSomething) {
  fs::create_directories(folder() / "recordings");
  const auto recorder = RunRecorder::prepare(folder());
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().code, ErrorCode::bad_input);
  EXPECT_NE(recorder.error().message.find(folder().string()), std::string::npos);
}

TEST_F(Recorder, RefusesAFolderThatCannotBeMade) {
  fs::create_directories(folder().parent_path());
  std::ofstream(folder()) << "a file";
  const auto recorder = RunRecorder::prepare(folder() / "below a file");
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().code, ErrorCode::io);
  EXPECT_NE(recorder.error().message.find("choose another"), std::string::npos);
}

TEST_F(Recorder, HasEachMeasurementOnTheDiskBeforeTheRunEnds) {
  auto recorder = RunRecorder::prepare(folder());
  ASSERT_TRUE(recorder);
  ASSERT_TRUE(recorder->begin(results_));
  test::add_score(results_, 0, 1, 4.0);
  ASSERT_TRUE(recorder->record(results_, 0, 1));
  test::add_score(results_, 0, 1, 4.1);
  test::add_unscored(results_, 0, 1, Outcome::no_speech, "silence");
  ASSERT_TRUE(recorder->record(results_, 0, 1)) << "two at once";
  ASSERT_TRUE(recorder->record(results_, 0, 1)) << "nothing new";
  const auto read = read_journal(folder());
  ASSERT_TRUE(read) << read.error().message;
  const auto& measurements = read->directions.at(0).stimuli.at(1).measurements;
  ASSERT_EQ(measurements.size(), 3U);
  EXPECT_EQ(measurements[1].mos_lqo, 4.1);
  EXPECT_EQ(measurements[2].outcome, Outcome::no_speech);
}

TEST_F(Recorder, WritesResultsAndReportAtTheEnd) {
  auto recorder = RunRecorder::prepare(folder());
  ASSERT_TRUE(recorder);
  ASSERT_TRUE(recorder->begin(results_));
  test::add_score(results_, 1, 0, 4.0);
  ASSERT_TRUE(recorder->record(results_, 1, 0));
  fs::create_directories(recorder->node_data() / "a");
  ASSERT_TRUE(recorder->finish(results_, false));
  EXPECT_EQ(text_of(folder() / "results.json"), results_json(results_));
  EXPECT_EQ(text_of(folder() / "results.csv"), results_csv(results_));
  EXPECT_EQ(text_of(recorder->report()), report_html(results_));
  EXPECT_TRUE(fs::exists(recorder->node_data())) << "not everything was fetched";
}

TEST_F(Recorder, DropsTheNodesCopiesOfACompleteRun) {
  auto recorder = RunRecorder::prepare(folder());
  ASSERT_TRUE(recorder);
  ASSERT_TRUE(recorder->begin(results_));
  fs::create_directories(recorder->node_data() / "a");
  ASSERT_TRUE(recorder->finish(results_, true));
  EXPECT_FALSE(fs::exists(recorder->node_data()));
}

TEST_F(Recorder, HoldsTheFolderUntilTheRunHasEnded) {
  auto recorder = RunRecorder::prepare(folder());
  ASSERT_TRUE(recorder);
  EXPECT_TRUE(run_goes_on(folder()));
  ASSERT_TRUE(recorder->begin(results_));
  ASSERT_TRUE(recorder->finish(results_, true));
  EXPECT_FALSE(run_goes_on(folder()));
  EXPECT_TRUE(RunLock::take(folder())) << "the next one may have it, although the recorder lives";
}

TEST_F(Recorder, LeavesNothingOfARunThatNeverBegan) {
  auto recorder = RunRecorder::prepare(folder());
  ASSERT_TRUE(recorder);
  fs::create_directories(recorder->node_data() / "a");
  ASSERT_TRUE(recorder->finish(results_, false));
  EXPECT_FALSE(fs::exists(folder()));
}

}  // namespace
}  // namespace vqas::app
