#pragma once

#include <cstddef>
#include <span>

namespace vqas {

/// Resolution of a score, MOS: every score is rounded to it.
inline constexpr double kScoreResolution = 1e-4;

/// Mean, deviation and a two-sided Student t interval of independent measurements.
struct Interval {
  std::size_t n = 0;
  double mean = 0;
  double standard_deviation = 0;  ///< n - 1 in the denominator; 0 when n < 2
  double half_width = 0;          ///< of the interval around the mean; infinite when n < 2
  double confidence = 0;          ///< 0..1, 0.99 for 99 %
  /// Factor by which a standard error from these scores must be widened because the measurements themselves decided
  /// their number (sampler.h); >= 1, and 1 for a sample of fixed size.
  double stopping_factor = 1;
};

/// t interval of `values` at `confidence`, which is above 0 and below 1. `resolution` is the step of the values: the
/// deviation used for the half-width is never below that of rounding, resolution/sqrt(12), so that equal values do not
/// give false certainty. Finite for two or more finite values. Re-entrant.
Interval t_interval(std::span<const double> values, double confidence, double resolution = kScoreResolution);

/// The deviation behind a half-width: that of the measurements, but never below that of rounding to `resolution`
/// (uniform within a step, resolution/sqrt(12)).
double effective_deviation(const Interval& interval, double resolution = kScoreResolution);

/// Quantile of Student's t distribution with `degrees` of freedom (Boost.Math). `probability` lies above 0 and below 1,
/// `degrees` above 0, infinity included; otherwise NaN. Re-entrant.
double t_quantile(double probability, double degrees);

/// The t quantile of a two-sided interval: t_quantile((1 + confidence) / 2, degrees).
double two_sided_t(double confidence, double degrees);

}  // namespace vqas
