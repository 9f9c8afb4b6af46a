#include "vqas/channel/geometric_gaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "channel/binomial_bounds.h"

namespace vqas {
namespace {

constexpr std::uint64_t kGaps = 100'000;

std::vector<std::uint64_t> draw(double ber, std::uint64_t seed) {
  GeometricGaps gaps(ber, Random(seed));
  std::vector<std::uint64_t> drawn(kGaps);
  for (auto& gap : drawn) gap = gaps.next();
  return drawn;
}

class GapsAtRate : public ::testing::TestWithParam<double> {};

TEST_P(GapsAtRate, HaveTheQuantilesOfTheGeometricDistribution) {
  const double ber = GetParam();
  const auto drawn = draw(ber, 2026);
  for (const double tail : {0.999, 0.9, 0.7, 0.5, 0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    const auto bound = static_cast<std::uint64_t>(std::log(tail) / std::log1p(-ber));
    const double probability = std::exp(static_cast<double>(bound) * std::log1p(-ber));  // of at least this gap
    const auto longer = std::count_if(drawn.begin(), drawn.end(), [&](std::uint64_t gap) { return gap >= bound; });
    if (bound > 0) {
      EXPECT_TRUE(test::is_binomial(static_cast<std::uint64_t>(longer), kGaps, probability)) << "gaps >= " << bound;
    }
  }
}

TEST_P(GapsAtRate, HaveTheMeanOfTheGeometricDistribution) {
  const double ber = GetParam();
  double sum = 0;
  for (const std::uint64_t gap : draw(ber, 7)) sum += static_cast<double>(gap);
  const double mean = (1 - ber) / ber;
  const double standard_error = std::sqrt((1 - ber) / kGaps) / ber;
  EXPECT_NEAR(sum / kGaps, mean, 4.9 * standard_error);
}

TEST_P(GapsAtRate, AreIndependentOfThePreviousGap) {
  const double ber = GetParam();
  const auto drawn = draw(ber, 99);
  const auto middle = static_cast<std::uint64_t>(std::max(1.0, std::round(std::log(0.5) / std::log1p(-ber))));
  const double longer = std::exp(static_cast<double>(middle) * std::log1p(-ber));
  for (const std::size_t lag : {1U, 2U, 3U}) {
    std::uint64_t both = 0;
    std::uint64_t pairs = 0;
    for (std::size_t i = 0; i + lag < kGaps; i += 2 * lag) {  // pairs without common gaps
      ++pairs;
      both += drawn[i] >= middle && drawn[i + lag] >= middle ? 1 : 0;
    }
    EXPECT_TRUE(test::is_binomial(both, pairs, longer * longer)) << "lag " << lag;
  }
}

INSTANTIATE_TEST_SUITE_P(Rates, GapsAtRate, ::testing::Values(1e-12, 1e-9, 3.6e-6, 1e-3, 0.1, 0.5));

TEST(GeometricGaps, AreNotCutOffAtTwoToThe32) {
  constexpr double kBound = 0x1p32;
  for (const double ber : {1e-9, 1e-12}) {
    const auto drawn = draw(ber, 5);
    const auto longer =
        std::count_if(drawn.begin(), drawn.end(), [](std::uint64_t gap) { return static_cast<double>(gap) >= kBound; });
    EXPECT_TRUE(test::is_binomial(static_cast<std::uint64_t>(longer), kGaps, std::exp(kBound * std::log1p(-ber))));
  }
}

TEST(GeometricGaps, AtLowRatesAreAllDifferent) {
  // Two geometric variates are equal with a probability of ber / 2: 0.25 of 5e11 pairs. A 32-bit generator would give
  // 116 equal pairs.
  GeometricGaps gaps(1e-12, Random(8));
  std::vector<std::uint64_t> drawn(1'000'000);
  for (auto& gap : drawn) gap = gaps.next();
  std::sort(drawn.begin(), drawn.end());
  std::ptrdiff_t equal = 0;
  for (std::size_t i = 1; i < drawn.size(); ++i) equal += drawn[i] == drawn[i - 1] ? 1 : 0;
  EXPECT_LE(equal, 6);
}

TEST(GeometricGaps, ReachFortyFourTimesTheirMean) {
  GeometricGaps gaps(1e-12, Random::from_state({0, 1, 1, 0}));  // whose first output is 0
  EXPECT_NEAR(static_cast<double>(gaps.next()), 64 * std::log(2.0) / -std::log1p(-1e-12), 2);
}

TEST(GeometricGaps, AChangedRateAppliesFromThenOn) {
  GeometricGaps gaps(1e-3, Random(1));
  gaps.next();
  gaps.set_ber(0);
  EXPECT_EQ(gaps.next(), GeometricGaps::kNever);
  gaps.set_ber(0.25);
  std::uint64_t none = 0;
  for (std::uint64_t i = 0; i < kGaps; ++i) none += gaps.next() == 0 ? 1 : 0;
  EXPECT_TRUE(test::is_binomial(none, kGaps, 0.25));
}

TEST(GeometricGaps, AreInfiniteAtZero) {
  for (const double none : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    GeometricGaps gaps(none, Random(1));
    EXPECT_EQ(gaps.ber(), 0);
    EXPECT_EQ(gaps.next(), GeometricGaps::kNever);
  }
  EXPECT_EQ(GeometricGaps(0.9, Random(1)).ber(), 0.5);
}

TEST(GeometricGaps, OnlyZeroAndRatesInRangeAreValid) {
  for (const double ber : {0.0, 1e-12, 3.7e-7, 0.5}) EXPECT_TRUE(is_valid_ber(ber)) << ber;
  for (const double ber : {-1e-3, 9e-13, 0.500001, HUGE_VAL, std::nan("")}) EXPECT_FALSE(is_valid_ber(ber)) << ber;
}

}  // namespace
}  // namespace vqas
