#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vqas/calls/calls_plan.h"
#include "vqas/calls/calls_ramp.h"
#include "vqas/calls/calls_summary.h"

namespace vqas {

/// The summary as rows of a table: what, and its figure in words. The command and the page show the same.
std::vector<std::pair<std::string, std::string>> calls_rows(const CallsSummary& summary, const CallsPlan& plan,
                                                            const RampFound* ramp);

}  // namespace vqas
