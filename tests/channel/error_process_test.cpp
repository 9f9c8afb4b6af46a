#include "vqas/channel/error_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "channel/binomial_bounds.h"
#include "channel/next_gap.h"

namespace vqas {
namespace {

constexpr std::uint64_t kNever = ErrorProcess::kNever;

using test::next_gap;

// Places of the errors among the first `bits` bits.
std::vector<std::uint64_t> places(ErrorProcess& errors, std::uint64_t bits) {
  std::vector<std::uint64_t> found;
  std::uint64_t at = 0;
  for (std::uint64_t gap = next_gap(errors); gap < bits - at; gap = next_gap(errors)) {
    found.push_back(at + gap);
    at += gap + 1;
  }
  return found;
}

TEST(ListedErrors, OccurAtTheListedPlaces) {
  const std::vector<std::uint64_t> list = {0, 1, 7, 64, 1000};
  ListedErrors once(list);
  EXPECT_EQ(places(once, 1'000'000), list);
  EXPECT_EQ(next_gap(once), kNever);
  ListedErrors none({});
  EXPECT_EQ(next_gap(none), kNever);
}

TEST(ListedErrors, StartAgainAfterThePeriod) {
  ListedErrors looped({2, 9}, 10);
  EXPECT_EQ(places(looped, 35), (std::vector<std::uint64_t>{2, 9, 12, 19, 22, 29, 32}));
  ListedErrors empty({}, 10);
  EXPECT_EQ(next_gap(empty), kNever);
}

TEST(ChoosePlaces, GivesExactlyAsManyDifferentPlaces) {
  for (const std::uint64_t errors : {0, 1, 500, 999, 1000}) {
    auto chosen = choose_places(errors, 1000, 3);
    EXPECT_EQ(chosen.size(), errors);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    EXPECT_EQ(std::unique(chosen.begin(), chosen.end()), chosen.end());
    EXPECT_TRUE(chosen.empty() || chosen.back() < 1000);
  }
}

TEST(ChoosePlaces, EveryPlaceIsAsLikelyAsAnother) {
  constexpr std::uint64_t kRounds = 50'000;
  std::array<std::uint64_t, 7> hits{};
  std::uint64_t first_and_last = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const auto chosen = choose_places(3, 7, seed);
    for (const std::uint64_t place : chosen) ++hits[place];
    first_and_last += chosen.front() == 0 && chosen.back() == 6 ? 1 : 0;
  }
  for (const std::uint64_t hit : hits) EXPECT_TRUE(test::is_binomial(hit, kRounds, 3.0 / 7));
  EXPECT_TRUE(test::is_binomial(first_and_last, kRounds, 3.0 / 7 * 2 / 6));
}

TEST(BothErrors, AddUpAndCancelWhereTheyCoincide) {
  BothErrors both(std::make_unique<ListedErrors>(std::vector<std::uint64_t>{1, 4, 5, 9, 20}),
                  std::make_unique<ListedErrors>(std::vector<std::uint64_t>{0, 4, 5, 10, 30, 31}));
  EXPECT_EQ(places(both, 1000), (std::vector<std::uint64_t>{0, 1, 9, 10, 20, 30, 31}));
  EXPECT_EQ(next_gap(both), kNever);
}

TEST(BothErrors, HaveTheRatioOfTwoLegs) {
  constexpr std::uint64_t kBits = 10'000'000;
  const double one = 1e-2;
  const double other = 0.1;
  BothErrors both(std::make_unique<RandomErrors>(one, 5, 0), std::make_unique<RandomErrors>(other, 5, 1));
  const auto found = places(both, kBits);
  EXPECT_TRUE(test::is_binomial(found.size(), kBits, one * (1 - other) + other * (1 - one)));
}

TEST(RandomErrors, HaveGeometricGaps) {
  RandomErrors errors(1e-3, 4, 2);
  GeometricGaps gaps(1e-3, Random(4, 2));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(next_gap(errors), gaps.next());
}

}  // namespace
}  // namespace vqas
