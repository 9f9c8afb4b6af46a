#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "vqas/sampling/interval.h"

namespace vqas {

/// What makes a sample unlike independent normal scores, so that its t interval promises too much.
struct SamplePattern {
  /// Scores that differ by no more than their own resolution: a digital line, or one of two levels of which the other
  /// was not met yet.
  bool equal = false;
  /// Two heaps with next to nothing between them: most sentences unharmed, some struck by an error.
  bool two_levels = false;
  /// A score is more like the one before it than like the others: the line changes slowly.
  bool autocorrelated = false;

  bool any() const { return equal || two_levels || autocorrelated; }
};

/// Looks at `scores` in the order in which they were measured. Two levels: the least share of the sum of squares that
/// stays within two groups (2-means on a line, exact) lies below what 1 % of normal samples of that size show, and
/// never above 0.2, which uniform scores do not reach. Autocorrelated: von Neumann's ratio (Annals of Mathematical
/// Statistics 12, 1941) lies below what 5 % of independent normal samples show, 1 % below ten scores. Power and false
/// alarms: libvqas/doc/record/sampling.md. Nothing is told below five scores but `equal`, which needs two. Re-entrant.
SamplePattern recognise(std::span<const double> scores, double resolution = kScoreResolution);

/// "scores on two levels, depending on each other"; empty when there is nothing to say.
std::string in_words(const SamplePattern& pattern);

}  // namespace vqas
