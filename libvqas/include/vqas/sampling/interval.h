#pragma once

#include <cstddef>
#include <span>

namespace vqas {

/// The step in which a score is known, MOS: every score is rounded to it.
inline constexpr double kScoreResolution = 1e-4;

/// Mean, deviation and a two-sided Student t interval of independent measurements.
struct Interval {
  std::size_t n = 0;
  double mean = 0;
  double standard_deviation = 0;  ///< n - 1 in the denominator; 0 when n < 2
  double half_width = 0;          ///< of the interval around the mean; infinite when n < 2
  double confidence = 0;          ///< 0..1, 0.99 for 99 %
  /// By how much a standard error made of these scores is to be widened because the measurements themselves decided how
  /// many there are (sampler.h); >= 1, and 1 for a sample whose size was fixed beforehand.
  double stopping_factor = 1;
};

/// t interval of `values` at `confidence`, which is above 0 and below 1. `resolution` is the step in which the values
/// are given: the deviation used for the half-width is never below that of rounding, resolution/sqrt(12), so that equal
/// values do not give false certainty. Finite for two or more finite values. Re-entrant.
Interval t_interval(std::span<const double> values, double confidence, double resolution = kScoreResolution);

/// Deviation that a half-width is made of: that of the measurements, but never below that of rounding to `resolution`
/// (uniform within a step, resolution/sqrt(12)).
double effective_deviation(const Interval& interval, double resolution = kScoreResolution);

/// Quantile of Student's t distribution with `degrees` of freedom (Boost.Math). `probability` lies above 0 and below 1,
/// `degrees` above 0, infinity included; NaN when they do not. Re-entrant.
double t_quantile(double probability, double degrees);

/// The t quantile of a two-sided interval: t_quantile((1 + confidence) / 2, degrees).
double two_sided_t(double confidence, double degrees);

}  // namespace vqas
