#pragma once

#include "vqas/run/run.h"

namespace vqas::store {

/// The interval that belongs to the run's scores and its stop reason: for the fallback goal when that was what was
/// reached, else for the first.
Interval interval_of(const StimulusRun& stimulus, const SamplerOptions& options);

/// Why the sampling of these measurements would have stopped; `cancelled` when it had not, and `line_lost` when it had
/// not and the last measurement lost the line.
StopReason replayed_stop_reason(const StimulusRun& stimulus, const SamplerOptions& options);

}  // namespace vqas::store
