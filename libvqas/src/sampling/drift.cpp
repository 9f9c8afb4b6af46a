#include "vqas/sampling/drift.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <map>

namespace vqas {
namespace {

struct Stratum {
  double n = 0, place = 0, score = 0;
};

}  // namespace

LineDrift line_drift(std::span<const TimedScore> scores, double confidence, double resolution) {
  LineDrift drift{.confidence = confidence};
  drift.half_width = std::numeric_limits<double>::infinity();
  std::map<std::size_t, Stratum> strata;
  for (const TimedScore& one : scores) {
    Stratum& stratum = strata[one.stratum];
    stratum.n += 1;
    stratum.place += one.place;
    stratum.score += one.score;
  }
  std::erase_if(strata, [](const auto& entry) { return entry.second.n < 2; });
  double xx = 0;
  double xy = 0;
  double yy = 0;
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (const TimedScore& one : scores) {
    const auto found = strata.find(one.stratum);
    if (found == strata.end()) continue;
    const double x = one.place - found->second.place / found->second.n;
    const double y = one.score - found->second.score / found->second.n;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    first = std::min(first, one.place);
    last = std::max(last, one.place);
    ++drift.n;
  }
  const double degrees = static_cast<double>(drift.n) - static_cast<double>(strata.size()) - 1;
  if (degrees < 1 || xx <= 0) return drift;
  const double slope = xy / xx;
  // Scores scatter at least by their rounding.
  const double variance = std::max((yy - slope * xy) / degrees, resolution * resolution / 12);
  const double error = std::sqrt(variance / xx);
  drift.change = slope * (last - first);
  drift.half_width = two_sided_t(confidence, degrees) * error * (last - first);
  const boost::math::students_t_distribution<double> distribution(degrees);
  drift.probability = 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(slope) / error));
  return drift;
}

}  // namespace vqas
