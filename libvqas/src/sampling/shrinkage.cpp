#include "vqas/sampling/shrinkage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vqas {
namespace {

double degrees_of(const Interval& stratum) {
  return static_cast<double>(stratum.n) - 1;
}

/// Without the bias that the root of a variance has: 1/c4 of normal scores, within 0.3 % from three scores on.
double unbiased_deviation(const Interval& stratum) {
  return effective_deviation(stratum) * (1 + 1 / (4 * degrees_of(stratum)));
}

}  // namespace

std::vector<ShrunkenDeviation> shrunken_deviations(std::span<const Interval> strata, double excess) {
  // A deviation with d degrees of freedom has a variance of σ²/(2d) times this; what exceeds that is the strata's own.
  const double tails = 1 + excess / 2;
  double known = 0, mean = 0, variance = 0, by_chance = 0;
  for (const Interval& stratum : strata) {
    if (stratum.n < 2) continue;
    const double square = std::pow(effective_deviation(stratum), 2);
    ++known;
    mean += unbiased_deviation(stratum);
    variance += tails * square;
    by_chance += tails * square / (2 * degrees_of(stratum));
  }
  std::vector<ShrunkenDeviation> shrunken(strata.size());
  if (known == 0) return shrunken;
  mean /= known;

  double squares = 0;
  for (const Interval& stratum : strata) {
    if (stratum.n >= 2) squares += std::pow(unbiased_deviation(stratum) - mean, 2);
  }
  const double between = known < 2 ? 0 : std::max(0.0, squares / (known - 1) - by_chance / known);
  const double others = between > 0 ? variance / (2 * known * between) : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < strata.size(); ++i) {
    shrunken[i].deviation = mean;
    if (strata[i].n < 2) continue;
    const double share = degrees_of(strata[i]) / (degrees_of(strata[i]) + others);
    shrunken[i] = {std::lerp(mean, unbiased_deviation(strata[i]), share), share};
  }
  return shrunken;
}

double excess_kurtosis(std::span<const std::vector<double>> strata) {
  double fourth = 0, squared = 0;
  for (const std::vector<double>& scores : strata) {
    if (scores.size() < 4) continue;
    const auto n = static_cast<double>(scores.size());
    const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / n;
    double m2 = 0, m4 = 0;
    for (const double score : scores) {
      const double square = (score - mean) * (score - mean);
      m2 += square / n;
      m4 += square * square / n;
    }
    const double k4 = n * n * ((n + 1) * m4 - 3 * (n - 1) * m2 * m2) / ((n - 1) * (n - 2) * (n - 3));
    const double variance = m2 * n / (n - 1);
    fourth += k4 * (n - 1);
    // The square of a variance is too large by 2/(n - 1) of itself.
    squared += variance * variance * (n - 1) * (n - 1) / (n + 1);
  }
  return squared > 0 ? std::max(0.0, fourth / squared) : 0;
}

}  // namespace vqas
