// What a long recording says of what its segments say.
#include "score/long/segment_sum.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "score/model/model.h"

namespace vqas {
namespace {

/// A long recording of segments of 20 s that lost the same and lack nothing.
struct Recording {
  LongScore score;
  std::vector<scoring::SegmentPart> parts;

  explicit Recording(std::size_t segments) : parts(segments) {
    for (std::size_t k = 0; k < segments; ++k) {
      SegmentScore& segment = score.segments.emplace_back();
      segment.start_s = 20.0 * static_cast<double>(k);
      segment.length_s = 20;
      segment.score.outcome = Outcome::scored;
      segment.score.mos_lqo = 4.0;
      segment.score.auditory_distance = 1.0;
      segment.score.confidence = 0.98;
      segment.score.indices.emplace();
      segment.score.indices->missing.speech_ms = 15000;
      parts[k].line.frames = 1000;
      parts[k].line.active_frames = 700;
      parts[k].measurements.changed = 0.07;
    }
  }
  Score sum(double between_s = 0) {
    scoring::sum_up(score, parts, {.ambiguity = {}, .between_s = between_s},
                    scoring::score_model(ScoreMode::narrowband));
    return score.overall;
  }
  void lose_most(std::size_t k) { score.segments[k].score.indices->missing.middle_ms = 14000; }
};

bool has(const Score& score, const std::string& words) {
  return score.reason.find(words) != std::string::npos;
}

TEST(SegmentSum, TheLeastTrustedSegmentWithAReasonSpeaksForAll) {
  Recording recording(4);
  recording.score.segments[1].score.reason = "first";
  recording.score.segments[2].score.reason = "second";
  recording.score.segments[2].score.confidence = 0.6;
  const Score all = recording.sum();
  EXPECT_TRUE(has(all, "in the segment from 40.0 s (least trusted of 2 with a reason) second")) << all.reason;
  EXPECT_FALSE(has(all, "first")) << all.reason;
}

TEST(SegmentSum, ACapLowersTheConfidenceAndAReasonWithoutOneDoesNot) {
  const double plain = Recording(4).sum().confidence.value_or(0);
  Recording told(4);
  told.score.segments[1].score.reason = "told";
  told.score.segments[1].score.confidence = 0.5;
  EXPECT_EQ(told.sum().confidence, plain);
  told.parts[1].most_confidence = 0.5;
  EXPECT_NEAR(told.sum().confidence.value_or(1), (3 * plain + 0.5) / 4, 1e-3);
}

TEST(SegmentSum, LoudSoundCountsInAllAndThatOfASegmentThatLacksMostOfItsSpeechDoesNot) {
  Recording recording(4);
  recording.parts[1].circumstances.foreign_s = 2;
  recording.score.segments[1].score.reason = "2.0 s of loud sound";
  const double alone = recording.sum().confidence.value_or(1);
  EXPECT_FALSE(has(recording.score.overall, "in all")) << "it is told already: " << recording.score.overall.reason;
  recording.score.overall = {};
  recording.score.scored = 0;
  const Score more = recording.sum(4);
  EXPECT_TRUE(has(more, "6.0 s of loud sound in all")) << more.reason;
  EXPECT_LT(more.confidence.value_or(1), alone);

  Recording lost(4);
  lost.lose_most(1);
  lost.parts[1].circumstances.foreign_s = 6;
  lost.score.segments[1].score.reason = "6.0 s of loud sound";
  lost.score.segments[1].score.confidence = 0.1;
  const Score found = lost.sum(4);
  EXPECT_TRUE(has(found, "4.0 s of loud sound in all")) << found.reason;
}

TEST(SegmentSum, ASegmentOfWhichNothingWasCountedIsTold) {
  Recording recording(3);
  recording.score.segments[1].score.indices.reset();
  EXPECT_TRUE(has(recording.sum(), "in the segment from 20.0 s nothing was recognised"))
      << recording.score.overall.reason;
  EXPECT_EQ(Recording(3).sum().reason, "");
}

}  // namespace
}  // namespace vqas
