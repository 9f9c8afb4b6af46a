// What a finding may be at most and at least: a level of noise that cannot be measured, a cost above the loss, the part
// of the loss that is clipping's own, the error of a step of the level.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <string>

#include "score/planted_faults.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/idle_noise.h"

namespace vqas {
namespace {

constexpr const char* kTalkers[] = {"M2", "M4", "F1", "F6"};

bool is_named(const Score& score, Impairment impairment) {
  return std::ranges::find(score.impairments, impairment, &ImpairmentFinding::impairment) != score.impairments.end();
}

TEST(PauseNoise, OfALineWithoutNoiseHasTheLeastLevelThatIsMeasured) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double gain : {1.0, 0.1}) {
      const Score score = scorer.diagnose(speech, test::with_gain(speech, gain));
      ASSERT_TRUE(score.indices && score.indices->noise) << talker << " " << gain;
      EXPECT_EQ(score.indices->noise->dbm0p, kLeastIdleNoiseDbm0p) << talker << " " << gain;
      EXPECT_EQ(score.indices->noise->tone_dbm0, kLeastIdleNoiseDbm0p) << talker << " " << gain;
    }
    const Score noisy = scorer.diagnose(speech, test::over_mu_law(speech, 0, true, -75, 11));
    ASSERT_TRUE(noisy.indices && noisy.indices->noise) << talker;
    EXPECT_GT(noisy.indices->noise->dbm0p, kLeastIdleNoiseDbm0p) << talker;
  }
}

/// A hum that a handset does not pass costs next to nothing; the diagnosis sees it in the waveform.
TEST(Impairment, OfHumCostsAtMostTheLoss) {
  Scorer scorer;
  int costs = 0;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double hz : {50.0, 60.0}) {
      for (const int harmonics : {1, 5}) {
        for (const double snr_db : {0.0, 10.0, 20.0}) {
          const Signal line = test::padded(test::with_hum(speech, hz, harmonics, snr_db), 800, 800);
          const Score score = scorer.diagnose(speech, line);
          ASSERT_TRUE(score.mos_lqo) << talker << " " << hz << " " << snr_db;
          // Costs are rounded to hundredths.
          const double lost = mos_from_auditory_distance(0) - *score.mos_lqo + 0.01;
          for (const ImpairmentFinding& finding : score.impairments) {
            ++costs;
            EXPECT_LE(finding.cost_mos.value_or(0), lost)
                << to_string(finding.impairment) << ": " << talker << " " << hz << " " << harmonics << " " << snr_db;
          }
          ASSERT_TRUE(score.indices && score.indices->noise) << talker << " " << hz << " " << snr_db;
          EXPECT_LE(score.indices->noise->cost_mos.value_or(0), lost) << talker << " " << hz << " " << snr_db;
          for (const LossPart& part : score.loss_parts) EXPECT_LE(part.mos, lost) << talker << " " << hz;
        }
      }
    }
  }
  EXPECT_GT(costs, 40);
}

/// At any level, and whatever comes behind the clipping.
TEST(Impairment, OfClippingIsToldFirstWithNearlyAllOfTheLoss) {
  Scorer scorer;
  int all = 0;
  int first = 0;
  double own = 0;
  std::uint64_t seed = 3000;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double share : {0.3, 0.15, 0.07}) {
      for (const double gain : {1.0, 0.25}) {
        const Signal line = test::over_clean_line(test::with_gain(test::clipped(speech, share), gain), ++seed);
        const Score score = scorer.diagnose(speech, line);
        ASSERT_TRUE(score.mos_lqo) << talker << " " << share << " " << gain;
        if (*score.mos_lqo > 4.25) continue;
        ++all;
        first += !score.impairments.empty() && score.impairments.front().impairment == Impairment::clipping ? 1 : 0;
        for (const LossPart& part : score.loss_parts) {
          if (part.impairment == Impairment::clipping)
            own += part.mos / (mos_from_auditory_distance(0) - *score.mos_lqo);
        }
      }
    }
  }
  EXPECT_GT(all, 16);
  EXPECT_EQ(first, all);
  EXPECT_GT(own, 0.8 * all);
}

