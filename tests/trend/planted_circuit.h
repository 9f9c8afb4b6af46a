#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/normal.h"
#include "vqas/trend/trend.h"

namespace vqas::test {

/// 2026-10-10 00:00 in UTC.
inline constexpr double kFirstDay = 1791590400;

inline LocalTime berlin() {
  return LocalTime::of_zone("Europe/Berlin").value();
}

/// A run from a to b.
inline RunOfTrend run_at(double started_s, double mos, double own_error = 0.04) {
  RunOfTrend run;
  run.uuid = "run-" + std::to_string(static_cast<long>(started_s));
  run.campaign = "winter";
  run.tags = {{"customer", "Example Ltd"}, {"site", "north"}, {"circuit", "line 1"}};
  run.started_s = started_s;
  run.score_version = "vqas-nb-32";
  run.stimuli = "12 stimuli 01234567";
  run.model_error_mos = 0.33;
  DirectionOfRun& direction = run.directions.emplace_back();
  direction.mean = mos;
  direction.confidence = 0.99;
  direction.standard_error = own_error;
  direction.half_width = 2.6 * own_error;
  direction.measurements = direction.scored = 60;
  direction.costs.emplace().fill(0.05);
  return run;
}

inline RunOfTrend run_without_score(double started_s) {
  RunOfTrend run = run_at(started_s, 1);
  DirectionOfRun& direction = run.directions.front();
  direction.mean.reset();
  direction.costs.reset();
  direction.scored = 0;
  direction.no_score = "not_found";
  direction.not_scored_because = "no mark and no speech was found";
  return run;
}

/// A run each hour, with a deviation of 0.06 besides its own error.
inline std::vector<RunOfTrend> hourly_runs(int days, std::uint64_t seed) {
  Normal normal(0.06, seed);
  std::vector<RunOfTrend> runs;
  for (int hour = 0; hour < 24 * days; ++hour) runs.push_back(run_at(kFirstDay + 3600.0 * hour, 3.9 + normal()));
  return runs;
}

/// The bad hours of each night, 2 to 5 by the clocks of Berlin.
inline void plant_nightly_dip(std::vector<RunOfTrend>& runs, double depth) {
  const LocalTime local = berlin();
  for (RunOfTrend& run : runs) {
    const int hour = local.at(run.started_s).hour;
    if (hour >= 2 && hour < 5) *run.directions.front().mean -= depth;
  }
}

}  // namespace vqas::test
