// At a known position the segment is scored whatever it holds.
#include <gtest/gtest.h>

#include <cmath>

#include "score/recipes.h"
#include "support/signals.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

class Placement : public ::testing::Test {
 protected:
  static constexpr int kBefore = 4000;

  /// The segment between two marks: `content` after half a second of circuit noise, as captured by a receiver.
  static Signal captured(const Signal& content) {
    Signal recording = test::padded(content, kBefore, 4000);
    test::Random random(99);
    for (float& sample : recording.samples) sample += static_cast<float>(2e-4 * random.normal());
    return recording;
  }
  Score score(const Signal& recording, KnownPlacement placement = {.start_samples = kBefore}) {
    Score result = scorer_.score(speech_, recording, placement);
    EXPECT_EQ(to_string(result.outcome), "scored") << result.reason;
    EXPECT_TRUE(std::isfinite(result.mos_lqo.value_or(NAN)));
    EXPECT_TRUE(std::isfinite(result.auditory_distance.value_or(NAN)));
    return result;
  }
  void expect_near_one(const Signal& recording, const char* what) {
    const double mos = score(recording).mos_lqo.value_or(0);
    EXPECT_GE(mos, 1.0) << what;
    EXPECT_LE(mos, 1.3) << what;
  }
  Signal of_length(Signal signal) const {
    signal.samples.resize(speech_.size());
    return signal;
  }

  Signal speech_ = test::corpus_sentence("M1");
  Scorer scorer_;
};

TEST_F(Placement, SpeechThatIsNotThereIsATrueScoreNearOne) {
  const Signal nothing{std::vector<float>(speech_.size()), kLineRateHz};
  expect_near_one(test::padded(nothing, kBefore, 4000), "digital silence");
  expect_near_one(captured(nothing), "circuit noise");
  expect_near_one(captured(of_length(test::noise(0.1, 9, 1))), "noise");
  expect_near_one(captured(of_length(test::noise(0.003, 9, 2))), "faint noise");
  for (const double hz : {50.0, 425.0, 1020.0}) expect_near_one(captured(of_length(test::sine(hz, 0.1, 9))), "tone");
  for (const char* other : {"M2", "M3", "M4", "M5", "M6", "F1", "F5"}) {
    expect_near_one(captured(of_length(test::corpus_sentence(other))), other);
  }
  expect_near_one(captured(test::with_gain(speech_, 1e-3)), "speech lost in the circuit noise");
  expect_near_one(Signal{std::vector<float>(100, 0.0F), kLineRateHz}, "a recording that ends before the position");
}

TEST_F(Placement, SpeechAtItsPositionScoresAsWithoutAPlacement) {
  for (const Signal& line : {speech_, test::with_noise(speech_, 20, 3), test::with_bit_errors(speech_, 1e-4, 4)}) {
    const Signal recording = captured(line);
    const Score placed = score(recording);
    const Score searched = scorer_.score(speech_, recording);
    ASSERT_TRUE(searched.mos_lqo) << searched.reason;
    EXPECT_NEAR(*placed.mos_lqo, *searched.mos_lqo, 0.03);
    EXPECT_NEAR(placed.delay_ms.value_or(0), 500, 0.2);
  }
}

TEST_F(Placement, SpeechElsewhereIsMissing) {
  const Signal late = captured(test::padded(speech_, 1600, 0));
  EXPECT_LE(*score(late).mos_lqo, 1.3) << "0.2 s outside the uncertainty";
  EXPECT_GE(*score(late, {.start_samples = kBefore, .uncertainty_s = 0.3}).mos_lqo, 4.2) << "found where it is";
}

Signal stepped_at(const Signal& speech, int at, int step) {
  Signal stepped = speech;
  stepped.samples.insert(stepped.samples.begin() + at, static_cast<std::size_t>(step), 0.0F);
  return stepped;
}

TEST_F(Placement, BothDelaysOfAKnownStepAreTried) {
  constexpr int kAt = 11360, kStep = 4800;
  const Signal speech = test::corpus_sentence("F3");
  const Signal recording = captured(stepped_at(speech, kAt, kStep));
  KnownPlacement between{.start_samples = kBefore + kStep / 2.0, .uncertainty_s = 0.35};
  const double searched = scorer_.score(speech, recording, between).mos_lqo.value_or(0);
  between.step = PlacesOfStep{kBefore, kBefore + kStep};
  const Score known = scorer_.score(speech, recording, between);
  EXPECT_GT(known.mos_lqo.value_or(0), 2.8);
  EXPECT_GE(known.mos_lqo.value_or(0), searched);
  ASSERT_EQ(known.delay_track.size(), 2U);
  EXPECT_NEAR(known.delay_track[0].delay_ms, 500, 0.2);
  EXPECT_NEAR(known.delay_track[1].delay_ms, 1100, 0.2);
  // A clock offset moves the positions by samples.
  between.step = PlacesOfStep{kBefore + 8, kBefore + kStep - 8};
  EXPECT_NEAR(scorer_.score(speech, recording, between).mos_lqo.value_or(0), *known.mos_lqo, 0.05);
}

