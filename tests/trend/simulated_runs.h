#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/normal.h"
#include "vqas/channel/random.h"
#include "vqas/trend/change_points.h"

namespace vqas::test {

/// A line whose runs are measured again and again.
struct RepeatedLine {
  double likeness = 0;        ///< correlation of what moves neighbouring runs, 0..1 (first-order autoregression)
  double between_runs = 0.1;  ///< deviation of that, MOS
  double own_error = 0.06;    ///< middle standard error of a run, MOS; each has from 0.5 to 1.5 times this
  double step = 0;            ///< of the level from run `from` to before run `until`, MOS
  std::size_t from = 0, until = SIZE_MAX;
  double stray_share = 0;  ///< share of single runs that lie lower by 1 MOS
};

inline std::vector<RunLevel> simulated_runs(const RepeatedLine& line, std::size_t count, std::uint64_t seed) {
  Normal normal(1, seed);
  Random random(seed, 1);
  std::vector<RunLevel> runs;
  double moved = line.between_runs * normal();
  for (std::size_t i = 0; i < count; ++i) {
    const double own = line.own_error * (0.5 + random.next_unit());
    if (i > 0)
      moved = line.likeness * moved + std::sqrt(1 - line.likeness * line.likeness) * line.between_runs * normal();
    double mos = 3.8 + moved + own * normal();
    if (i >= line.from && i < line.until) mos += line.step;
    if (random.next_unit() < line.stray_share) mos -= 1;
    runs.push_back({mos, own});
  }
  return runs;
}

}  // namespace vqas::test
