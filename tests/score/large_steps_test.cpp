// Steps of the delay beyond the range of the piecewise search: all speech arrives, some of it much later or earlier.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "score/recipes.h"
#include "vqas/score/score.h"
#include "vqas/score/segments.h"

namespace vqas {
namespace {

constexpr int kPause = 4000;

class LargeSteps : public ::testing::Test {
 protected:
  static void expect_arrived(const Score& score, int step, const std::string& what) {
    ASSERT_TRUE(score.mos_lqo) << what << ": " << score.reason;
    EXPECT_GE(*score.mos_lqo, 4.2) << what;
    EXPECT_NE(score.reason.find("pauses last longer or shorter"), std::string::npos) << what << score.reason;
    EXPECT_EQ(score.reason.find("MOS off"), std::string::npos) << what << score.reason;
    ASSERT_GE(score.delay_track.size(), 2U) << what;
    EXPECT_NEAR(score.delay_track.back().delay_ms - score.delay_track.front().delay_ms, step / 8.0, 0.2) << what;
    ASSERT_FALSE(score.impairments.empty()) << what;
    EXPECT_EQ(score.impairments.front().impairment, Impairment::delay_variation) << what;
    ASSERT_TRUE(score.indices);
    const MissingSpeech& missing = score.indices->missing;
    EXPECT_LE(missing.total_ms(), 60) << what;
  }
  const Signal a_ = test::corpus_sentence("M2");
  const Signal b_ = test::corpus_sentence("F4");
  Scorer scorer_;
};

TEST_F(LargeSteps, InAPauseCostNoMoreThanSmallOnes) {
  const Signal speech = test::joined(a_, kPause, b_);
  for (const int step : {4800, 8000, 16000, 24000}) {
    const Score score = scorer_.diagnose(speech, test::joined(a_, kPause + step, b_));
    expect_arrived(score, step, "inserted " + std::to_string(step));
  }
  for (const int step : {4800, 8000, 16000, 24000}) {
    const Score score = scorer_.diagnose(test::joined(a_, kPause + step, b_), speech);
    expect_arrived(score, -step, "deleted " + std::to_string(step));
  }
}

TEST_F(LargeSteps, AreFollowedOneAfterTheOtherAndInBitErrors) {
  const Signal c = test::corpus_sentence("M5");
  const Signal speech = test::joined(test::joined(a_, kPause, b_), kPause, c);
  const Signal line = test::joined(test::joined(a_, kPause + 9600, b_), kPause + 7200, c);
  const Score twice = scorer_.score(speech, line);
  EXPECT_GE(twice.mos_lqo.value_or(0), 4.2);
  EXPECT_NEAR(twice.delay_track.back().delay_ms, 2100, 0.2);
  const Score steady = scorer_.score(speech, test::with_bit_errors(speech, 1e-3, 5));
  const Score hit = scorer_.score(speech, test::with_bit_errors(line, 1e-3, 5));
  ASSERT_TRUE(hit.mos_lqo && steady.mos_lqo);
  EXPECT_NEAR(*hit.mos_lqo, *steady.mos_lqo, 0.4);
}

TEST_F(LargeSteps, MissingSpeechStaysMissing) {
  const Signal speech = test::joined(a_, kPause, b_);
  const int half = static_cast<int>(a_.size()) + kPause / 2;
  Signal cut = speech;
  std::fill(cut.samples.begin() + half, cut.samples.end(), 0.0F);
  const Score missing = scorer_.diagnose(speech, cut);
  EXPECT_LE(missing.mos_lqo.value_or(9), 2.3);
  EXPECT_GT(missing.confidence.value_or(0), 0.9);
  ASSERT_FALSE(missing.impairments.empty());
  EXPECT_TRUE(missing.impairments.front().impairment == Impairment::cut ||
              missing.impairments.front().impairment == Impairment::loss);

  // Speech that was sent twice and arrives once is missing once.
  const Score once = scorer_.score(test::joined(a_, kPause, a_), test::padded(a_, 0, static_cast<int>(a_.size())));
  EXPECT_LE(once.mos_lqo.value_or(9), 2.3);
}

TEST_F(LargeSteps, OtherSoundIsAmbiguousWithAReason) {
  for (const char* other : {"F6", "M6"}) {
    const Score score =
        scorer_.score(test::joined(a_, kPause, b_), test::joined(a_, kPause, test::corpus_sentence(other)));
    ASSERT_TRUE(score.mos_lqo) << score.reason;
    EXPECT_LE(*score.mos_lqo, 2.3) << other;
    EXPECT_LT(score.confidence.value_or(1), 0.8) << other;
    EXPECT_NE(score.reason.find("listen"), std::string::npos) << score.reason;
  }
}

/// Packets of 20 ms dropped at random, without replacement.
Signal without_packets(const Signal& signal, double share, std::uint64_t seed) {
  constexpr std::size_t kPacket = 160;
  test::Random random(seed);
  Signal result{{}, signal.rate_hz};
  for (std::size_t at = 0; at < signal.size(); at += kPacket) {
    if (random.uniform() < share) continue;
    const std::size_t end = std::min(signal.size(), at + kPacket);
    result.samples.insert(result.samples.end(), signal.samples.begin() + static_cast<std::ptrdiff_t>(at),
                          signal.samples.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return result;
}

TEST_F(LargeSteps, ManySmallDeletionsAreFollowedFurtherThanAnySingleStep) {
  Signal speech = test::joined(test::joined(a_, kPause, b_), kPause, test::corpus_sentence("M5"));
  speech = test::joined(test::joined(speech, kPause, test::corpus_sentence("F1")), kPause, test::corpus_sentence("M3"));
  const Signal line = without_packets(speech, 0.06, 7);
  const double creeps_ms = (static_cast<double>(line.size()) - static_cast<double>(speech.size())) / 8;
  ASSERT_LT(creeps_ms, -1000);
  const Score score = scorer_.score(speech, line);
  ASSERT_TRUE(score.mos_lqo) << score.reason;
  EXPECT_LE(score.confidence.value_or(1), 0.75);
  EXPECT_NEAR(score.delay_track.back().delay_ms - score.delay_track.front().delay_ms, creeps_ms, 200);
  // Chance matches in other speech are not packets.
  EXPECT_FALSE(scorer_.score(test::recipe_speech(3, 12), line).mos_lqo);
}

TEST_F(LargeSteps, DeletingTheMiddleKeepsBothEnds) {
  for (const char* id : {"F6", "M1", "M5"}) {
    const Signal speech = test::joined(test::joined(test::corpus_sentence(id), kPause, a_), kPause, b_);
    for (const double gone_s : {0.6, 1.0, 1.6}) {
      const auto gone = static_cast<std::ptrdiff_t>(gone_s * kLineRateHz);
      Signal line = speech;
      const auto at = line.samples.begin() + static_cast<std::ptrdiff_t>(line.size() / 2) - gone / 2;
      line.samples.erase(at, at + gone);
      const Score score = scorer_.score(speech, line);
      ASSERT_TRUE(score.mos_lqo) << id << " " << gone_s << ": " << score.reason;
      EXPECT_GT(*score.mos_lqo, 1.7) << id << " " << gone_s;
      EXPECT_NEAR(score.delay_track.back().delay_ms, -1000 * gone_s, 1) << id << " " << gone_s;
    }
  }
}

TEST_F(LargeSteps, AreExcludedByAKnownPosition) {
  const Signal speech = test::joined(a_, kPause, b_);
  const Score score = scorer_.score(speech, test::joined(a_, kPause + 8000, b_), KnownPlacement{.start_samples = 0});
  EXPECT_LE(score.mos_lqo.value_or(9), 2.3);
}

TEST(LargeStepsOfALongRecording, AreFollowedFromTheFirstSegmentOn) {
  static constexpr const char* kOrder[] = {"M1", "F2", "M5", "F5", "M3", "F1", "M6", "F6", "M2", "F3", "M4", "F4"};
  Signal speech{{}, kLineRateHz};
  Signal line{{}, kLineRateHz};
  std::size_t sentence = 0;
  for (const int step : {0, 0, 16000, 0, 0, 0, 8000, 0, 0, 24000, 0, 0}) {
    const Signal one = test::corpus_sentence(kOrder[sentence++]);
    line = test::joined(line, step, test::padded(one, 0, kPause));
    speech = test::joined(speech, 0, test::padded(one, 0, kPause));
  }
  Scorer scorer;
  for (const bool inserted : {true, false}) {
    const Signal& reference = inserted ? speech : line;
    const Signal& degraded = inserted ? line : speech;
    const auto result =
        score_in_segments(scorer, as_long_recording(reference), as_long_recording(degraded), {.segment_s = 10});
    ASSERT_TRUE(result);
    EXPECT_GT(result->scored, 3U);
    // Where a pause was deleted at a segment border, the next sentence falls into the segment.
    const double least = inserted ? 4.0 : 2.5;
    for (const SegmentScore& segment : result->segments) {
      if (segment.score.outcome == Outcome::no_speech) continue;
      EXPECT_GT(segment.score.mos_lqo.value_or(0), least) << segment.start_s << (inserted ? " inserted" : " deleted");
    }
    EXPECT_GT(result->overall.mos_lqo.value_or(0), inserted ? 4.3 : 3.7);
    ASSERT_FALSE(result->overall.delay_track.empty());
    EXPECT_NEAR(std::abs(result->overall.delay_track.back().delay_ms), 6000, 1);
  }
}

}  // namespace
}  // namespace vqas
