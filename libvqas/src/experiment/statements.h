#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vqas/experiment/experiment.h"

// The checks: pure functions from the points of an experiment to its statements, so that tests can show that each fails
// on a planted fault. A check without data says so and never agrees.
namespace vqas::experiment {

using Points = std::vector<ExperimentPoint>;
using Chosen = std::function<bool(const ExperimentPoint&)>;

/// x of the transmissions without bit errors; x of the others is -log10 of their ratio.
constexpr double kNoErrors = 99;
/// Series of the calls whose link carries no other traffic.
constexpr const char* kNoBottleneck = "no bottleneck";

/// A mean is valid only if this share of its transmissions was scored: those without a score are mostly worse.
constexpr double kScoredShare = 0.8;

/// Mean score of the chosen points; nothing if fewer than kScoredShare of them have a score.
std::optional<double> mean_score(const Points& points, const Chosen& chosen);

std::vector<Statement> check_ber_sweep(const Points& points);
std::vector<Statement> check_wander(const Points& points);
std::vector<Statement> check_thunderstorm(const Points& points);
std::vector<Statement> check_bursts(const Points& points);
std::vector<Statement> check_bit_significance(const Points& points);
std::vector<Statement> check_voip_satellite(const Points& points);
std::vector<Statement> check_characterize(const Points& points);

/// Least squares over the scored points of a series, at the places where four in five have a score; nothing with fewer
/// than four such places.
std::optional<CubicTrend> cubic_trend(const Points& points, const std::string& series);

}  // namespace vqas::experiment
