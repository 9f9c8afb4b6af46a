// What vqas score prints of a long recording.
#include "score/long_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Good segments of 20 s each, the first `bad` of them with losses.
LongScore long_score(int good, int bad) {
  LongScore score;
  for (int n = 0; n < bad + good; ++n) {
    SegmentScore segment;
    segment.start_s = 20 * n;
    segment.length_s = 20;
    segment.score.outcome = Outcome::scored;
    segment.score.mos_lqo = n < bad ? 1.5 : 4.2;
    if (n < bad) segment.score.impairments = {{Impairment::loss, 1.0}, {Impairment::noise, 0.5}};
    score.segments.push_back(segment);
  }
  score.scored = score.segments.size();
  score.overall.outcome = Outcome::scored;
  score.overall.mos_lqo = 3.0;
  score.overall.auditory_distance = 2.0;
  return score;
}

TEST(LongText, SegmentsThatDifferHaveAHeadingAndTheirReasons) {
  LongScore score = long_score(30, 2);
  score.segments[1].score.reason = "the speech is there twice";
  EXPECT_THAT(to_text(score), AllOf(StartsWith("Segments that differ      MOS   impairments\n"
                                               "     0.0 s to     20.0 s  1.50  loss  noise\n"
                                               "    20.0 s to     40.0 s  1.50  loss  noise\n"
                                               "                          reason: the speech is there twice\n\n"),
                                    Not(HasSubstr("more"))));
}

TEST(LongText, WithoutDifferencesThereIsNoHeading) {
  EXPECT_THAT(to_text(long_score(30, 0)), StartsWith("Segments           30 of 30 "));
}

TEST(LongText, BeyondTenTheRestIsCountedWithThePlaceOfAll) {
  LongScore score = long_score(60, 13);
  for (int n = 0; n < 13; ++n) score.overall.delay_track.push_back({20.0 * n, 20.0, n % 2 == 0 ? -0.01 : 50.0});
  EXPECT_THAT(to_text(score),
              AllOf(HasSubstr("… and 3 more segments that differ; --json prints all, in segments\n"),
                    HasSubstr("… and 2 more steps of the delay; --json prints all, in delay_track\n"),
                    HasSubstr("the delay steps by +50.0 ms, from 0.0 to 50.0 ms\n"), Not(HasSubstr("-0.0"))));
}

}  // namespace
}  // namespace vqas::cli
