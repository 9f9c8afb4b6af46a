#include "vqas/receive/line_quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/normal.h"
#include "support/places.h"
#include "vqas/channel/line_direction.h"
#include "vqas/corpus/corpus.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

// The stimuli over a line, as in a recording.
std::vector<CheckedTransmission> over(const LineConditions& conditions, double noise_dbov = -200) {
  const auto corpus = Corpus::load(std::filesystem::path(test::source_dir()) / "corpus");
  EXPECT_TRUE(corpus);
  test::Normal normal(db_to_amplitude(noise_dbov), 7);
  std::vector<CheckedTransmission> all;
  for (const char* const id : {"M4", "F2"}) {
    CheckedTransmission one;
    one.measurement.mos_lqo = 4;
    one.measurement.marks_found = MarksFound::both;
    one.reference = corpus->recording(id).value();
    std::vector<float> sent(4000, 0.0F);
    sent.insert(sent.end(), one.reference.samples.begin(), one.reference.samples.end());
    sent.resize(sent.size() + 4000, 0.0F);
    LineDirection line(conditions, 3, 1);
    line.push(sent);
    // The line's delay, and its reader's.
    std::vector<float> heard(sent.size() + static_cast<std::size_t>(conditions.delay_s * 8000));
    line.pull(heard);
    one.recording.samples.assign(heard.end() - static_cast<std::ptrdiff_t>(sent.size()), heard.end());
    for (float& sample : one.recording.samples) sample += static_cast<float>(normal());
    all.push_back(one);
  }
  return all;
}

LineConditions flat() {
  LineConditions conditions;
  conditions.band_limit = false;
  conditions.gain_ripple_db = 0;
  conditions.circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
  conditions.fresh_phase = false;
  return conditions;
}

TEST(LineQuality, AFlatLineHasItsGainInEveryBand) {
  LineConditions conditions = flat();
  conditions.gain_db = -6;
  const LineQuality quality = line_quality(over(conditions));
  ASSERT_EQ(quality.response.size(), 11U);
  EXPECT_EQ(quality.response.front().centre_hz, 315);
  EXPECT_EQ(quality.response.back().centre_hz, 3150);
  for (const BandGain& band : quality.response) EXPECT_NEAR(band.gain_db, -6, 1) << band.centre_hz << " Hz";
}

TEST(LineQuality, ABandLimitIsShown) {
  LineConditions conditions = flat();
  conditions.band_limit = true;  // 300 to 3400 Hz
  const auto all = over(conditions);
  // And one that ends at 1.5 kHz: a running mean of four, which is 3.9 dB down at 1000 and 17 dB at 1600 Hz or more.
  std::vector<CheckedTransmission> dull = all;
  for (CheckedTransmission& one : dull) {
    std::vector<float>& x = one.recording.samples;
    for (std::size_t n = x.size() - 1; n >= 3; --n) x[n] = (x[n] + x[n - 1] + x[n - 2] + x[n - 3]) / 4;
  }
  const auto full = line_quality(all).response, less = line_quality(dull).response;
  const auto at = [](const std::vector<BandGain>& bands, double hz) {
    for (const BandGain& band : bands) {
      if (band.centre_hz == hz) return band.gain_db;
    }
    return 99.0;
  };
  EXPECT_NEAR(at(full, 1000), 0, 1);
  EXPECT_NEAR(at(less, 500) - at(full, 500), 20 * std::log10(std::sin(0.25 * M_PI) / (4 * std::sin(0.0625 * M_PI))), 1);
  EXPECT_NEAR(at(less, 1000) - at(full, 1000), -3.7, 1);
  EXPECT_LT(at(less, 2000) - at(full, 2000), -12);
}

TEST(LineQuality, NoiseIsMeasuredInThePauses) {
  for (const double planted : {-40.0, -55.0, -65.0}) {
    const auto noise = line_quality(over(flat(), planted)).noise_dbov;
    ASSERT_TRUE(noise);
    EXPECT_NEAR(*noise, planted, 1.5);
  }
  EXPECT_LT(line_quality(over(flat())).noise_dbov.value_or(0), -70) << "the codec's version of a stimulus's own noise";
}

TEST(LineQuality, OnlyTransmissionsWithACertainPositionCount) {
  auto all = over(flat());
  all[0].measurement.marks_found = MarksFound::none;
  all[1].measurement.mos_lqo.reset();
  const LineQuality quality = line_quality(all);
  EXPECT_TRUE(quality.response.empty());
  EXPECT_FALSE(quality.noise_dbov);
  EXPECT_TRUE(line_quality({}).response.empty());
}

TEST(LineQuality, SpeechMovedByADelayIsIgnored) {
  std::vector<CheckedTransmission> all = over(flat());
  auto& samples = all[0].recording.samples;
  samples.insert(samples.begin() + 4000, 1600, 0.0F);
  all[0].measurement.delay_step_ms = 200;
  const LineQuality quality = line_quality(all);
  for (const BandGain& band : quality.response) EXPECT_NEAR(band.gain_db, 0, 1) << band.centre_hz << " Hz";
  all.pop_back();
  EXPECT_TRUE(line_quality(all).response.empty());
}

}  // namespace
}  // namespace vqas
