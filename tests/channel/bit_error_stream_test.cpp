#include "vqas/channel/bit_error_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "channel/binomial_bounds.h"
#include "vqas/channel/varying_errors.h"

namespace vqas {
namespace {

using Octets = std::vector<std::uint8_t>;

std::uint64_t ones(const Octets& octets) {
  std::uint64_t count = 0;
  for (const std::uint8_t octet : octets) count += static_cast<std::uint64_t>(std::popcount(octet));
  return count;
}

Octets listed(std::vector<std::uint64_t> places, std::size_t octets, BitMask mask = kAllBits) {
  Octets stream(octets);
  BitErrorStream(std::make_unique<ListedErrors>(std::move(places)), mask).process(stream);
  return stream;
}

TEST(BitErrorStream, InvertsTheBitsOfTheProcessInLineOrder) {
  EXPECT_EQ(listed({0, 7, 9, 23}, 4), (Octets{0x81, 0x40, 0x01, 0x00}));
}

TEST(BitErrorStream, TheMaskDecidesWhichBitsTheProcessSees) {
  EXPECT_EQ(listed({0, 2}, 4, kSignBit), (Octets{0x80, 0, 0x80, 0}));
  EXPECT_EQ(listed({0, 3, 5}, 2, kSegmentBits), (Octets{0x40, 0x40 | 0x10}));
  EXPECT_EQ(listed({1, 6}, 2, kStepBits), (Octets{0x04, 0x02}));
}

TEST(BitErrorStream, AMaskKeepsItsRatioAmongTheBitsItShows) {
  Octets stream(1'000'000);
  BitErrorStream errors(std::make_unique<RandomErrors>(1e-2, 6), kStepBits);
  errors.process(stream);
  for (const std::uint8_t octet : stream) ASSERT_EQ(octet & 0xF0, 0);
  EXPECT_TRUE(test::is_binomial(ones(stream), 4'000'000, 1e-2));
  EXPECT_EQ(errors.counters().errors(), ones(stream));
}

TEST(BitErrorStream, DoesNotDependOnBlockSizes) {
  const auto run = [](std::size_t block) {
    const GilbertElliott model{.good_ber = 1e-4, .bad_ber = 0.2, .mean_good_bits = 3000, .mean_bad_bits = 100};
    Octets stream(40'000);
    BitErrorStream errors(std::make_unique<GilbertElliottErrors>(model, 3), 0xA7);
    for (std::size_t start = 0; start < stream.size(); start += block) {
      errors.process(std::span(stream).subspan(start, std::min(block, stream.size() - start)));
    }
    EXPECT_EQ(errors.counters().errors(), ones(stream));
    EXPECT_EQ(errors.counters().seconds().total, 5U);
    return std::pair(stream, errors.counters().bursts());
  };
  const auto expected = run(40'000);
  EXPECT_EQ(run(1), expected);
  EXPECT_EQ(run(160), expected);
  EXPECT_EQ(run(7777), expected);
}

TEST(BitErrorStream, ErrorsOnDemandHitTheVeryNextBits) {
  Octets stream(3);
  BitErrorStream errors(std::make_unique<RandomErrors>(0, 1));
  errors.process(std::span(stream).first(1));
  errors.inject(2);
  errors.process(std::span(stream).subspan(1));
  EXPECT_EQ(stream, (Octets{0, 0xC0, 0}));
  EXPECT_EQ(errors.counters().errors(), 2U);
  Octets more(1);
  errors.inject(11);  // more than the block holds: the rest is pending
  errors.process(more);
  EXPECT_EQ(more[0], 0xFF);
  more = {0, 0};
  errors.process(more);
  EXPECT_EQ(more, (Octets{0xE0, 0}));
}

TEST(BitErrorStream, AnErrorOnDemandCorrectsABadBit) {
  Octets stream(2);
  BitErrorStream errors(std::make_unique<ListedErrors>(std::vector<std::uint64_t>{1, 5}));
  errors.inject(3);
  errors.process(stream);
  EXPECT_EQ(stream, (Octets{0x80 | 0x20 | 0x04, 0}));
  EXPECT_EQ(errors.counters().errors(), 3U);
}

TEST(BitErrorStream, ChosenPlacesGiveExactlyThatManyErrors) {
  Octets stream(100'000);
  BitErrorStream errors(std::make_unique<ListedErrors>(choose_places(1234, 800'000, 5)));
  for (std::size_t start = 0; start < stream.size(); start += 160)
    errors.process(std::span(stream).subspan(start, 160));
  EXPECT_EQ(ones(stream), 1234U);
}

}  // namespace
}  // namespace vqas
