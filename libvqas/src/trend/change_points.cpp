#include "vqas/trend/change_points.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "vqas/sampling/interval.h"
#include "vqas/signal/median.h"

namespace vqas {
namespace {

// Fewer runs do not show how much runs differ without a change.
constexpr std::size_t kLeastSeries = 20;
// Deviation of a run's mean that is assumed at least, MOS: scores are shown to 0.01.
constexpr double kLeastDeviation = 0.01;
// Median of the absolute value of a standard normal.
constexpr double kMedianOfNormal = 0.6744897501960817;
// A run further than this many deviations from the median of its neighbours is drawn back to there (Fearnhead and
// Rigaill, JASA 114, 2019, bound each run's weight in the same way).
constexpr double kStray = 4;
constexpr std::size_t kNeighbours = 3;  // on each side
// Blocks of which the noise is estimated are at most this share of the series: a change spoils two blocks' length.
constexpr std::size_t kFewestBlocks = 12;
// A median of n absolute differences of overlapping blocks of b runs is taken to be as precise as n/b squares times
// this.
constexpr double kDegreesOfABlock = 1;
constexpr double kConfidence = 0.99;
const double kSupport = 2 * std::log(32.0);

struct Stretch {
  std::size_t begin, end;
};

struct Split {
  std::size_t at = 0;
  double statistic = 0;
};

/// Robust deviation of values about 0.
double deviation_about_0(std::vector<double> values) {
  for (double& one : values) one = std::abs(one);
  return median(std::move(values)) / kMedianOfNormal;
}

/// Weighted sums over any stretch of runs.
class Sums {
 public:
  Sums(std::span<const double> values, std::span<const double> weights)
      : weight_(values.size() + 1, 0), weighted_(values.size() + 1, 0) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      weight_[i + 1] = weight_[i] + weights[i];
      weighted_[i + 1] = weighted_[i] + weights[i] * values[i];
    }
  }
  double weight(std::size_t begin, std::size_t end) const { return weight_[end] - weight_[begin]; }
  double mean(std::size_t begin, std::size_t end) const {
    return (weighted_[end] - weighted_[begin]) / weight(begin, end);
  }
  /// The mean from `at` on minus that before, divided by its standard error for independent runs.
  double contrast(std::size_t begin, std::size_t at, std::size_t end) const {
    return (mean(at, end) - mean(begin, at)) / std::sqrt(1 / weight(begin, at) + 1 / weight(at, end));
  }

 private:
  std::vector<double> weight_, weighted_;
};

/// The deviation between runs that makes the differences of neighbours what they are, given each run's own error.
double between_runs(std::span<const RunLevel> runs) {
  const auto excess = [&](double variance) {
    std::vector<double> scaled;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      const double own = std::pow(runs[i].standard_error, 2) + std::pow(runs[i - 1].standard_error, 2);
      scaled.push_back((runs[i].mos - runs[i - 1].mos) / std::sqrt(own + 2 * variance));
    }
    return deviation_about_0(std::move(scaled)) - 1;
  };
  double low = 0, high = 4;  // no deviation on a scale from 1 to 4.55 is larger
  constexpr double kLeast = 1e-12;
  if (excess(kLeast) <= 0) return 0;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (excess(middle + kLeast) > 0 ? low : high) = middle;
  }
  return std::sqrt(high);
}

/// A series with the weight of each run; strays are drawn to their neighbours.
struct Series {
  std::vector<double> values, weights;
  std::vector<std::size_t> strays;
};

Series series_of(std::span<const RunLevel> runs, double between) {
  Series series;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double variance =
        std::max(std::pow(runs[i].standard_error, 2) + between * between, kLeastDeviation * kLeastDeviation);
    std::vector<double> near;
    for (std::size_t j = i - std::min(i, kNeighbours); j < std::min(runs.size(), i + kNeighbours + 1); ++j)
      near.push_back(runs[j].mos);
    const double middle = median(std::move(near)), room = kStray * std::sqrt(variance);
    const double value = std::clamp(runs[i].mos, middle - room, middle + room);
    if (value != runs[i].mos) series.strays.push_back(i);
    series.values.push_back(value);
    series.weights.push_back(1 / variance);
  }
  return series;
}

