#include "channel/gap_table.h"

#include <gtest/gtest.h>

#include <bit>

namespace vqas {
namespace {

class GapTableAtRate : public ::testing::TestWithParam<double> {};

TEST_P(GapTableAtRate, GivesTheSameGapsAsTheLogarithm) {
  GeometricGaps expected(GetParam(), Random(11));
  GeometricGaps gaps = expected;
  const GapTable table(gaps);
  std::uint64_t different = 0;
  for (int i = 0; i < 1'000'000; ++i) different += table.next(gaps) != expected.next() ? 1 : 0;
  EXPECT_EQ(different, 0U);
}

// A generator of xoshiro256++ whose first output is `drawn`: 0 + rotl(state 0 + state 3, 23) + state 0.
Random drawing(std::uint64_t drawn) {
  return Random::from_state({0, 1, 1, std::rotr(drawn, 23)});
}

TEST_P(GapTableAtRate, IsRightOnBothSidesOfEachStepToAnotherGap) {
  const GeometricGaps gaps(GetParam(), Random(1));
  const GapTable table(gaps);
  std::uint64_t longer = 0;  // a draw with the gap `gap`; from there, by bisection, the first one with a shorter gap
  for (std::uint64_t gap = gaps.gap_of(0); gap > 0; gap = gaps.gap_of(longer)) {
    std::uint64_t shorter = ~std::uint64_t{0};
    while (shorter - longer > 1) {
      const std::uint64_t middle = longer + (shorter - longer) / 2;
      (gaps.gap_of(middle) >= gap ? longer : shorter) = middle;
    }
    for (const std::uint64_t drawn : {longer, shorter}) {
      GeometricGaps at_step(GetParam(), drawing(drawn));
      ASSERT_EQ(table.next(at_step), gaps.gap_of(drawn)) << drawn;
    }
    longer = shorter;
  }
}

INSTANTIATE_TEST_SUITE_P(Rates, GapTableAtRate, ::testing::Values(1e-3, GapTable::kLowestBer, 0.1, 0.3, 0.4999, 0.5));

}  // namespace
}  // namespace vqas
