#pragma once

#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Checks that two parts of a run were measured over one line: its kind, its simulated conditions and its equipment.
/// May differ: addresses and ports of nodes and of the line, the state of the clocks, the baseline, and what a part
/// does not know (`before` was written by an earlier release, or `now` is measured in one direction only). Fails with
/// bad_input, naming what differs. Re-entrant.
Status check_same_line(const RunResults& before, const RunResults& now);

}  // namespace vqas
