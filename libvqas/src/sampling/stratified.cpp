#include "vqas/sampling/stratified.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqas {

StratifiedMean stratified_mean(std::span<const Interval> strata, double confidence, double resolution) {
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
  result.degrees = variance * variance / variance_of_variance;
  result.half_width = two_sided_t(confidence, result.degrees) * std::sqrt(variance) / count;
  return result;
}

}  // namespace vqas
