// Variation between transmissions, clocks and moments: phase, ripple, drift, noise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <set>
#include <vector>

#include "channel/line_harness.h"
#include "channel/tone.h"
#include "support/signals.h"
#include "vqas/channel/line_direction.h"

namespace vqas {
namespace {

using test::carry;
using test::delay_in_samples;
using test::fit_tone;
using test::plain_line;

constexpr double kToneHz = 1020;
constexpr std::size_t kBurst = 4000;
constexpr int kBursts = 60;

// Bursts of a tone, each starting at phase 0, with silence between.
std::vector<float> bursts(std::size_t silence) {
  const auto burst = test::sine(kToneHz, 0.3, static_cast<double>(kBurst) / 8000).samples;
  std::vector<float> sent;
  for (int i = 0; i < kBursts; ++i) {
    sent.resize(sent.size() + silence);
    sent.insert(sent.end(), burst.begin(), burst.end());
  }
  return sent;
}

struct Heard {
  double gain_db;
  double phase_samples;
  double gain_change_db;  // from the first half to the second
};

std::vector<Heard> measure_bursts(const LineConditions& conditions, std::size_t silence, std::uint64_t seed) {
  auto sent = bursts(silence);
  sent.resize(sent.size() + delay_in_samples(conditions));
  const auto heard = carry(conditions, sent, seed);
  std::vector<Heard> measured;
  for (std::size_t i = 0; i < kBursts; ++i) {
    const std::size_t start = delay_in_samples(conditions) + silence + i * (silence + kBurst);
    const auto inside = std::span(heard).subspan(start + 200, kBurst - 400);
    const auto fit = fit_tone(inside, kToneHz);
    const double sent_phase = 2 * std::numbers::pi * kToneHz * 200 / 8000;
    const auto half = inside.size() / 2;
    measured.push_back(
        {20 * std::log10(fit.amplitude / 0.3),
         std::remainder(fit.phase - sent_phase, 2 * std::numbers::pi) / (2 * std::numbers::pi * kToneHz / 8000),
         20 * std::log10(fit_tone(inside.subspan(half), kToneHz).amplitude /
                         fit_tone(inside.first(half), kToneHz).amplitude)});
  }
  return measured;
}

LineConditions varying_line() {
  auto conditions = plain_line();
  conditions.gain_ripple_db = 0.5;
  conditions.fresh_phase = true;
  return conditions;
}

TEST(LineVariation, EveryTransmissionHasANewGainAndPhaseWithinTheirBounds) {
  const auto measured = measure_bursts(varying_line(), 800, 3);
  double lowest = 1;
  double highest = -1;
  double earliest = 1;
  double latest = -1;
  std::set<int> gains;
  for (const auto& [gain_db, phase, change_db] : measured) {
    EXPECT_LE(std::abs(gain_db), 0.5 + 0.02);
    EXPECT_LE(std::abs(phase), 0.5 + 0.02);
    EXPECT_NEAR(change_db, 0, 0.02) << "constant within a transmission";
    gains.insert(static_cast<int>(std::lround(gain_db * 1000)));
    lowest = std::min(lowest, gain_db);
    highest = std::max(highest, gain_db);
    earliest = std::min(earliest, phase);
    latest = std::max(latest, phase);
  }
  // The extremes of 60 uniform values lie in the outer tenth, except for 0.9^60 = 0.2 % of seeds.
  EXPECT_LT(lowest, -0.4);
  EXPECT_GT(highest, 0.4);
  EXPECT_LT(earliest, -0.4);
  EXPECT_GT(latest, 0.4);
  EXPECT_GT(gains.size(), 50U);
}

TEST(LineVariation, ShorterSilenceIsTheSameTransmission) {
  const auto measured = measure_bursts(varying_line(), 790, 3);
  for (const auto& [gain_db, phase, change_db] : measured) {
    EXPECT_NEAR(gain_db, measured[0].gain_db, 0.02);
    EXPECT_NEAR(phase, measured[0].phase_samples, 0.02);
  }
}

TEST(LineVariation, TheSilenceThatEndsATransmissionIsLongerThanItsGuardInterval) {
  for (const double guard_s : {0.2, 1.0}) {
    auto conditions = varying_line();
    conditions.end_silence_s = end_silence_for_guard(guard_s);
    const auto guard = static_cast<std::size_t>(guard_s * 8000);
    const auto same = measure_bursts(conditions, guard, 3);
    const auto fresh = measure_bursts(conditions, guard + 800, 3);
    std::set<int> gains;
    for (const auto& one : fresh) gains.insert(static_cast<int>(std::lround(one.gain_db * 1000)));
    EXPECT_GT(gains.size(), 50U) << guard_s;
    for (const auto& one : same) {
      EXPECT_NEAR(one.gain_db, same[0].gain_db, 0.02) << guard_s;
      EXPECT_NEAR(one.phase_samples, same[0].phase_samples, 0.02) << guard_s;
    }
  }
}

TEST(LineVariation, AnotherSeedGivesOtherGains) {
  const auto one = measure_bursts(varying_line(), 800, 3);
  const auto other = measure_bursts(varying_line(), 800, 4);
  int alike = 0;
  for (std::size_t i = 0; i < one.size(); ++i) alike += std::abs(one[i].gain_db - other[i].gain_db) < 0.02 ? 1 : 0;
  EXPECT_LT(alike, 12);  // 60 pairs within 0.02 of ±0.5 dB: 2.4 expected, 12 or more has a probability below 1e-5
}

TEST(LineVariation, ChangesHappenInSilenceWithoutAClick) {
  auto conditions = varying_line();
  conditions.gain_ripple_db = 6;
  auto sent = bursts(1600);
  const auto heard = carry(conditions, sent);
  // Between the end of a burst's ringing and the start of the next only the idle code is heard.
  for (std::size_t i = 1; i < kBursts; ++i) {
    const std::size_t end = delay_in_samples(conditions) + i * (1600 + kBurst);
    for (std::size_t n = end + 30; n < end + 1600 - 30; ++n) ASSERT_EQ(heard[n], 0.0F) << "burst " << i;
  }
}

struct Clocks {
  double sender_ppm;
  double receiver_ppm;
};

class LineClocks : public ::testing::TestWithParam<Clocks> {};

TEST_P(LineClocks, ScaleFrequencyAndNumberOfSamplesByTheirDifference) {
  auto conditions = plain_line();
  conditions.delay_s = 0.25;
  conditions.sender_clock_ppm = GetParam().sender_ppm;
  conditions.receiver_clock_ppm = GetParam().receiver_ppm;
  const auto sent = test::sine(kToneHz, 0.5, 60).samples;
  const auto heard = carry(conditions, sent);
  const double ratio = (1 + GetParam().sender_ppm * 1e-6) / (1 + GetParam().receiver_ppm * 1e-6);
  EXPECT_NEAR(static_cast<double>(heard.size()), static_cast<double>(sent.size() - 25) / ratio + 2000, 1.0);

  // The phase against the expected frequency stays constant: 0.001 samples over 55 s are 0.002 ppm.
  const std::size_t second = 8000;
  const std::size_t later = 55 * second;
  const auto first = fit_tone(std::span(heard).subspan(second, second), kToneHz * ratio);
  const auto last = fit_tone(std::span(heard).subspan(second + later, second), kToneHz * ratio);
  const double turns = std::fmod(kToneHz * ratio / 8000 * static_cast<double>(later), 1.0);
  const double slip = std::remainder(last.phase - first.phase - 2 * std::numbers::pi * turns, 2 * std::numbers::pi);
  const double slip_samples = slip / (2 * std::numbers::pi * kToneHz / 8000);
  EXPECT_NEAR(slip_samples, 0, 0.005);
  EXPECT_GT(first.snr_db, 35);
}

INSTANTIATE_TEST_SUITE_P(Ppm, LineClocks,
                         ::testing::Values(Clocks{0, 0}, Clocks{100, 0}, Clocks{-100, 0}, Clocks{0, 100},
                                           Clocks{0, -100}, Clocks{100, -100}, Clocks{1000, -1000}, Clocks{37, 37}));

TEST(LineClocks, TimeOfArrivalIsTheDelayByBothClocks) {
  // A click at 30 s of the sender's time is heard at 30.25 s of the receiver's.
  auto conditions = plain_line();
  conditions.delay_s = 0.25;
  conditions.sender_clock_ppm = 100;
  conditions.receiver_clock_ppm = -100;
  std::vector<float> sent(40 * 8000, 0.0F);
  const auto click = static_cast<std::size_t>(30 * 8000 * (1 + 100e-6));
  sent[click] = 0.9F;
  const auto heard = carry(conditions, sent);
  const auto peak = std::max_element(heard.begin(), heard.end()) - heard.begin();
  EXPECT_NEAR(static_cast<double>(peak), 30 * 8000 * (1 - 100e-6) + 2000, 1.0);
}

// ITU-T O.41 Table 1: relative weight in dB by frequency.
double psophometric_weight_db(double frequency_hz) {
  static constexpr double kTable[][2] = {
      {0, -85},     {16.66, -85}, {50, -63},    {100, -41},   {200, -21},   {300, -10.6}, {400, -6.3},  {500, -3.6},
      {600, -2.0},  {700, -0.9},  {800, 0},     {900, 0.6},   {1000, 1.0},  {1200, 0},    {1400, -0.9}, {1600, -1.7},
      {1800, -2.4}, {2000, -3.0}, {2500, -4.2}, {3000, -5.6}, {3500, -8.5}, {4000, -15.0}};
  for (std::size_t i = 1; i < std::size(kTable); ++i) {
    const auto [low, low_db] = kTable[i - 1];
    const auto [high, high_db] = kTable[i];
    if (frequency_hz <= high) return low_db + (high_db - low_db) * (frequency_hz - low) / (high - low);
  }
  return -85;
}

// Psophometrically weighted level in dBov, from 80 bands of 50 Hz.
double psophometric_dbov(std::span<const float> samples) {
  constexpr std::size_t kLength = 160;
  double power = 0;
  std::size_t pieces = 0;
  for (std::size_t start = 0; start + kLength <= samples.size(); start += kLength, ++pieces) {
    for (std::size_t k = 1; k < kLength / 2; ++k) {
      std::complex<double> sum;
      const auto turn = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / kLength);
      std::complex<double> at = 1;
      for (std::size_t n = 0; n < kLength; ++n, at *= turn) sum += at * static_cast<double>(samples[start + n]);
      const double weight_db = psophometric_weight_db(static_cast<double>(k) * 8000 / kLength);
      power += 2 * std::norm(sum) / (kLength * kLength) * std::pow(10, weight_db / 10);
    }
  }
  return 10 * std::log10(power / static_cast<double>(pieces));
}

TEST(LineNoise, AnIdleLineHasItsNoiseOnAPsophometer) {
  for (const G711Law law : {G711Law::mu, G711Law::a}) {
    for (const double level_dbm0p : {-68.0, -45.0}) {
      LineConditions conditions;
      conditions.law = law;
      conditions.circuit_noise_dbm0p = level_dbm0p;
      const auto heard = carry(conditions, std::vector<float>(10 * 8000, 0.0F));
      const double zero_dbm0_dbov = law == G711Law::mu ? -6.18 : -6.15;
      EXPECT_NEAR(psophometric_dbov(heard) - zero_dbm0_dbov, level_dbm0p, 0.15);
    }
  }
}

TEST(LineNoise, IsGaussianAndHeardFromTheFirstSampleOn) {
  const auto heard = carry(LineConditions{}, std::vector<float>(100 * 8000, 0.0F));
  double second = 0;
  double third = 0;
  double fourth = 0;
  for (const float sample : heard) {
    const double x = sample;
    second += x * x;
    third += x * x * x;
    fourth += x * x * x * x;
  }
  const auto count = static_cast<double>(heard.size());
  second /= count;
  // Standard errors of 8e5 samples: sqrt(6/n) = 0.0027 and sqrt(24/n) = 0.0055; bounds at 5 of them.
  EXPECT_NEAR(third / count / std::pow(second, 1.5), 0, 0.014);
  EXPECT_NEAR(fourth / count / (second * second), 3, 0.028);
  EXPECT_EQ(std::count(heard.begin(), heard.begin() + 1000, 0.0F), 0);
}

TEST(LineNoise, CanBeSwitchedOff) {
  auto conditions = LineConditions{};
  conditions.circuit_noise_dbm0p = -HUGE_VAL;
  for (const float sample : carry(conditions, std::vector<float>(4000, 0.0F))) ASSERT_EQ(sample, 0.0F);
}

}  // namespace
}  // namespace vqas
