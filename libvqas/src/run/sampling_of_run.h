#pragma once

#include "vqas/run/run.h"

namespace vqas::store {

/// The interval of the scores for the given stop reason: for the fallback goal if that was reached, else for the first
/// goal.
Interval interval_of(const StimulusRun& stimulus, const SamplerOptions& options);

/// Why sampling would have stopped after these measurements; if it would not have, `line_lost` when the last
/// measurement lost the line, else `cancelled`.
StopReason replayed_stop_reason(const StimulusRun& stimulus, const SamplerOptions& options);

}  // namespace vqas::store
