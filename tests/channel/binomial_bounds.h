#pragma once

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cstdint>

namespace vqas::test {

/// Passes unless the number of events of this probability lies in one of the two tails of 1e-6 of its exact
/// distribution.
inline ::testing::AssertionResult is_binomial(std::uint64_t count, std::uint64_t trials, double probability) {
  const boost::math::binomial_distribution<> distribution(static_cast<double>(trials), probability);
  constexpr double kTail = 1e-6;
  const auto events = static_cast<double>(count);
  const double at_most = cdf(distribution, events);
  const double at_least = count == 0 ? 1 : cdf(complement(distribution, events - 1));
  if (at_most >= kTail && at_least >= kTail) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << count << " of " << trials << " events of probability " << probability
                                       << ", expected " << mean(distribution) << "; this few has probability "
                                       << at_most << ", this many " << at_least;
}

}  // namespace vqas::test
