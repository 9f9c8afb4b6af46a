#pragma once

#include <cstddef>
#include <span>

#include "vqas/sampling/interval.h"

namespace vqas {

/// Mean of several strata (stimuli), each with the same weight however often it was measured.
struct StratifiedMean {
  std::size_t strata = 0;  ///< strata with at least one measurement, which the mean covers
  double mean = 0;         ///< mean of the strata's means; 0 without strata
  double half_width = 0;   ///< infinite when a stratum has fewer than two measurements, or without strata
  double degrees = 0;      ///< of freedom, by Satterthwaite; 0 when the half-width is infinite
  double confidence = 0;   ///< 0..1
  double range = 0;        ///< largest minus smallest mean of a stratum
};

/// Equal-weight mean of the means of `strata`, without those with n = 0, and its two-sided t interval at `confidence`
/// (above 0, below 1). Variances are added (stratified sampling, Cochran, "Sampling Techniques", 3rd ed., 5.4), degrees
/// of freedom are Satterthwaite's (Biometrics Bulletin 2, 1946). Each stratum's standard error is widened by its
/// stopping factor, because a sample that stops when its deviation looks small underestimates the deviation.
/// `resolution` as in t_interval(). Re-entrant.
StratifiedMean stratified_mean(std::span<const Interval> strata, double confidence,
                               double resolution = kScoreResolution);

}  // namespace vqas
