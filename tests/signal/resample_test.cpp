#include "vqas/signal/resample.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/signals.h"

namespace vqas {
namespace {

double worst_difference(const Signal& got, const Signal& wanted, std::size_t margin) {
  double worst = 0;
  for (std::size_t n = margin; n + margin < std::min(got.size(), wanted.size()); ++n) {
    worst = std::max(worst, static_cast<double>(std::abs(got.samples[n] - wanted.samples[n])));
  }
  return worst;
}

TEST(Resample, KeepsAToneInPlaceAtEveryRate) {
  const Signal wanted = test::sine(1020, 0.5, 1, 8000);
  for (const int rate : {11025, 16000, 44100, 48000}) {
    const auto got = resample(test::sine(1020, 0.5, 1, rate), 8000);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->rate_hz, 8000);
    EXPECT_NEAR(static_cast<double>(got->size()), 8000, 1);
    EXPECT_LT(worst_difference(*got, wanted, 400), 1e-4) << rate << " Hz";
  }
}

TEST(Resample, RemovesFrequenciesAboveTheLowerRatesBand) {
  const auto got = resample(test::sine(5000, 0.5, 1, 16000), 8000);
  ASSERT_TRUE(got);
  double worst = 0;
  for (std::size_t n = 400; n + 400 < got->size(); ++n) worst = std::max(worst, std::abs(double{got->samples[n]}));
  EXPECT_LT(worst, 1e-5);
}

TEST(Resample, SameRateGivesTheSameSamples) {
  const Signal in = test::noise(0.3, 0.5, 5);
  EXPECT_EQ(resample(in, in.rate_hz)->samples, in.samples);
}

TEST(Resample, RefusesRatesOutOfRange) {
  EXPECT_FALSE(resample(test::sine(100, 0.1, 0.1), 0));
  EXPECT_FALSE(resample(test::sine(100, 0.1, 0.1), 2000000));
}

TEST(CorrectClock, UndoesAKnownDrift) {
  constexpr double kDriftPpm = 300;
  const double fast_rate = 8000 * (1 + kDriftPpm * 1e-6);
  Signal recorded;
  for (int n = 0; n < static_cast<int>(6 * fast_rate); ++n) {
    recorded.samples.push_back(static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * 1020 * n / fast_rate)));
  }
  const auto corrected = correct_clock(recorded, kDriftPpm);
  ASSERT_TRUE(corrected);
  EXPECT_LT(worst_difference(*corrected, test::sine(1020, 0.5, 6), 400), 1e-4);
}

TEST(CorrectClock, RefusesADriftBeyondTheLimit) {
  EXPECT_FALSE(correct_clock(test::sine(100, 0.1, 0.1), 1e6));
  EXPECT_FALSE(correct_clock(test::sine(100, 0.1, 0.1), std::nan("")));
}

}  // namespace
}  // namespace vqas
