#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "channel/binomial_bounds.h"
#include "support/random_errors.h"

namespace vqas {
namespace {

using Octets = std::vector<std::uint8_t>;

// The inverted bits of a stream: the output for zeros.
Octets error_mask(double ber, std::uint64_t seed, std::uint64_t stream, std::size_t octets) {
  Octets mask(octets);
  test::random_errors(ber, seed, stream).process(mask);
  return mask;
}

std::uint64_t ones(const Octets& octets) {
  std::uint64_t count = 0;
  for (const std::uint8_t octet : octets) count += static_cast<std::uint64_t>(std::popcount(octet));
  return count;
}

class RandomBitErrorsAtRate : public ::testing::TestWithParam<double> {};

TEST_P(RandomBitErrorsAtRate, InvertsAsManyBitsAsTheBinomialDistributionSays) {
  const double ber = GetParam();
  constexpr double kErrors = 100'000;
  Octets block(1 << 20);
  const double bits = std::max(kErrors / ber, 1.0);
  const auto blocks = static_cast<std::uint64_t>(std::ceil(bits / 8 / static_cast<double>(block.size())));
  BitErrorStream errors = test::random_errors(ber, 1995, 3);
  for (std::uint64_t i = 0; i < blocks; ++i) errors.process(block);
  EXPECT_EQ(errors.counters().bits(), blocks * block.size() * 8);
  EXPECT_TRUE(test::is_binomial(errors.counters().errors(), errors.counters().bits(), ber));
}

INSTANTIATE_TEST_SUITE_P(Rates, RandomBitErrorsAtRate,
                         ::testing::Values(1e-9, 1e-8, 1e-7, 3.6e-6, 1e-5, 1e-4, 2.5e-3, 1e-2, 0.1, 0.3, 0.5));

TEST(RandomBitErrors, CountsWhatItInverts) {
  for (const double ber : {1e-4, 1e-2, 0.5}) {
    Octets octets(100'000, 0xA5);
    BitErrorStream errors = test::random_errors(ber, 4);
    errors.process(octets);
    for (std::uint8_t& octet : octets) octet ^= 0xA5;
    EXPECT_EQ(ones(octets), errors.counters().errors()) << ber;
    EXPECT_GT(errors.counters().errors(), 0U);
  }
}

TEST(RandomBitErrors, ChangesNothingAtZero) {
  Octets octets(100'000, 0x3C);
  BitErrorStream errors = test::random_errors(0, 4);
  errors.process(octets);
  EXPECT_EQ(octets, Octets(100'000, 0x3C));
  EXPECT_EQ(errors.counters().bits(), 800'000U);
  EXPECT_EQ(errors.counters().errors(), 0U);
}

TEST(RandomBitErrors, DoesNotDependOnBlockSizes) {
  for (const double ber : {1e-4, 1e-2, 0.1, 0.5}) {
    const Octets expected = error_mask(ber, 17, 2, 64'000);
    for (const std::size_t block : {std::size_t{1}, std::size_t{3}, std::size_t{160}, std::size_t{4096}}) {
      Octets octets(expected.size());
      BitErrorStream errors = test::random_errors(ber, 17, 2);
      for (std::size_t start = 0; start < octets.size(); start += block) {
        errors.process(std::span(octets).subspan(start, std::min(block, octets.size() - start)));
        errors.process({});
      }
      EXPECT_EQ(octets, expected) << "ber " << ber << ", block " << block;
      EXPECT_EQ(errors.counters().errors(), ones(expected));
    }
  }
}

TEST(RandomBitErrors, HitsEveryBitOfAnOctetEquallyOften) {
  for (const double ber : {1e-2, 0.5}) {
    std::array<std::uint64_t, 8> hits{};
    const Octets mask = error_mask(ber, 23, 0, 1'000'000);
    for (const std::uint8_t octet : mask) {
      for (std::size_t bit = 0; bit < 8; ++bit) hits[bit] += (octet >> bit) & 1;
    }
    for (const std::uint64_t hit : hits) EXPECT_TRUE(test::is_binomial(hit, mask.size(), ber));
  }
}

TEST(RandomBitErrors, NeighbouringErrorsAreIndependent) {
  // Pairs of neighbouring bits without common bits, so that their count is binomial.
  for (const double ber : {1e-2, 0.5}) {
    const Octets mask = error_mask(ber, 31, 0, 1'000'000);
    std::uint64_t within = 0;
    std::uint64_t across = 0;
    for (std::size_t i = 0; i + 1 < mask.size(); i += 2) {
      within += (mask[i] & 0xC0) == 0xC0 ? 1 : 0;
      across += (mask[i] & 1) != 0 && (mask[i + 1] & 0x80) != 0 ? 1 : 0;
    }
    EXPECT_TRUE(test::is_binomial(within, mask.size() / 2, ber * ber));
    EXPECT_TRUE(test::is_binomial(across, mask.size() / 2, ber * ber));
  }
}

TEST(RandomBitErrors, StreamsAndSeedsAreIndependent) {
  constexpr std::size_t kOctets = 250'000;
  for (const double ber : {1e-2, 0.5}) {
    std::vector<Octets> masks;
    for (const std::uint64_t seed : {1, 2}) {
      for (const std::uint64_t stream : {0, 1, 2}) masks.push_back(error_mask(ber, seed, stream, kOctets));
    }
    for (std::size_t a = 0; a < masks.size(); ++a) {
      for (std::size_t b = a + 1; b < masks.size(); ++b) {
        Octets both(kOctets);
        for (std::size_t i = 0; i < kOctets; ++i) both[i] = masks[a][i] & masks[b][i];
        EXPECT_TRUE(test::is_binomial(ones(both), 8 * kOctets, ber * ber)) << a << " and " << b;
      }
    }
  }
}

TEST(RandomBitErrors, TheSameSeedInvertsTheSameBits) {
  EXPECT_EQ(error_mask(1e-3, 7, 1, 10'000), error_mask(1e-3, 7, 1, 10'000));
  EXPECT_NE(error_mask(1e-3, 7, 1, 10'000), error_mask(1e-3, 8, 1, 10'000));
}

}  // namespace
}  // namespace vqas
