#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vqas {

/// The mean score of a run, one of a series in the order of time.
struct RunLevel {
  double mos = 0;
  double standard_error = 0;  ///< of this run alone (its repeatability), MOS, >= 0; 0 where it is not known
};

/// What find_changes() may assume.
struct ChangeOptions {
  /// Bound on the probability that a series without a change is said to have any; above 0, below 1.
  double false_alarm = 0.01;
  std::size_t least_runs = 3;  ///< a level lasts for at least this many runs, >= 1
};

/// A level that lasts from run `first` to run `last`, both included.
struct RunsAtLevel {
  std::size_t first = 0, last = 0;
  double mos = 0;
  double half_width = 0;  ///< at 99 %, with everything that moves runs; infinite when unknown
};

/// The level is another one from run `at` on.
struct ChangePoint {
  std::size_t at = 0;  ///< first run of the new level
  /// The change lies behind run `earliest` - 1 and before run `latest`: all places whose likelihood is at least 1/32 of
  /// the best one's (the support interval of Royall, "Statistical Evidence", 1997). earliest <= at <= latest.
  std::size_t earliest = 0, latest = 0;
  double step = 0;         ///< MOS, the new level minus the one before
  double half_width = 0;   ///< of the step, at 99 %
  double statistic = 0;    ///< the step divided by its standard error
  double probability = 1;  ///< bound on the chance of such a step anywhere in a series of this length without a change
};

/// What a series of runs shows.
struct ChangeSearch {
  std::vector<ChangePoint> changes;  ///< in order
  std::vector<RunsAtLevel> levels;   ///< one more than changes; none without a run
  std::vector<std::size_t> strays;   ///< runs far from their neighbours on both sides; they move no level
  double between_runs = 0;           ///< deviation from one run to the next besides their own errors, MOS
  /// By how much the variance of a long mean exceeds that of as many independent runs; 1 for independent ones.
  double inflation = 1;
  std::size_t places = 0;  ///< splits that were tested
  double threshold = 0;    ///< least statistic of a change; infinite for fewer than 20 runs
};

/// Finds the places at which the level of a series changes. Every run counts by its own error and the deviation between
/// runs. The noise of a mean over many runs is estimated from the series itself, so that neighbouring runs may be
/// alike: medians of differences of neighbouring block means, which a few changes do not move (Wu and Zhao, JRSS B 69,
/// 2007; used for change points by Dette, Eckle and Vetter, Scandinavian Journal of Statistics 47, 2020). Intervals are
/// seeded (Kovács, Bühlmann, Li and Munk, Biometrika 110, 2023), the shortest one that shows a change is taken first
/// (Baranowski, Chen and Fryzlewicz, JRSS B 81, 2019). The threshold is Student's t by Bonferroni over all splits of
/// all intervals. Deterministic; takes n log n steps. Re-entrant. What was simulated: libvqas/doc/record/trends.md.
ChangeSearch find_changes(std::span<const RunLevel> runs, const ChangeOptions& options = {});

}  // namespace vqas
