#pragma once

#include "vqas/experiment/experiment.h"

namespace vqas::experiment {

/// Adds every measurement of a run to the points of `result`, under its own label.
void join(const MeasuredChannel& channel, ExperimentResult& result);

}  // namespace vqas::experiment
