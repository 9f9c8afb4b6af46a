// A run's recordings scored by this release: changed scores, missing recordings, outcomes that do not come from the
// score.
#include "vqas/campaign/rescore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/places.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/signal/audio_file.h"
#include "vqas/store/kept_recordings.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class RescoreCall : public ::testing::Test {
 protected:
  // Three measurements of one stimulus that arrived unchanged; the recording of the second is gone, and the outcome of
  // the
  // third comes from the sound device.
  void SetUp() override {
    run_.results.corpus_digest = corpus_.digest();
    DirectionRun direction;
    StimulusRun stimulus;
    stimulus.stimulus = "M1";
    for (std::uint32_t sequence = 1; sequence <= 3; ++sequence) {
      Measurement one = test::scored(sequence, 4.1);
      one.placement = KnownPlacement{4000, 0};
      stimulus.measurements.push_back(one);
    }
    stimulus.measurements.back().outcome = Outcome::audio_fault;
    direction.stimuli.push_back(stimulus);
    run_.results.directions.push_back(direction);
    std::filesystem::create_directories(folder_.path() / "recordings");
    Signal heard;
    heard.samples.assign(4000, 0.0F);
    const Signal sent = corpus_.recording("M1").value();
    heard.samples.insert(heard.samples.end(), sent.samples.begin(), sent.samples.end());
    heard.samples.resize(heard.samples.size() + 4000, 0.0F);
    ASSERT_TRUE(write_audio(folder_.path() / measurement(0).recording, heard, AudioFormat::flac16));
  }
  Measurement& measurement(std::size_t index) {
    return run_.results.directions.front().stimuli.front().measurements.at(index);
  }
  Result<RescoredRun> rescored(const std::function<bool(double)>& on_progress = {}) const {
    return rescore(run_, corpus_, RunRecordings(folder_.path()), on_progress);
  }

  Corpus corpus_ = Corpus::load(std::filesystem::path(test::source_dir()) / "corpus").value();
  test::TemporaryFolder folder_;
  StoredRun run_;
};

TEST_F(RescoreCall, CountsChangedMissingAndUnchangedRecordings) {
  const auto first = rescored();
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_THAT(first->recordings, SizeIs(1));
  EXPECT_EQ(first->missing, 1U);
  EXPECT_EQ(first->not_by_score, 1U);
  ASSERT_THAT(first->changes(), SizeIs(1));
  EXPECT_EQ(first->changes().front().mos_before, 4.1);
  EXPECT_GT(first->changes().front().mos_now.value_or(0), 4.5);
  EXPECT_EQ(measurement(0).mos_lqo, 4.1) << "the run is left as it is";

  measurement(0).mos_lqo = first->recordings.front().mos_now;
  measurement(0).auditory_distance = first->recordings.front().distance_now;
  const auto again = rescored();
  ASSERT_TRUE(again);
  EXPECT_THAT(again->recordings, SizeIs(1));
  EXPECT_THAT(again->changes(), IsEmpty());
}

TEST_F(RescoreCall, RecordingsRemovedByRuleAreCountedApart) {
  ASSERT_TRUE(write_kept_recordings(folder_.path(),
                                    {"", {{measurement(1).recording, 1000, Interest::ordinary, RemovedBy::age}}}));
  const auto found = rescored();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->removed, 1U);
  EXPECT_EQ(found->missing, 0U);
  EXPECT_THAT(found->recordings, SizeIs(1));
}

TEST_F(RescoreCall, IsStoppedByItsProgress) {
  const auto stopped = rescored([](double done) { return done < 0.5; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

TEST_F(RescoreCall, WithAnotherCorpusIsRefused) {
  run_.results.corpus_digest = "0123";
  const auto refused = rescored();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("is not the corpus of the run"));
}

}  // namespace
}  // namespace vqas
