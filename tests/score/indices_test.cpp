// The indices that are always printed, on faults of known size.
#include <gtest/gtest.h>

#include <algorithm>

#include "score/planted_faults.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

class ScoreIndices : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    speech_ = test::corpus_sentence(GetParam());
    ASSERT_FALSE(speech_.empty());
  }
  Indices indices(const Signal& degraded) {
    const Score score = scorer_.diagnose(speech_, degraded);
    EXPECT_TRUE(score.indices.has_value()) << score.reason;
    return score.indices.value_or(Indices{});
  }

  Signal speech_;
  Scorer scorer_;
};

TEST_P(ScoreIndices, AreAllAtTheirBestForIdentityAtAnyGainDelayAndPolarity) {
  for (const Signal& same : {speech_, test::padded(test::with_gain(speech_, -0.1), 3333, 500)}) {
    const Indices found = indices(same);
    EXPECT_LT(found.band_loss.low_hz, 70);
    EXPECT_GT(found.band_loss.high_hz, 3800);
    EXPECT_LT(found.band_loss.loudness_lost, 0.005);
    EXPECT_EQ(found.missing.total_ms(), 0);
    EXPECT_GT(found.missing.speech_ms, 800 * speech_.seconds() - 1500);
    EXPECT_LT(found.level_track.range_db, 0.2);
    EXPECT_GE(found.level_track.points.size(), 5U);
  }
}

TEST_P(ScoreIndices, BandLossGivesTheEdgesOfAFilter) {
  double before = 0;
  for (const double corner : {3000.0, 2700.0, 2000.0}) {
    const Indices found = indices(test::filtered(speech_, corner, false));
    EXPECT_NEAR(found.band_loss.high_hz, corner, 80);
    EXPECT_LT(found.band_loss.low_hz, 70);
    EXPECT_GT(found.band_loss.loudness_lost, before + 0.01) << corner;
    before = found.band_loss.loudness_lost;
  }
  for (const double corner : {300.0, 600.0, 1000.0}) {
    const Indices found = indices(test::filtered(speech_, corner, true));
    EXPECT_NEAR(found.band_loss.low_hz, corner, 80);
    EXPECT_GT(found.band_loss.high_hz, 3700);
    EXPECT_GT(found.band_loss.loudness_lost, 0.02) << corner;
  }
}

TEST_P(ScoreIndices, BandLossGivesTheEdgesWhereLittlePasses) {
  double before = 1;
  for (const double corner : {700.0, 1000.0, 1300.0, 1600.0}) {
    const Indices found = indices(test::filtered(speech_, corner, false));
    EXPECT_NEAR(found.band_loss.high_hz, corner, 80);
    EXPECT_LT(found.band_loss.low_hz, 70);
    EXPECT_LT(found.band_loss.loudness_lost, before - 0.01) << corner;
    before = found.band_loss.loudness_lost;
  }
  const Indices narrow = indices(test::filtered(test::filtered(speech_, 700, true), 1300, false));
  EXPECT_NEAR(narrow.band_loss.low_hz, 700, 80);
  EXPECT_NEAR(narrow.band_loss.high_hz, 1300, 80);
}

TEST_P(ScoreIndices, NoiseDoesNotChangeTheBand) {
  const Indices found = indices(test::with_noise(test::filtered(speech_, 2700, false), 20, 1));
  EXPECT_NEAR(found.band_loss.high_hz, 2700, 100);
}

TEST_P(ScoreIndices, MissingGivesTheSizeAndThePlaceOfACut) {
  // The faint end of a word, more than 25 dB below the rest, is not counted, and neither is a pause at the edge.
  const auto [begin_faint, end_faint] = test::speech_span(speech_);
  const auto [begin_loud, end_loud] = test::speech_span(speech_, 3.16e-3);
  for (const double cut_ms : {150.0, 300.0, 600.0}) {
    double ms = cut_ms - (begin_loud - begin_faint) / 8.0;
    const MissingSpeech front = indices(test::with_cut(speech_, cut_ms, true)).missing;
    EXPECT_NEAR(front.front_ms, ms, 60);
    EXPECT_LE(front.middle_ms + front.tail_ms, 8);
    const MissingSpeech tail = indices(test::with_cut(speech_, cut_ms, false)).missing;
    ms = cut_ms - (end_faint - end_loud) / 8.0;
    EXPECT_NEAR(tail.tail_ms, ms, 60);
    EXPECT_LE(tail.middle_ms + tail.front_ms, 8);
  }
  // The recording started too late: it does not even hold silence there.
  const auto begin = test::speech_span(speech_).first;
  EXPECT_NEAR(indices(test::padded(speech_, -begin - 2400, 0)).missing.front_ms, 300, 60);
}

TEST_P(ScoreIndices, MissingGivesTheSecondHalf) {
  const MissingSpeech half = indices(test::silenced(speech_, 0.5, 1)).missing;
  const auto [first, last] = test::speech_span(speech_);
  const double expected = (last - static_cast<double>(speech_.size()) / 2) / 8;
  EXPECT_NEAR(half.tail_ms, expected, 0.15 * expected + 40);
  EXPECT_LE(half.front_ms + half.middle_ms, 8);
}

