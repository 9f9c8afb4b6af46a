#pragma once

#include <cstddef>
#include <span>
#include <vector>

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
/// `resolution` as in t_interval(). `excess` (>= 0) is the scores' excess kurtosis: the variance of a variance grows by
/// 1 + excess/2, so the degrees of freedom are divided by it (Box, Biometrika 40, 1953). Re-entrant.
StratifiedMean stratified_mean(std::span<const Interval> strata, double confidence,
                               double resolution = kScoreResolution, double excess = 0);

/// Excess kurtosis of the strata's scores about their own means, one value for all: Fisher's fourth k-statistics
/// divided by the squared variances, both weighted by degrees of freedom, and drawn towards that of normal scores, 0,
/// as so few scores are believed: chance gives N normal scores one with a variance of 24/N, against 1 between lines.
/// Strata with fewer than four scores are left out. Never below 0. Re-entrant.
double excess_kurtosis(std::span<const std::vector<double>> strata);

}  // namespace vqas
