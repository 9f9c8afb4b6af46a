#include "vqas/sampling/stratified.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vqas {

StratifiedMean stratified_mean(std::span<const Interval> strata, double confidence, double resolution, double excess) {
  StratifiedMean result{.half_width = std::numeric_limits<double>::infinity(), .confidence = confidence};
  double sum = 0;
  double variance = 0;
  double variance_of_variance = 0;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -lowest;
  bool complete = true;
  for (const Interval& stratum : strata) {
    if (stratum.n == 0) continue;
    ++result.strata;
    sum += stratum.mean;
    lowest = std::min(lowest, stratum.mean);
    highest = std::max(highest, stratum.mean);
    if (stratum.n < 2) {
      complete = false;
      continue;
    }
    const auto count = static_cast<double>(stratum.n);
    const double error = stratum.stopping_factor * effective_deviation(stratum, resolution);
    const double part = error * error / count;
    variance += part;
    variance_of_variance += part * part / (count - 1);
  }
  if (result.strata == 0) return result;

  const auto count = static_cast<double>(result.strata);
  result.mean = sum / count;
  result.range = highest - lowest;
  // With a resolution of 0 and equal measurements the variance is zero and cannot be estimated.
  if (!complete || variance_of_variance <= 0) return result;
  result.degrees = variance * variance / variance_of_variance / (1 + excess / 2);
  result.half_width = two_sided_t(confidence, result.degrees) * std::sqrt(variance) / count;
  return result;
}

double excess_kurtosis(std::span<const std::vector<double>> strata) {
  double fourth = 0, squared = 0, count = 0;
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
    count += n;
    fourth += k4 * (n - 1);
    // The square of a variance is too large by 2/(n - 1) of itself.
    squared += variance * variance * (n - 1) * (n - 1) / (n + 1);
  }
  constexpr double kOfChance = 24;
  return squared > 0 ? std::max(0.0, fourth / squared) * count / (count + kOfChance) : 0;
}

}  // namespace vqas
