// The explanation of a score, on faults at known places.
#include "vqas/score/explanation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "score/planted_faults.h"

namespace vqas {
namespace {

double sum(const std::vector<Segment>& segments) {
  return std::accumulate(segments.begin(), segments.end(), 0.0,
                         [](double all, const Segment& one) { return all + one.length_s; });
}

double mean_distance(const TimeFrequency& map, double from_s, double to_s) {
  double all = 0;
  int count = 0;
  for (std::size_t frame = 0; frame < map.frames(); ++frame) {
    const double at = static_cast<double>(frame) * map.frame_s;
    if (at < from_s || at >= to_s) continue;
    for (std::size_t column = 0; column < map.columns(); ++column) {
      all += std::abs(map.values[frame * map.columns() + column]);
      ++count;
    }
  }
  return all / std::max(1, count);
}

class ScoreExplanation : public ::testing::Test {
 protected:
  Signal speech_ = test::corpus_sentence("M3");
  Scorer scorer_;
};

TEST_F(ScoreExplanation, HasTheScoreOfTheScorer) {
  for (const Signal& line : {speech_, test::with_noise(speech_, 15, 1), test::with_jump(speech_, 0.5, 400),
                             test::resampled_by_clock(speech_, 300, 100), test::corpus_sentence("F1")}) {
    const Score plain = Scorer().score(speech_, line);
    const ExplainedScore explained = scorer_.explain(speech_, line);
    EXPECT_EQ(explained.score.auditory_distance, plain.auditory_distance);
    EXPECT_EQ(explained.score.outcome, plain.outcome);
    EXPECT_EQ(explained.score.delay_ms, plain.delay_ms);
  }
}

TEST_F(ScoreExplanation, OfIdentityIsEmpty) {
  const auto explained = scorer_.explain(speech_, speech_);
  ASSERT_TRUE(explained.explanation);
  const Explanation& why = *explained.explanation;
  EXPECT_EQ(why.shares.changed + why.shares.raised + why.shares.inserted, 0);
  EXPECT_TRUE(why.missing.empty());
  EXPECT_GT(sum(why.matched), 0.5 * speech_.seconds());
  EXPECT_EQ(mean_distance(why.distance, 0, 99), 0);
  EXPECT_EQ(why.reference.values, why.degraded.values);
  EXPECT_EQ(why.distance.columns(), 24U);
  EXPECT_NEAR(static_cast<double>(why.distance.frames()) * why.distance.frame_s, speech_.seconds(), 0.05);
}

TEST_F(ScoreExplanation, SharesAddUpToOneAndFollowTheFault) {
  const auto shares = [&](const Signal& line) {
    const auto explained = scorer_.explain(speech_, line);
    EXPECT_TRUE(explained.explanation);
    const DistanceShares all = explained.explanation.value_or(Explanation{}).shares;
    EXPECT_NEAR(all.changed + all.raised + all.inserted, 1, 1e-9);
    return all;
  };
  EXPECT_EQ(shares(test::with_losses(speech_, 0.1, 1)).inserted, 0);
  EXPECT_GT(shares(test::with_noise(speech_, 10, 1)).raised, 0.2);
  EXPECT_GT(shares(test::with_jump(speech_, 0.5, 400)).inserted, 0.02);
}

TEST_F(ScoreExplanation, ShowsWhereSpeechIsMissingAndTheMapWhereItDiffers) {
  const auto explained = scorer_.explain(speech_, test::padded(test::silenced(speech_, 0.4, 0.5), 1000, 0));
  ASSERT_TRUE(explained.explanation);
  const Explanation& why = *explained.explanation;
  const double from = 0.4 * speech_.seconds();
  const double to = 0.5 * speech_.seconds();
  ASSERT_FALSE(why.missing.empty());
  EXPECT_NEAR(why.missing.front().start_s, from, 0.1);
  EXPECT_NEAR(why.missing.back().start_s + why.missing.back().length_s, to, 0.1);
  EXPECT_GT(mean_distance(why.distance, from, to), 5 * mean_distance(why.distance, to + 0.1, 99));
}

TEST_F(ScoreExplanation, WithoutAMatchHasOnlySpectrograms) {
  const auto other = scorer_.explain(speech_, test::corpus_sentence("F1"));
  EXPECT_EQ(other.score.outcome, Outcome::not_aligned);
  ASSERT_TRUE(other.explanation);
  EXPECT_EQ(other.explanation->distance.frames(), 0U);
  EXPECT_GT(other.explanation->degraded.frames(), 100U);
  EXPECT_FALSE(scorer_.explain(speech_, Signal{}).explanation);
}

}  // namespace
}  // namespace vqas