TEST_F(Placement, AKnownStepIsFoundInNoiseWhereTheSearchFindsNone) {
  constexpr int kAt = 4000, kStep = 4800;
  const Signal speech = test::corpus_sentence("M1");
  const Signal recording = test::with_noise(captured(stepped_at(speech, kAt, kStep)), 5, 3);
  KnownPlacement between{.start_samples = kBefore + kStep / 2.0, .uncertainty_s = 0.35};
  EXPECT_EQ(scorer_.score(speech, recording, between).delay_track.size(), 1U) << "found without: choose another noise";
  between.step = PlacesOfStep{kBefore, kBefore + kStep};
  const Score known = scorer_.score(speech, recording, between);
  ASSERT_EQ(known.delay_track.size(), 2U);
  EXPECT_NEAR(known.delay_track[0].delay_ms, 500, 0.2);
  EXPECT_NEAR(known.delay_track[1].delay_ms, 1100, 0.2);
}

TEST_F(Placement, HalfASentenceIsScoredAsHalfASentence) {
  const double mos = *score(captured(test::silenced(speech_, 0.5, 1))).mos_lqo;
  EXPECT_LE(mos, 2.3);
}

TEST_F(Placement, AFractionalStartIsAsGoodAsAWholeOne) {
  for (const double fraction : {0.0, 0.25, 0.5, 0.9}) {
    Signal recording = test::resampled_by_clock(speech_, 0, kBefore + fraction);
    const Score result = score(recording, {.start_samples = kBefore + fraction});
    EXPECT_GE(*result.mos_lqo, 4.5) << fraction;
    EXPECT_NEAR(result.delay_ms.value_or(0), (kBefore + fraction) / 8, 0.02) << fraction;
  }
}

TEST_F(Placement, AKnownDriftIsCorrectedFirst) {
  for (const double ppm : {-300.0, 80.0, 3000.0}) {
    const double start = kBefore * (1 + ppm * 1e-6);
    const Signal recording = test::resampled_by_clock(test::padded(speech_, kBefore, 0), ppm, 0);
    const Score result = score(recording, {.start_samples = start, .clock_drift_ppm = ppm});
    EXPECT_GE(*result.mos_lqo, 4.5) << ppm;
    EXPECT_NEAR(result.clock_drift_ppm.value_or(0), ppm, 3) << ppm;
  }
}

TEST_F(Placement, StartCountsAtTheRateOfTheRecording) {
  Signal wide = test::padded(test::corpus_sentence("M1"), 0, 0);
  Signal recording{std::vector<float>(2 * (speech_.size() + kBefore)), 16000};
  // Doubling every sample is a crude conversion to 16 kHz; its images lie above 4 kHz.
  for (std::size_t n = 0; n < speech_.size(); ++n) {
    recording.samples[2 * (n + kBefore)] = wide.samples[n];
    recording.samples[2 * (n + kBefore) + 1] = wide.samples[n];
  }
  EXPECT_GE(*score(recording, {.start_samples = 2.0 * kBefore}).mos_lqo, 4.0);
}

TEST_F(Placement, AQuietLineIsNotSilent) {
  Signal recording = test::padded(test::with_gain(speech_, std::pow(10, -30.0 / 20)), kBefore, 4000);
  EXPECT_EQ(*score(recording).mos_lqo, 4.55);
}

TEST_F(Placement, AnInvalidPositionIsBadInput) {
  const double nan = std::nan("");
  for (const KnownPlacement& placement :
       {KnownPlacement{.start_samples = nan}, KnownPlacement{.start_samples = 1e300},
        KnownPlacement{.clock_drift_ppm = nan}, KnownPlacement{.clock_drift_ppm = 1e6},
        KnownPlacement{.uncertainty_s = -1}, KnownPlacement{.uncertainty_s = nan},
        KnownPlacement{.step = PlacesOfStep{0, nan}}, KnownPlacement{.step = PlacesOfStep{1e300, 0}}}) {
    const Score result = scorer_.score(speech_, speech_, placement);
    EXPECT_EQ(result.outcome, Outcome::bad_input);
    EXPECT_FALSE(result.mos_lqo);
    EXPECT_FALSE(result.reason.empty());
  }
}

}  // namespace
}  // namespace vqas
