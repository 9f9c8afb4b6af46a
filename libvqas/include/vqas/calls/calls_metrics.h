#pragma once

#include <string>

#include "vqas/calls/calls_plan.h"
#include "vqas/calls/calls_run.h"
#include "vqas/calls/calls_summary.h"

namespace vqas {

/// The figures of many calls in Prometheus' text format 0.0.4, for the textfile collector of its node exporter
/// (calls-figures.md). The label `calls` is the plan's name, or its line. Re-entrant.
std::string calls_metrics(const CallsSummary& so_far, const CallsProgress& progress, const CallsPlan& plan);

}  // namespace vqas