TEST_P(ScoreIndices, MissingGivesAGapInTheMiddle) {
  const auto [first, last] = test::speech_span(speech_);
  Signal line = speech_;
  const int begin = first + (last - first) * 2 / 5;
  std::fill_n(line.samples.begin() + begin, 3200, 0.0F);
  const Indices found = indices(line);
  // A pause of the talker in the gap does not count.
  EXPECT_LE(found.missing.middle_ms, 410);
  EXPECT_GE(found.missing.middle_ms, 200);
  EXPECT_EQ(found.missing.front_ms + found.missing.tail_ms, 0);
  EXPECT_GE(found.missing.gaps, 1);
  EXPECT_LE(found.missing.gaps, 3);
}

TEST_P(ScoreIndices, MissingCountsSpeechReplacedByOtherSound) {
  const auto [first, last] = test::speech_span(speech_);
  const int begin = first + (last - first) * 2 / 5;
  constexpr int kLength = 8000;
  Signal silent = speech_;
  std::fill_n(silent.samples.begin() + begin, kLength, 0.0F);
  const double expected = indices(silent).missing.middle_ms;
  ASSERT_GT(expected, 500);
  test::Random random(5);
  Signal noise = speech_;
  for (int n = begin; n < begin + kLength; ++n) {
    noise.samples[static_cast<std::size_t>(n)] = static_cast<float>(test::rms(speech_) * random.normal());
  }
  Signal other = speech_;
  const Signal sentence = test::corpus_sentence("M6");
  std::copy_n(sentence.samples.begin() + 4000, kLength, other.samples.begin() + begin);
  for (const Signal& line : {noise, other}) {
    const MissingSpeech missing = indices(line).missing;
    const double lost_ms = missing.total_ms();
    EXPECT_GT(lost_ms, 0.4 * expected);
    EXPECT_LT(lost_ms, 1.15 * expected + 100);
  }
}

TEST_P(ScoreIndices, MissingCountsLostPackets) {
  const MissingSpeech lost = indices(test::with_losses(speech_, 0.1, 3)).missing;
  EXPECT_NEAR(lost.total_ms() / lost.speech_ms, 0.1, 0.05);
  const MissingSpeech none = indices(test::with_noise(speech_, 10, 3)).missing;
  EXPECT_LE(none.total_ms(), 0.02 * none.speech_ms);
}

TEST_P(ScoreIndices, LevelTrackGivesAGainStep) {
  for (const double step_db : {-6.0, 6.0, 12.0}) {
    const LevelTrack track = indices(test::with_level_change(speech_, step_db, false)).level_track;
    EXPECT_NEAR(track.range_db, std::abs(step_db), 0.7);
    // A quarter of the points from either end, so that none spans the step.
    const auto median = [](std::vector<LevelTrack::Point> points) {
      std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.gain_db < b.gain_db; });
      return points[points.size() / 2].gain_db;
    };
    const auto quarter = static_cast<std::ptrdiff_t>(track.points.size() / 4);
    EXPECT_NEAR(median({track.points.end() - quarter, track.points.end()}) -
                    median({track.points.begin(), track.points.begin() + quarter}),
                step_db, 1.5);
  }
}

TEST_P(ScoreIndices, LevelTrackFollowsASlowGainAlsoInNoise) {
  for (const double snr_db : {99.0, 20.0}) {
    const Signal line = test::with_noise(test::with_level_change(speech_, 10, true), snr_db, 4);
    EXPECT_NEAR(indices(line).level_track.range_db, 9.5, 1.5) << snr_db;
  }
  EXPECT_LT(indices(test::with_noise(speech_, 20, 4)).level_track.range_db, 1.5);
}

TEST_P(ScoreIndices, AreNotGivenWithoutAMatch) {
  const Score score = scorer_.diagnose(speech_, test::corpus_sentence("M6"));
  EXPECT_FALSE(score.indices);
  EXPECT_TRUE(score.impairments.empty());
}

TEST_P(ScoreIndices, CountAllAsMissingIfNothingArrivedAtAKnownPosition) {
  const double speech_ms = indices(speech_).missing.speech_ms;
  const Signal silence{std::vector<float>(speech_.size()), kLineRateHz};
  Signal noise = silence;
  test::Random random(1);
  for (float& sample : noise.samples) sample = static_cast<float>(0.01 * random.normal());
  for (const Signal& nothing : {silence, noise}) {
    const Score score = scorer_.diagnose(speech_, nothing, KnownPlacement{});
    ASSERT_TRUE(score.indices);
    EXPECT_EQ(score.indices->missing.front_ms, score.indices->missing.speech_ms);
    EXPECT_NEAR(score.indices->missing.speech_ms, speech_ms, 1);
    ASSERT_EQ(score.impairments.size(), 1U);
    EXPECT_EQ(score.impairments.front().impairment, Impairment::loss);
  }
}

TEST_P(ScoreIndices, AreNotGivenWithTheScoreAlone) {
  const Score plain = scorer_.score(speech_, test::with_noise(speech_, 10, 1));
  const Score diagnosed = scorer_.diagnose(speech_, test::with_noise(speech_, 10, 1));
  EXPECT_FALSE(plain.indices);
  EXPECT_TRUE(plain.impairments.empty());
  EXPECT_TRUE(diagnosed.indices);
  EXPECT_EQ(plain.mos_lqo, diagnosed.mos_lqo);
  EXPECT_EQ(plain.delay_ms, diagnosed.delay_ms);
}

INSTANTIATE_TEST_SUITE_P(Corpus, ScoreIndices, ::testing::Values("M1", "F3", "M5"),
                         [](const auto& sentence) { return sentence.param; });

}  // namespace
}  // namespace vqas
