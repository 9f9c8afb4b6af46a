// Recordings of minutes, read and scored in segments: differences between these, and their explanations as one picture.
#include "vqas/batch/long_recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "score/recipes.h"
#include "support/temporary_folder.h"
#include "vqas/batch/long_differences.h"
#include "vqas/batch/long_explanation.h"
#include "vqas/batch/score_manifest.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

/// Sentences of the corpus one after the other, half a second apart.
Signal talk(double seconds) {
  Signal all{{}, kLineRateHz};
  for (std::size_t k = 0; all.seconds() < seconds; ++k) {
    static constexpr const char* kOrder[] = {"M1", "F2", "M5", "F5", "M3", "F1"};
    const Signal sentence = test::padded(test::corpus_sentence(kOrder[k % std::size(kOrder)]), 0, 4000);
    all.samples.insert(all.samples.end(), sentence.samples.begin(), sentence.samples.end());
  }
  all.samples.resize(static_cast<std::size_t>(seconds * kLineRateHz));
  return all;
}

std::size_t sample_at(double seconds) {
  return static_cast<std::size_t>(seconds * kLineRateHz);
}

class LongRecordingFiles : public ::testing::Test {
 protected:
  /// The line mutes 20 s in the middle, and delays the rest by another 60 ms.
  void SetUp() override {
    const Signal sent = talk(kLongFromS + 20);
    Signal heard = sent;
    std::fill(heard.samples.begin() + static_cast<std::ptrdiff_t>(sample_at(50)),
              heard.samples.begin() + static_cast<std::ptrdiff_t>(sample_at(70)), 0.0F);
    heard.samples.insert(heard.samples.begin() + static_cast<std::ptrdiff_t>(sample_at(100)), sample_at(0.06), 0.0F);
    pair_ = {folder_.path() / "sent.wav", 0, folder_.path() / "heard.wav", 0};
    ASSERT_TRUE(write_audio(pair_.reference, sent, AudioFormat::wav16));
    ASSERT_TRUE(write_audio(pair_.degraded, heard, AudioFormat::wav16));
  }
  test::TemporaryFolder folder_;
  RecordingPair pair_;
};

TEST_F(LongRecordingFiles, AreScoredInSegmentsAndDifferencesAreListed) {
  EXPECT_NEAR(reference_seconds(pair_), kLongFromS + 20, 1e-6);
  EXPECT_TRUE(check_lengths(pair_));
  Scorer scorer;
  double done = 0;
  LongExplanation explanation(reference_seconds(pair_));
  SegmentEvents events;
  events.on_progress = [&](double share) {
    done = share;
    return true;
  };
  events.on_explained = [&](const SegmentScore& segment, const Explanation& one) { explanation.add(segment, one); };
  const auto score = score_long_recording(scorer, pair_, events);
  ASSERT_TRUE(score) << score.error().message;
  EXPECT_GT(score->scored, 4U);
  EXPECT_EQ(done, 1);

  const auto differing = differing_segments(*score);
  ASSERT_FALSE(differing.empty());
  EXPECT_LT(differing.size(), score->segments.size() - 2) << "most are as good as sent";
  EXPECT_TRUE(std::ranges::any_of(differing, [](const SegmentScore* one) {
    return one->start_s < 60 && one->start_s + one->length_s > 60;
  })) << "the one in which nothing arrived";
  const auto steps = delay_steps(score->overall);
  // There may be other steps in the muted part, where the delay is arbitrary.
  double all_ms = 0;
  for (const DelayStep& step : steps) all_ms += step.to_ms - step.from_ms;
  EXPECT_NEAR(all_ms, 60, 1);
  EXPECT_TRUE(std::ranges::any_of(steps, [](const DelayStep& step) {
    return std::abs(step.to_ms - step.from_ms - 60) < 1 && std::abs(step.at_s - 100) < 20;
  }));

  const Explanation sum = explanation.sum(*score);
  EXPECT_GT(sum.distance.frames(), 900U);
  EXPECT_LT(sum.distance.frames(), 1100U) << "about the pixels of a picture, whatever the length";
}

TEST_F(LongRecordingFiles, AreStoppedByTheirProgress) {
  Scorer scorer;
  SegmentEvents events;
  events.on_progress = [](double) { return false; };
  const auto score = score_long_recording(scorer, pair_, events);
  ASSERT_FALSE(score);
  EXPECT_EQ(score.error().code, ErrorCode::cancelled);
}

TEST_F(LongRecordingFiles, HaveTheSameScoreInABatch) {
  Scorer scorer;
  const auto alone = score_long_recording(scorer, pair_);
  ASSERT_TRUE(alone);
  test::write_text(folder_.path() / "pairs.csv", "reference,degraded\nsent.wav,heard.wav\n");
  BatchOptions options;
  options.manifest = folder_.path() / "pairs.csv";
  options.out = folder_.path() / "scores.csv";
  ASSERT_TRUE(score_manifest(options));
  EXPECT_THAT(test::read_text(options.out),
              HasSubstr(fmt::format("\nsent.wav,heard.wav,scored,{:.4f},", alone->overall.mos_lqo.value_or(0))));
}

TEST(LongRecording, AShortReferenceIsNotSearchedForInAnHour) {
  const test::TemporaryFolder folder;
  const RecordingPair pair{folder.path() / "short.wav", 0, folder.path() / "hour.wav", 0};
  ASSERT_TRUE(write_audio(pair.reference, talk(5), AudioFormat::wav16));
  ASSERT_TRUE(write_audio(pair.degraded, Signal{std::vector<float>(sample_at(kLongestForShortS + 1)), kLineRateHz},
                          AudioFormat::wav16));
  const auto fits = check_lengths(pair);
  ASSERT_FALSE(fits);
  EXPECT_THAT(fits.error().message, HasSubstr("lasts 601 s"));
}

}  // namespace
}  // namespace vqas
