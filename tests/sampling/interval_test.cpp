#include "vqas/sampling/interval.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <vector>

#include "sampling/simulation.h"

namespace vqas {
namespace {

// Table of Student's t in any textbook, for example NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
TEST(TQuantile, AgreesWithThePrintedTable) {
  EXPECT_NEAR(t_quantile(0.95, 1), 6.314, 5e-4);
  EXPECT_NEAR(t_quantile(0.975, 4), 2.776, 5e-4);
  EXPECT_NEAR(t_quantile(0.995, 4), 4.604, 5e-4);
  EXPECT_NEAR(t_quantile(0.995, 29), 2.756, 5e-4);
  EXPECT_NEAR(two_sided_t(0.90, 9), 1.833, 5e-4);
  EXPECT_NEAR(two_sided_t(0.99, INFINITY), 2.576, 5e-4);
}

TEST(TQuantile, IsNotANumberOutsideItsDomain) {
  EXPECT_TRUE(std::isnan(t_quantile(0, 4)));
  EXPECT_TRUE(std::isnan(t_quantile(1, 4)));
  EXPECT_TRUE(std::isnan(t_quantile(NAN, 4)));
  EXPECT_TRUE(std::isnan(t_quantile(0.9, 0)));
}

TEST(TInterval, OfAWorkedExample) {
  // Mean 3, squares of differences 0.1, deviation sqrt(0.1/4), t(4, 0.975) = 2.7764.
  const std::array values{2.8, 2.9, 3.0, 3.1, 3.2};
  const Interval interval = t_interval(values, 0.95);
  EXPECT_EQ(interval.n, 5U);
  EXPECT_NEAR(interval.mean, 3.0, 1e-12);
  EXPECT_NEAR(interval.standard_deviation, 0.158113883, 1e-9);
  EXPECT_NEAR(interval.half_width, 2.776445105 * 0.158113883 / std::sqrt(5.0), 1e-8);
  EXPECT_EQ(interval.confidence, 0.95);
  EXPECT_EQ(interval.stopping_factor, 1);
}

TEST(TInterval, ShiftsWithTheValuesAndGrowsWithTheirScale) {
  const std::vector<double> values{1.1, 1.9, 1.4, 2.2, 1.6, 1.3};
  std::vector<double> moved;
  for (const double value : values) moved.push_back(2 * value + 1e6);
  const Interval a = t_interval(values, 0.99);
  const Interval b = t_interval(moved, 0.99);
  EXPECT_NEAR(b.mean, 2 * a.mean + 1e6, 1e-6);
  EXPECT_NEAR(b.half_width, 2 * a.half_width, 1e-7);
}

TEST(TInterval, OfFewerThanTwoValuesIsInfinitelyWide) {
  EXPECT_EQ(t_interval({}, 0.99).n, 0U);
  EXPECT_EQ(t_interval({}, 0.99).half_width, INFINITY);
  const std::array one{4.2};
  EXPECT_EQ(t_interval(one, 0.99).mean, 4.2);
  EXPECT_EQ(t_interval(one, 0.99).half_width, INFINITY);
}

TEST(TInterval, OfEqualValuesIsAsWideAsTheirRounding) {
  const std::array values{4.5, 4.5, 4.5, 4.5, 4.5};
  const Interval interval = t_interval(values, 0.99, 1e-4);
  EXPECT_EQ(interval.standard_deviation, 0);
  EXPECT_NEAR(interval.half_width, 4.604094871 * 1e-4 / std::sqrt(12.0) / std::sqrt(5.0), 1e-9);
  EXPECT_GT(t_interval(values, 0.99, 0.1).half_width, 0.05);
}

TEST(TInterval, CoversTheMeanOfNormalSamplesAsOftenAsStated) {
  constexpr int kRuns = 20'000;
  for (const double confidence : {0.90, 0.95, 0.99}) {
    test::Normal normal(11);
    int covered = 0;
    for (int run = 0; run < kRuns; ++run) {
      std::array<double, 5> values{};
      for (double& value : values) value = 3 + 0.2 * normal();
      const Interval interval = t_interval(values, confidence);
      covered += std::abs(interval.mean - 3) <= interval.half_width ? 1 : 0;
    }
    using Binomial = boost::math::binomial_distribution<>;
    EXPECT_LE(Binomial::find_lower_bound_on_p(kRuns, covered, 0.001), confidence);
    EXPECT_GE(Binomial::find_upper_bound_on_p(kRuns, covered, 0.001), confidence);
  }
}

}  // namespace
}  // namespace vqas
