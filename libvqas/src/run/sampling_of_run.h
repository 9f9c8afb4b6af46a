#pragma once

#include "vqas/run/run.h"
#include "vqas/sampling/stratified.h"

namespace vqas::store {

/// Why the measuring of a direction ended whose goal is its mean: the reason of its stimuli, without those that were
/// abandoned for their failures unless all were.
StopReason stop_of_mean(const DirectionRun& direction);

/// Mean and interval of a direction by its scores, intervals and stop reasons, at the confidence of the goal that was
/// reached or tried last.
StratifiedMean mean_of(const DirectionRun& direction, const SamplerOptions& options);

/// The stimulus was abandoned with too few scores for the mean of a direction.
bool is_left_out(const StimulusRun& stimulus, const SamplerOptions& options);

/// Writes the interval of each stimulus, by its scores and stop reason.
void set_intervals(DirectionRun& direction, const SamplerOptions& options);

/// Writes why sampling would have stopped after these measurements in their order; if it would not have, `line_lost`
/// when the last measurement lost the line, else `cancelled`.
void replay_stops(DirectionRun& direction, const SamplerOptions& options);

}  // namespace vqas::store
