#include "vqas/channel/varying_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "channel/binomial_bounds.h"
#include "channel/next_gap.h"

namespace vqas {
namespace {

constexpr std::uint64_t kNever = ErrorProcess::kNever;

using test::next_gap;

// Calls `each` with the place of every error among the first `bits` bits.
template <typename Each>
void walk(ErrorProcess& errors, std::uint64_t bits, Each&& each) {
  std::uint64_t at = 0;
  for (std::uint64_t gap = next_gap(errors); gap < bits - at; gap = next_gap(errors)) {
    each(at + gap);
    at += gap + 1;
  }
}

TEST(ProfileErrors, EachSegmentHasItsOwnRatio) {
  const std::vector<ErrorSegment> segments = {{1'000'000, 1e-2, 1e-2}, {2'000'000, 0, 0}, {500'000, 0.3, 0.3}};
  ProfileErrors errors(segments, false, 7);
  std::vector<std::uint64_t> counts(3);
  walk(errors, kNever - 1, [&](std::uint64_t place) {
    ASSERT_LT(place, 3'500'000U);
    ++counts[place < 1'000'000 ? 0 : place < 3'000'000 ? 1 : 2];
  });
  EXPECT_TRUE(test::is_binomial(counts[0], 1'000'000, 1e-2));
  EXPECT_EQ(counts[1], 0U);
  EXPECT_TRUE(test::is_binomial(counts[2], 500'000, 0.3));
}

TEST(ProfileErrors, APeriodicBurstIsALoopOfTwoSegments) {
  constexpr std::uint64_t kBurst = 1000;
  constexpr std::uint64_t kGap = 9000;
  constexpr std::uint64_t kPeriods = 2000;
  ProfileErrors errors({{kBurst, 0.1, 0.1}, {kGap, 1e-3, 1e-3}}, true, 9);
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;
  walk(errors, kPeriods * (kBurst + kGap),
       [&](std::uint64_t place) { ++(place % (kBurst + kGap) < kBurst ? inside : outside); });
  EXPECT_TRUE(test::is_binomial(inside, kPeriods * kBurst, 0.1));
  EXPECT_TRUE(test::is_binomial(outside, kPeriods * kGap, 1e-3));
}

TEST(ProfileErrors, ASegmentCutInPiecesHasTheSameDistribution) {
  // A gap that crosses a border is drawn again there; that must not favour either side.
  std::vector<ErrorSegment> pieces(1000, ErrorSegment{13, 0.05, 0.05});
  ProfileErrors errors(pieces, true, 3);
  std::uint64_t count = 0;
  std::uint64_t at_borders = 0;
  constexpr std::uint64_t kPieces = 200'000;
  walk(errors, 13 * kPieces, [&](std::uint64_t place) {
    ++count;
    at_borders += place % 13 == 0 ? 1 : 0;
  });
  EXPECT_TRUE(test::is_binomial(count, 13 * kPieces, 0.05));
  EXPECT_TRUE(test::is_binomial(at_borders, kPieces, 0.05));
}

TEST(ProfileErrors, ARampIsLinearInTheLogarithm) {
  constexpr std::uint64_t kBits = 20'000'000;
  constexpr std::uint64_t kParts = 10;
  for (const auto& [from, to] : {std::pair(1e-4, 1e-1), std::pair(1e-1, 1e-4)}) {
    ProfileErrors errors({{kBits, from, to}}, false, 5);
    std::vector<double> counts(kParts);
    walk(errors, kBits, [&](std::uint64_t place) { ++counts[place * kParts / kBits]; });
    for (std::uint64_t part = 0; part < kParts; ++part) {
      // The mean of from * (to / from)^x over x from part / kParts to (part + 1) / kParts.
      const double slope = std::log(to / from);
      const double a = static_cast<double>(part) / kParts;
      const double b = static_cast<double>(part + 1) / kParts;
      const double ratio = from * (std::exp(slope * b) - std::exp(slope * a)) / (slope * (b - a));
      const double expected = ratio * static_cast<double>(kBits) / kParts;
      EXPECT_NEAR(counts[part], expected, 5 * std::sqrt(expected)) << "from " << from << ", part " << part;
    }
  }
}

TEST(ProfileErrors, EndAfterTheLastSegmentAndAcceptEmptyLists) {
  ProfileErrors empty({}, true, 1);
  EXPECT_EQ(next_gap(empty), kNever);
  ProfileErrors clean({{100, 0, 0}, {0, 0.5, 0.5}}, true, 1);
  EXPECT_EQ(next_gap(clean), kNever);
  ProfileErrors endless({{100, 0, 0}, {kNever, 0.5, 0.5}}, false, 1);
  std::uint64_t count = 0;
  walk(endless, 100'100, [&](std::uint64_t place) {
    EXPECT_GE(place, 100U);
    ++count;
  });
  EXPECT_TRUE(test::is_binomial(count, 100'000, 0.5));
  ProfileErrors ended({{100, 0.5, 0.5}}, false, 1);
  walk(ended, kNever - 1, [](std::uint64_t place) { EXPECT_LT(place, 100U); });
  EXPECT_EQ(next_gap(ended), kNever);
}

TEST(GilbertElliottErrors, HaveTheMeanRatioAndTheBurstLengthOfTheModel) {
  const GilbertElliott model{.good_ber = 0, .bad_ber = 0.5, .mean_good_bits = 50'000, .mean_bad_bits = 500};
  GilbertElliottErrors errors(model, 17);
  constexpr std::uint64_t kBits = 1'000'000'000;
  std::uint64_t count = 0;
  std::uint64_t bursts = 0;
  std::uint64_t previous = 0;
  walk(errors, kBits, [&](std::uint64_t place) {
    // Inside a burst a gap of 64 bits has a probability of 2^-64; outside, a gap shorter than 64 has 0.0013.
    bursts += count == 0 || place - previous > 64 ? 1 : 0;
    previous = place;
    ++count;
  });
  // Cycles of good and bad: 1e9 / 50500 = 19802; their number has a relative deviation of about 1 / sqrt(19802) = 0.7
  // %.
  const double cycles = static_cast<double>(kBits) / (model.mean_good_bits + model.mean_bad_bits);
  EXPECT_NEAR(static_cast<double>(bursts), cycles, 5 * std::sqrt(cycles));
  // 250 errors per cycle, exponentially distributed: relative deviation of the total 1.4 / sqrt(cycles) = 1 %.
  EXPECT_NEAR(static_cast<double>(count), 250 * cycles, 5 * 1.42 * 250 * std::sqrt(cycles));
}

TEST(GilbertElliottErrors, WithEqualStatesAreRandomErrors) {
  const GilbertElliott model{.good_ber = 1e-2, .bad_ber = 1e-2, .mean_good_bits = 300, .mean_bad_bits = 20};
  GilbertElliottErrors errors(model, 4);
  constexpr std::uint64_t kBits = 20'000'000;
  std::uint64_t count = 0;
  walk(errors, kBits, [&](std::uint64_t) { ++count; });
  EXPECT_TRUE(test::is_binomial(count, kBits, 1e-2));
  GilbertElliottErrors clean(GilbertElliott{}, 1);
  EXPECT_EQ(next_gap(clean), kNever);
}

// Steps of a process until it has covered `bits` bits.
std::uint64_t steps_for(ErrorProcess& errors, std::uint64_t bits) {
  std::uint64_t steps = 0;
  for (std::uint64_t known = 0; known < bits; ++steps) {
    const ErrorStep step = errors.next_step();
    if (step.good >= bits) break;
    known += step.good + (step.is_error ? 1 : 0);
  }
  return steps;
}

TEST(VaryingErrors, TheWorkDependsOnTheBitsHoweverRareTheErrors) {
  constexpr std::uint64_t kBits = 64'000;
  const GilbertElliott model{.good_ber = 0, .bad_ber = 1e-12, .mean_good_bits = 2, .mean_bad_bits = 2};
  GilbertElliottErrors flickering(model, 1);
  EXPECT_LE(steps_for(flickering, kBits), kBits);
  ProfileErrors looped({{64, 1e-12, 1e-12}, {64, 0, 0}}, true, 1);
  EXPECT_LE(steps_for(looped, kBits), kBits / 64);
  BothErrors cancelling(std::make_unique<ListedErrors>(std::vector<std::uint64_t>{3}, 10),
                        std::make_unique<ListedErrors>(std::vector<std::uint64_t>{3}, 10));
  EXPECT_LE(steps_for(cancelling, kBits), kBits);
}

TEST(VaryingErrors, ALongRampCostsLittleWhereItIsLow) {
  constexpr std::uint64_t kDay = std::uint64_t{24} * 3600 * 64'000;
  ProfileErrors ramp({{kDay, 1e-12, 0.5}}, false, 1);
  EXPECT_LE(steps_for(ramp, 64'000'000), 10U);
}

}  // namespace
}  // namespace vqas
