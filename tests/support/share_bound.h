#pragma once

#include <boost/math/distributions/binomial.hpp>

namespace vqas::test {

/// Lower bound of the share of successes with 95 % confidence, after `successes` of `trials`: the exact bound of
/// Clopper and Pearson (1934).
inline double share_at_least(int successes, int trials) {
  return boost::math::binomial_distribution<>::find_lower_bound_on_p(trials, successes, 0.05);
}

}  // namespace vqas::test
