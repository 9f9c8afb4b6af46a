#include "vqas/channel/random.h"

#include <gtest/gtest.h>

#include <set>

namespace vqas {
namespace {

// The first outputs of the authors' reference code for the state 1, 2, 3, 4.
TEST(Random, IsXoshiro256PlusPlus) {
  Random random = Random::from_state({1, 2, 3, 4});
  for (const std::uint64_t expected : {41943041ULL, 58720359ULL, 3588806011781223ULL, 3591011842654386ULL,
                                       9228616714210784205ULL, 9973669472204895162ULL}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(Random, SeedStreamAndSubstreamEachChangeEverything) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t stream = 0; stream < 10; ++stream) {
      for (std::uint64_t substream = 0; substream < 10; ++substream) {
        Random random(seed, stream, substream);
        for (int i = 0; i < 4; ++i) seen.insert(random.next());
      }
    }
  }
  EXPECT_EQ(seen.size(), 4000U);
}

TEST(Random, SameNumbersGiveTheSameSequence) {
  Random one(1, 2, 3);
  Random other(1, 2, 3);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(one.next(), other.next());
}

TEST(Random, UnitsStayWithinTheirBounds) {
  Random random(9);
  double sum = 0;
  constexpr int kCount = 1'000'000;
  for (int i = 0; i < kCount; ++i) {
    const double open = random.next_open_unit();
    ASSERT_GT(open, 0);
    ASSERT_LE(open, 1);
    const double unit = random.next_unit();
    ASSERT_GE(unit, 0);
    ASSERT_LT(unit, 1);
    sum += open + unit;
  }
  EXPECT_NEAR(sum / (2 * kCount), 0.5, 5 * 0.2887 / 1414.2);  // five standard errors
}

}  // namespace
}  // namespace vqas
