#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "vqas/sampling/interval.h"

namespace vqas {

/// How a sample differs from independent normal scores, so that its t interval is too narrow.
struct SamplePattern {
  /// Scores that differ by no more than their resolution: a digital line, or one of two levels of which the other has
  /// not occurred yet.
  bool equal = false;
  /// Two clusters with almost nothing between them: most sentences undamaged, some hit by an error.
  bool two_levels = false;
  /// A score is closer to the previous one than to the others: the line changes slowly.
  bool autocorrelated = false;

  bool any() const { return equal || two_levels || autocorrelated; }
};

/// Tests `scores` in the order of measurement. Two levels: the least share of the sum of squares that stays within two
/// groups (2-means in one dimension, exact) lies below that of 1 % of normal samples of the same size, and never above
/// 0.2, which uniform scores do not reach. Autocorrelated: von Neumann's ratio (Annals of Mathematical Statistics 12,
/// 1941) lies below that of 5 % of independent normal samples, 1 % below ten scores. Power and false alarms:
/// libvqas/doc/record/sampling.md. Below five scores only `equal` is reported, which needs two. Re-entrant.
SamplePattern recognise(std::span<const double> scores, double resolution = kScoreResolution);

/// "scores on two levels; scores that depend on the previous one"; empty without a pattern.
std::string in_words(const SamplePattern& pattern);

}  // namespace vqas
