#include "vqas/signal/idle_noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/normal.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

std::vector<float> white_noise(double dbov) {
  test::Normal normal(db_to_amplitude(dbov), 17);
  std::vector<float> samples(8 * 8000);
  for (float& sample : samples) sample = static_cast<float>(normal());
  return samples;
}

std::vector<float> tone(double hz, double dbov) {
  std::vector<float> samples(8000);
  const double amplitude = std::numbers::sqrt2 * db_to_amplitude(dbov);
  for (std::size_t n = 0; n < samples.size(); ++n)
    samples[n] = static_cast<float>(amplitude * std::sin(2 * std::numbers::pi * hz * static_cast<double>(n) / 8000));
  return samples;
}

IdleNoise noise_of(const std::vector<float>& samples) {
  IdleNoiseMeter meter;
  meter.add(samples);
  const auto result = meter.result();
  EXPECT_TRUE(result);
  return result.value_or(IdleNoise{});
}

TEST(IdleNoise, WhiteNoiseReadsThreeAndAHalfDecibelsLessOnAPsophometer) {
  const IdleNoise noise = noise_of(white_noise(-70));
  EXPECT_NEAR(noise.unweighted_dbov, -70, 0.2);
  EXPECT_NEAR(noise.weighted_dbov, -73.47, 0.2);
  EXPECT_LT(noise.tone_dbov, -83);
}

TEST(IdleNoise, ToneIsWeightedByItsFrequencyAndReportedByItsPower) {
  for (const auto& [hz, weight_db] : {std::pair{800.0, 0.0}, {1000.0, 1.0}, {3000.0, -5.6}, {300.0, -10.6}}) {
    const IdleNoise noise = noise_of(tone(hz, -40));
    EXPECT_NEAR(noise.weighted_dbov, -40 + weight_db, 0.7) << hz;
    EXPECT_NEAR(noise.tone_dbov, -40, 0.5) << hz;
    EXPECT_NEAR(noise.tone_hz, hz, 32) << hz;
  }
}

TEST(IdleNoise, HumIsATonePsophometerWeightingSuppresses) {
  const IdleNoise noise = noise_of(tone(50, -40));
  EXPECT_LT(noise.weighted_dbov, -75);
  EXPECT_NEAR(noise.tone_dbov, -40, 1);
}

TEST(IdleNoise, PiecesShorterThanAFrameAreIgnored) {
  IdleNoiseMeter meter;
  meter.add(std::vector<float>(IdleNoiseMeter::kFrame - 1, 0.1F));
  EXPECT_FALSE(meter.result());
  meter.add(white_noise(-60));
  EXPECT_NEAR(meter.result()->unweighted_dbov, -60, 0.2);
  meter.reset();
  EXPECT_FALSE(meter.result());
}

TEST(IdleNoise, WordsGiveTheDistanceFromTheLimit) {
  EXPECT_THAT(idle_noise_in_words(-67.8), HasSubstr("2.8 dB below the limit of a good circuit (-65 dBm0p"));
  EXPECT_THAT(idle_noise_in_words(-64.9), HasSubstr("0.1 dB above"));
  EXPECT_THAT(idle_noise_in_words(kLeastIdleNoiseDbm0p), HasSubstr("-80 dBm0p or less, which is not measured"));
}

}  // namespace
}  // namespace vqas
