#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vqas/experiment/experiment.h"

// The checks: pure, from the points of an experiment to its statements, so that each can be shown to fail on points
// with a fault put in. A check that finds nothing to look at says so and never agrees.
namespace vqas::experiment {

using Points = std::vector<ExperimentPoint>;
using Chosen = std::function<bool(const ExperimentPoint&)>;

/// Place of the transmissions without bit errors, among those at -log10 of their ratio.
constexpr double kNoErrors = 99;
/// Series of the calls that share their link with nothing.
constexpr const char* kNoBottleneck = "no bottleneck";

/// A mean stands for what was sent when this share of it was scored. What has no score is mostly the worse part.
constexpr double kScoredShare = 0.8;

/// Mean score of the chosen points; nothing where fewer than kScoredShare of them have one.
std::optional<double> mean_score(const Points& points, const Chosen& chosen);

std::vector<Statement> check_ber_sweep(const Points& points);
std::vector<Statement> check_wander(const Points& points);
std::vector<Statement> check_thunderstorm(const Points& points);
std::vector<Statement> check_bursts(const Points& points);
std::vector<Statement> check_bit_significance(const Points& points);
std::vector<Statement> check_voip_satellite(const Points& points);
std::vector<Statement> check_characterize(const Points& points);

/// Least squares over the scored points of a series, where four in five of a place have a score; nothing with fewer
/// than four such places.
std::optional<CubicTrend> cubic_trend(const Points& points, const std::string& series);

}  // namespace vqas::experiment