struct Noise {
  double inflation = 1, degrees = 1;
};

/// How much more than independent runs the means of neighbouring blocks differ, at the worst length of block.
Noise noise_of(const Sums& sums, std::size_t count) {
  Noise noise;
  const auto of_runs = static_cast<double>(count);
  for (std::size_t block = 1; block == 1 || block * kFewestBlocks <= count; block *= 2) {
    std::vector<double> contrasts;
    for (std::size_t i = 0; i + 2 * block <= count; ++i)
      contrasts.push_back(sums.contrast(i, i + block, i + 2 * block));
    const double variance = std::pow(deviation_about_0(std::move(contrasts)), 2);
    const double degrees = std::max(1.0, kDegreesOfABlock * of_runs / static_cast<double>(block));
    if (block == 1 || variance > noise.inflation) noise = {std::max(1.0, variance), degrees};
  }
  return noise;
}

/// Seeded intervals, the shortest first: lengths that grow by the square root of 2, each moved by half of its length.
std::vector<Stretch> seeded_intervals(std::size_t count, std::size_t least) {
  std::vector<Stretch> intervals;
  for (double length = static_cast<double>(2 * least);; length *= std::sqrt(2.0)) {
    const auto whole = std::min(count, static_cast<std::size_t>(std::ceil(length)));
    const std::size_t places = 2 * ((count + whole - 1) / whole) - 1;
    for (std::size_t place = 0; place < places; ++place) {
      const std::size_t begin = places == 1 ? 0 : (count - whole) * place / (places - 1);
      intervals.push_back({begin, begin + whole});
    }
    if (whole == count) return intervals;
  }
}

std::size_t splits_of(const Stretch& one, std::size_t least) {
  return one.end - one.begin + 1 - 2 * least;
}

Split best_split(const Sums& sums, std::size_t begin, std::size_t end, std::size_t least) {
  Split best;
  for (std::size_t at = begin + least; at + least <= end; ++at) {
    const double statistic = sums.contrast(begin, at, end);
    if (best.at == 0 || std::abs(statistic) > std::abs(best.statistic)) best = {at, statistic};
  }
  return best;
}

/// The series as find_changes() sees it.
struct Search {
  Sums sums;
  std::size_t count, least;
  Noise noise;
  double threshold;  ///< of a contrast for independent runs

  std::vector<std::size_t> narrowest_first(const std::vector<Stretch>& intervals) const;
  std::vector<std::size_t> moved(std::vector<std::size_t> changes) const;
  bool shows_more(const std::vector<std::size_t>& changes, std::size_t i) const;
  std::vector<std::size_t> settled(std::vector<std::size_t> changes) const;
};

/// The shortest interval that shows a change gives one; those that hold it are done.
std::vector<std::size_t> Search::narrowest_first(const std::vector<Stretch>& intervals) const {
  std::vector<std::size_t> changes;
  for (const Stretch& one : intervals) {
    if (std::ranges::any_of(changes, [&](std::size_t at) { return at > one.begin && at < one.end; })) continue;
    const Split best = best_split(sums, one.begin, one.end, least);
    if (std::abs(best.statistic) > threshold) changes.push_back(best.at);
  }
  std::ranges::sort(changes);
  return changes;
}

/// Each change at the best place between its neighbours.
std::vector<std::size_t> Search::moved(std::vector<std::size_t> changes) const {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : changes[i - 1], end = i + 1 == changes.size() ? count : changes[i + 1];
    if (end - begin >= 2 * least) changes[i] = best_split(sums, begin, end, least).at;
  }
  return changes;
}

