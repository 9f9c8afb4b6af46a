#pragma once

#include "vqas/experiment/experiment.h"

namespace vqas::experiment {

/// Puts every measurement of a run beside the points of `result`, under a label of its own.
void join(const MeasuredChannel& channel, ExperimentResult& result);

}  // namespace vqas::experiment
