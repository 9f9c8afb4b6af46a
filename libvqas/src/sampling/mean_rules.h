#pragma once

#include <span>
#include <vector>

#include "vqas/sampling/sampler.h"
#include "vqas/sampling/stratified.h"

namespace vqas {

/// What the t interval is multiplied by before it is compared with the goal: a look stops where the deviations happen
/// to look small. `degrees` (> 0): of freedom of the mean.
double stopping_margin(double degrees);

/// The scores decide the count, so that the plain t interval would be too narrow.
bool decided_by_looks(const SamplerOptions& options);

/// The goal is a half-width of the mean.
bool is_of_width(const SamplerOptions& options);

double normal_quantile(double confidence);

/// stratified_mean() with the kurtosis of the scores, not widened.
StratifiedMean plain_mean(std::span<const std::vector<double>> scores, double confidence);

}  // namespace vqas