/// Whether the levels beside change `i`, and those that it parted when it was there, show another change.
bool Search::shows_more(const std::vector<std::size_t>& changes, std::size_t i) const {
  for (std::size_t level = i - std::min<std::size_t>(i, 1); level <= std::min(i + 1, changes.size()); ++level) {
    const std::size_t begin = level == 0 ? 0 : changes[level - 1],
                      end = level == changes.size() ? count : changes[level];
    if (end - begin >= 2 * least && std::abs(best_split(sums, begin, end, least).statistic) > threshold) return true;
  }
  return false;
}

/// Drops every change without which the others, moved, leave no level that shows a change. A large step in a short
/// interval may be found some runs away from its place, and then once more on the other side of it.
std::vector<std::size_t> Search::settled(std::vector<std::size_t> changes) const {
  changes = moved(std::move(changes));
  for (std::size_t i = 0; i < changes.size();) {
    std::vector<std::size_t> without = changes;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    without = moved(std::move(without));
    if (shows_more(without, i)) {
      ++i;
    } else {
      changes = std::move(without);
      i = 0;
    }
  }
  return changes;
}

ChangePoint change_at(const Search& search, std::size_t begin, std::size_t at, std::size_t end, std::size_t places) {
  const double scale = std::sqrt(search.noise.inflation);
  ChangePoint change;
  change.at = change.earliest = change.latest = at;
  change.step = search.sums.mean(at, end) - search.sums.mean(begin, at);
  change.statistic = search.sums.contrast(begin, at, end) / scale;
  const double error = std::abs(change.step / change.statistic);
  change.half_width = two_sided_t(kConfidence, search.noise.degrees) * error;
  const boost::math::students_t_distribution<> student(search.noise.degrees);
  const double tail = boost::math::cdf(boost::math::complement(student, std::abs(change.statistic)));
  change.probability = std::min(1.0, 2 * tail * static_cast<double>(places));
  const double least = change.statistic * change.statistic - kSupport;
  for (std::size_t other = begin + search.least; other + search.least <= end; ++other) {
    const double statistic = search.sums.contrast(begin, other, end) / scale;
    if (statistic * statistic < least) continue;
    change.earliest = std::min(change.earliest, other);
    change.latest = std::max(change.latest, other);
  }
  return change;
}

}  // namespace

ChangeSearch find_changes(std::span<const RunLevel> runs, const ChangeOptions& options) {
  ChangeSearch found;
  found.threshold = std::numeric_limits<double>::infinity();
  if (runs.empty()) return found;
  const bool enough = runs.size() >= std::max(kLeastSeries, 2 * options.least_runs);
  found.between_runs = runs.size() < 2 ? 0 : between_runs(runs);
  Series series = series_of(runs, found.between_runs);
  if (enough) found.strays = std::move(series.strays);
  const Sums sums(series.values, series.weights);
  Search search{sums, runs.size(), options.least_runs, {}, 0};
  std::vector<std::size_t> changes;
  if (enough) {
    search.noise = noise_of(sums, runs.size());
    const std::vector<Stretch> intervals = seeded_intervals(runs.size(), options.least_runs);
    for (const Stretch& one : intervals) found.places += splits_of(one, options.least_runs);
    found.threshold =
        t_quantile(1 - options.false_alarm / (2 * static_cast<double>(found.places)), search.noise.degrees);
    search.threshold = found.threshold * std::sqrt(search.noise.inflation);
    changes = search.settled(search.narrowest_first(intervals));
  }
  found.inflation = search.noise.inflation;
  const auto bound = [&](std::size_t i) { return i == 0 ? 0 : i > changes.size() ? runs.size() : changes[i - 1]; };
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const double error = std::sqrt(found.inflation / sums.weight(bound(i), bound(i + 1)));
    found.levels.push_back(
        {bound(i), bound(i + 1) - 1, sums.mean(bound(i), bound(i + 1)),
         enough ? two_sided_t(kConfidence, search.noise.degrees) * error : std::numeric_limits<double>::infinity()});
    if (i < changes.size())
      found.changes.push_back(change_at(search, bound(i), changes[i], bound(i + 2), found.places));
  }
  return found;
}

}  // namespace vqas
