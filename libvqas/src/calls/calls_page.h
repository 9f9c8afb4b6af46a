#pragma once

#include <string>
#include <vector>

#include "vqas/calls/call_outcome.h"
#include "vqas/calls/calls_plan.h"
#include "vqas/calls/calls_ramp.h"
#include "vqas/calls/calls_summary.h"

namespace vqas {

/// calls.html: the MOS over time and by call, the summary, the ramp and the worst calls. One file without links to
/// other places. Re-entrant.
std::string calls_page(const std::vector<CallOutcome>& calls, const CallsSummary& summary, const CallsPlan& plan,
                       const RampFound* ramp);

}  // namespace vqas
