// The run over the cabled ends that every later one is shown beside, and what is said of it.
#include "vqas/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/report/report.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StrEq;

class BaselineTest : public ::testing::Test {
 protected:
  BaselineTest() {
    ::setenv("VQAS_BASELINE", (folder_.path() / "kept").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    run_ = test::sample_run();
    run_.simulated.clear();
    run_.line = "audio:";
    run_.equipment = {{"a", "alsa USB Audio, 48000 Hz"}, {"b", "alsa USB Audio, 48000 Hz"}};
    run_.ended_because.clear();
    run_.finished_utc = "2026-10-01T12:00:00Z";
  }
  void store() const {
    std::filesystem::create_directories(folder_.path() / "run");
    ASSERT_TRUE(write_file_atomically(folder_.path() / "run/results.json", results_json(run_)));
  }
  void keep() const {
    store();
    const Status kept = keep_baseline(folder_.path() / "run");
    ASSERT_TRUE(kept) << kept.error().message;
  }
  std::string refused() const {
    store();
    const Status kept = keep_baseline(folder_.path() / "run");
    EXPECT_FALSE(kept);
    return kept ? "" : kept.error().message;
  }
  std::string sentence(const std::string& now = "2026-10-20T12:00:00Z") const {
    return baseline_sentence(run_, baseline_folder(), now);
  }
  void change_level(double db) {
    for (DirectionRun& direction : run_.directions) {
      for (StimulusRun& stimulus : direction.stimuli) {
        for (Measurement& one : stimulus.measurements) {
          if (one.level_difference_db) *one.level_difference_db += db;
        }
      }
    }
  }
  test::TemporaryFolder folder_;
  RunResults run_;
};

TEST_F(BaselineTest, IsShownBesideALaterRunOfTheSameDevices) {
  keep();
  EXPECT_THAT(sentence(), AllOf(HasSubstr("baseline of 2026-10-01"), HasSubstr("a to b"), HasSubstr("b to a")));
  EXPECT_THAT(sentence(), Not(HasSubstr(";"))) << "nothing to warn of";
}

TEST_F(BaselineTest, ItsLackIsToldWithTheCure) {
  EXPECT_THAT(sentence(), AllOf(HasSubstr("no baseline"), HasSubstr("vqas line baseline")));
}

TEST_F(BaselineTest, OneOlderThanThirtyDaysIsToldAsSuch) {
  keep();
  EXPECT_THAT(sentence("2026-10-31T11:00:00Z"), Not(HasSubstr("older")));
  EXPECT_THAT(sentence("2026-11-01T13:00:00Z"), HasSubstr("older than 30 days"));
}

TEST_F(BaselineTest, OneOfOtherDevicesIsToldAsSuch) {
  keep();
  run_.equipment["b"] = "alsa Other, 44100 Hz";
  EXPECT_THAT(sentence(), HasSubstr("other devices"));
}

TEST_F(BaselineTest, OneAtAnotherLevelIsToldAsSuch) {
  keep();
  change_level(2.5);
  EXPECT_THAT(sentence(), Not(HasSubstr("level")));
  change_level(2.5);
  EXPECT_THAT(sentence(), HasSubstr("its level was 5 dB lower"));
  change_level(-10);
  EXPECT_THAT(sentence(), HasSubstr("its level was 5 dB higher"));
}

TEST_F(BaselineTest, ASimulatedLineHasNone) {
  run_.equipment.clear();
  EXPECT_THAT(sentence(), StrEq(""));
  EXPECT_THAT(refused(), HasSubstr("not on a real line"));
}

TEST_F(BaselineTest, ARunThatCannotServeIsRefusedWithTheCure) {
  run_.ended_because = "the run was cancelled";
  EXPECT_THAT(refused(), AllOf(HasSubstr("not complete"), HasSubstr("cabled together")));
  run_.ended_because.clear();
  run_.directions.pop_back();
  EXPECT_THAT(refused(), HasSubstr("one direction only"));
}

TEST_F(BaselineTest, ADamagedOneIsToldAndIsNoFault) {
  keep();
  ASSERT_TRUE(write_file_atomically(folder_.path() / "kept/results.json", "{"));
  EXPECT_THAT(sentence(), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace vqas::cli
