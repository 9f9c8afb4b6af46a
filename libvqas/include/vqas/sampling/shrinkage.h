#pragma once

#include <span>
#include <vector>

#include "vqas/sampling/interval.h"

namespace vqas {

/// Deviation of one of several strata (stimuli), drawn towards that of all of them.
struct ShrunkenDeviation {
  double deviation = 0;  ///< MOS; 0 only when no stratum has two measurements
  double own_share = 0;  ///< 0..1: weight of the stratum's own deviation, the rest is that of all strata
};

/// Linear credibility of the strata's standard deviations (Bühlmann and Straub, ASTIN Bulletin 5, 1970): what they
/// differ by beyond what chance makes of so few measurements decides how much each is believed. Deviations that differ
/// no more than chance would have it are taken as one. `excess` (>= 0) is the scores' excess kurtosis, 0 for normal
/// ones: heavier tails make deviations differ more by chance. A stratum with fewer than two measurements gets that of
/// all. Deviations below that of rounding count as that (effective_deviation()). As many as `strata`. Re-entrant.
std::vector<ShrunkenDeviation> shrunken_deviations(std::span<const Interval> strata, double excess = 0);

/// Excess kurtosis of the strata's scores about their own means, one for all: Fisher's fourth k-statistics against the
/// squared variances, both weighed by degrees of freedom. Of those with four scores and more; 0 where that is none or
/// the tails come out lighter than normal ones. Re-entrant.
double excess_kurtosis(std::span<const std::vector<double>> strata);

}  // namespace vqas