/// A telephone's band and a clock cost next to nothing, so they explain no loss that noise made.
TEST(Impairment, OfFaintNoiseIsNamedBehindATelephoneBandOrAClockThatRunsAway) {
  Scorer scorer;
  int lossy = 0;
  std::uint64_t seed = 4000;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    const Signal narrow = test::filtered(test::filtered(speech, 3400, false), 300, true);
    for (const double snr_db : {32.0, 35.0, 38.0}) {
      const Signal noisy = test::with_noise(speech, snr_db, ++seed);
      for (const Signal& line : {test::with_noise(narrow, snr_db, ++seed), test::resampled_by_clock(noisy, 150, 0)}) {
        const Score score = scorer.diagnose(speech, line);
        ASSERT_TRUE(score.mos_lqo) << talker << " " << snr_db;
        ASSERT_TRUE(score.indices && score.indices->noise);
        if (mos_from_auditory_distance(0) - *score.mos_lqo < 0.4) continue;
        if (score.indices->noise->dbm0p <= kMostIdleNoiseDbm0p) continue;
        ++lossy;
        EXPECT_TRUE(is_named(score, Impairment::noise)) << talker << " " << snr_db;
      }
    }
  }
  EXPECT_GT(lossy, 12);
}

/// Where the treble falls by 12 dB an octave it is weak beside the bass, and still tells where the line ends.
TEST(BandLoss, OfAReferenceWithWeakTrebleIsTold) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    Signal dull = test::corpus_sentence(talker);
    double once = 0;
    double twice = 0;
    for (float& sample : dull.samples) {
      once += 0.3 * (sample - once);
      twice += 0.3 * (once - twice);
      sample = static_cast<float>(twice);
    }
    const Score score = scorer.diagnose(dull, test::filtered(dull, 2600, false));
    ASSERT_TRUE(score.indices) << talker;
    EXPECT_NEAR(score.indices->band_loss.high_hz, 2600, 200) << talker;
    EXPECT_TRUE(is_named(score, Impairment::band_loss)) << talker;
  }
}

/// To half the rate, by a filter that is short: it folds what lies above 4 kHz into the band below.
Signal halved(const Signal& speech) {
  constexpr int kReach = 24;
  Signal half{{}, speech.rate_hz / 2};
  const auto size = static_cast<int>(speech.size());
  for (int n = 0; n < size; n += 2) {
    double sum = 0;
    for (int k = std::max(0, n - kReach); k <= std::min(size - 1, n + kReach); ++k) {
      const double at = std::numbers::pi * (k - n);
      const double tap = k == n ? 0.5 : std::sin(0.5 * at) / at;
      sum += tap * (0.54 + 0.46 * std::cos(at / kReach)) * speech.samples[static_cast<std::size_t>(k)];
    }
    half.samples.push_back(static_cast<float>(sum));
  }
  return half;
}

// Near 4 kHz two converters of the rate differ, and one may have left nothing where the other folds something in.
TEST(BandLoss, OfARecordingThatAnotherConverterBroughtToItsRateIsNone) {
  Scorer scorer;
  for (const char* talker : {"M1", "M2", "M5", "F2", "F5"}) {
    const auto wide =
        read_audio(std::filesystem::path(test::source_dir()) / "corpus/16k" / (std::string(talker) + ".wav"));
    ASSERT_TRUE(wide) << talker;
    const Score score = scorer.diagnose(*wide, halved(*wide));
    ASSERT_TRUE(score.indices) << talker;
    EXPECT_LT(score.indices->band_loss.low_hz, 100) << talker;
    EXPECT_GT(score.indices->band_loss.high_hz, 3600) << talker;
    EXPECT_LT(score.indices->band_loss.loudness_lost, 0.02) << talker;
    EXPECT_LT(score.indices->level_track.range_db, 1) << talker;
    EXPECT_FALSE(is_named(score, Impairment::band_loss)) << talker;
    EXPECT_FALSE(is_named(score, Impairment::level)) << talker;
    EXPECT_FALSE(is_named(score, Impairment::clipping)) << talker;
  }
}

TEST(LevelTrack, OfAStepOfTheLevelMovesByThreePercentMoreOrLessInTheMean) {
  Scorer scorer;
  double error = 0;
  int steps = 0;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double step_db : {6.0, 9.0, 12.0}) {
      const Score score = scorer.diagnose(speech, test::with_level_change(speech, step_db, false));
      ASSERT_TRUE(score.indices) << talker << " " << step_db;
      error += std::abs(score.indices->level_track.range_db / step_db - 1);
      ++steps;
    }
  }
  EXPECT_LT(error, 0.03 * steps);
}

}  // namespace
}  // namespace vqas
