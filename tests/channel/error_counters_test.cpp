#include "vqas/channel/error_counters.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <numeric>
#include <vector>

namespace vqas {
namespace {

// A second with this many errors, spread out. 1 or more of 1000 is severe, so shorter seconds are used only where
// severity does not matter.
constexpr std::uint64_t kSecond = 64000;
constexpr std::uint64_t kSevere = 64;

G821Seconds seconds_of(const std::vector<std::uint64_t>& errors_by_second) {
  ErrorCounters counters;
  std::uint64_t start = 0;
  for (const std::uint64_t errors : errors_by_second) {
    for (std::uint64_t i = 0; i < errors; ++i) counters.error_at(start + i * (kSecond / errors));
    start += kSecond;
    counters.advance_to(start);
  }
  return counters.seconds();
}

std::vector<std::uint64_t> row(std::size_t clean, std::size_t severe, std::size_t clean_after = 0) {
  std::vector<std::uint64_t> errors(clean, 0);
  errors.insert(errors.end(), severe, kSevere);
  errors.insert(errors.end(), clean_after, 0);
  return errors;
}

TEST(ErrorCounters, DistinguishErroredAndSeverelyErroredSeconds) {
  const auto seconds = seconds_of({0, 1, kSevere - 1, kSevere, 0, 3});
  EXPECT_EQ(seconds.total, 6U);
  EXPECT_EQ(seconds.error_free, 2U);
  EXPECT_EQ(seconds.errored, 4U);
  EXPECT_EQ(seconds.severely_errored, 1U);
  EXPECT_EQ(seconds.unavailable, 0U);
}

TEST(ErrorCounters, NineSevereSecondsLeaveTheConnectionAvailable) {
  const auto seconds = seconds_of(row(5, 9, 5));
  EXPECT_EQ(seconds.severely_errored, 9U);
  EXPECT_EQ(seconds.unavailable, 0U);
}

TEST(ErrorCounters, TenSevereSecondsAreUnavailableFromTheFirst) {
  auto seconds = seconds_of(row(5, 10));
  EXPECT_EQ(seconds.unavailable, 10U);
  EXPECT_EQ(seconds.errored, 0U);
  EXPECT_EQ(seconds.severely_errored, 0U);
  EXPECT_EQ(seconds.error_free, 5U);
  seconds = seconds_of(row(5, 10, 9));
  EXPECT_EQ(seconds.unavailable, 19U) << "nine good seconds do not make it available";
  seconds = seconds_of(row(5, 10, 10));
  EXPECT_EQ(seconds.unavailable, 10U) << "ten do, from the first of them";
  EXPECT_EQ(seconds.error_free, 15U);
}

TEST(ErrorCounters, SecondsThatEndUnavailableTimeKeepTheirErrors) {
  auto errors = row(0, 12);
  for (int i = 0; i < 10; ++i) errors.push_back(i < 4 ? 2 : 0);
  errors.push_back(kSevere);
  const auto seconds = seconds_of(errors);
  EXPECT_EQ(seconds.unavailable, 12U);
  EXPECT_EQ(seconds.errored, 5U);
  EXPECT_EQ(seconds.severely_errored, 1U);
  EXPECT_EQ(seconds.error_free, 6U);
}

TEST(ErrorCounters, EverySecondIsCountedOnce) {
  for (std::size_t severe = 0; severe < 25; ++severe) {
    const auto seconds = seconds_of(row(3, severe, 14));
    EXPECT_EQ(seconds.total, 17 + severe);
    EXPECT_EQ(seconds.error_free + seconds.errored + seconds.unavailable, seconds.total) << severe;
  }
}

TEST(ErrorCounters, LongErrorFreeTimeIsCountedInOneStep) {
  ErrorCounters counters;
  counters.error_at(5);
  counters.advance_to(kSecond * 1'000'000'000ULL);
  counters.error_at(kSecond * 1'000'000'000ULL);
  counters.advance_to(kSecond * 1'000'000'001ULL);
  EXPECT_EQ(counters.seconds().total, 1'000'000'001U);
  EXPECT_EQ(counters.seconds().errored, 2U);
  EXPECT_EQ(counters.seconds().error_free, 999'999'999U);
}

TEST(ErrorCounters, AHalfSecondIsNotASecond) {
  ErrorCounters counters;
  counters.error_at(1);
  counters.advance_to(kSecond / 2);
  EXPECT_EQ(counters.seconds().total, 0U);
  EXPECT_EQ(counters.bits(), kSecond / 2);
  EXPECT_EQ(counters.errors(), 1U);
}

TEST(ErrorCounters, ErrorsWithoutAGuardIntervalAreOneBurst) {
  ErrorCounters counters;
  for (std::uint64_t place = 0; place < 1000; place += 2) counters.error_at(place);
  EXPECT_EQ(counters.bursts()[9], 1U);
  const auto bursts = counters.bursts();
  EXPECT_EQ(std::accumulate(bursts.begin(), bursts.end(), 0U), 1U);
}

TEST(ErrorCounters, UnheardTimeIsNeverErrorFree) {
  ErrorCounters counters;
  counters.advance_to(kSecond);
  counters.pass_unheard_to(41 * kSecond);
  counters.advance_to(60 * kSecond);
  EXPECT_EQ(counters.bits(), 20 * kSecond);
  EXPECT_EQ(counters.seconds().total, 60U);
  EXPECT_EQ(counters.seconds().unavailable, 40U);
  EXPECT_EQ(counters.seconds().error_free, 20U);
}

TEST(ErrorCounters, UnheardSecondsCountAsSevereOnes) {
  ErrorCounters counters;
  std::uint64_t start = 0;
  for (int second = 0; second < 23; ++second, start += kSecond) {
    if (second >= 2 && second < 9) {
      counters.pass_unheard_to(start + kSecond);
      continue;
    }
    for (std::uint64_t i = 0; i < kSevere; ++i) counters.error_at(start + i);
    counters.advance_to(start + kSecond);
  }
  EXPECT_EQ(counters.seconds().unavailable, 23U);
}

TEST(ErrorCounters, TwoMillisecondsUnheardMakeASecondSevere) {
  for (const std::uint64_t octets : {1U, 15U, 16U}) {
    ErrorCounters whole;
    whole.advance_to(kSecond / 2);
    whole.pass_unheard_to(kSecond / 2 + 8 * octets);
    whole.advance_to(kSecond);
    EXPECT_EQ(whole.seconds().errored, 1U);
    EXPECT_EQ(whole.seconds().severely_errored, octets == 16 ? 1U : 0U) << octets;
    ErrorCounters parts;
    parts.leave_out(8 * octets);
    parts.advance_to(kSecond);
    EXPECT_EQ(parts.seconds().severely_errored, octets == 16 ? 1U : 0U) << octets;
    EXPECT_EQ(parts.bits(), kSecond - 8 * octets);
  }
}

TEST(ErrorCounters, SortBurstsByLength) {
  ErrorCounters counters;
  counters.error_at(10);                                                       // alone: class 0
  for (const std::uint64_t place : {100, 101}) counters.error_at(place);       // 2 bits: class 1
  for (const std::uint64_t place : {200, 232, 264}) counters.error_at(place);  // 65 bits: class 6
  counters.error_at(264 + 33);                                                 // 32 good bits between: a separate burst
  EXPECT_EQ(counters.bursts()[0], 2U) << "the last burst is unfinished and counts with its length so far";
  counters.advance_to(331);
  EXPECT_EQ(counters.bursts()[0], 2U);
  EXPECT_EQ(counters.bursts()[1], 1U);
  EXPECT_EQ(counters.bursts()[6], 1U);
  const auto bursts = counters.bursts();
  EXPECT_EQ(std::accumulate(bursts.begin(), bursts.end(), 0U), 4U);
}

TEST(ErrorCounters, TheIntervalOfTheRatioIsThatOfClopperAndPearson) {
  ErrorCounters counters;
  EXPECT_EQ(counters.ber_interval().low, 0);
  EXPECT_EQ(counters.ber_interval().high, 1);
  for (std::uint64_t i = 0; i < 20; ++i) counters.error_at(i * 40);
  counters.advance_to(10'000);
  const auto interval = counters.ber_interval(0.99);
  EXPECT_DOUBLE_EQ(interval.ratio, 2e-3);
  // By definition, 20 or more have a chance of 0.005 at the lower bound, 20 or fewer at the upper.
  using boost::math::binomial_distribution;
  EXPECT_NEAR(cdf(complement(binomial_distribution<>(10'000, interval.low), 19)), 0.005, 1e-6);
  EXPECT_NEAR(cdf(binomial_distribution<>(10'000, interval.high), 20), 0.005, 1e-6);
}

}  // namespace
}  // namespace vqas
