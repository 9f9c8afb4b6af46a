#pragma once

#include "vqas/node/controller.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Line time that a run will use, before anything of the line is known, in s; without waits for lost transmissions.
struct RunForecast {
  double least_s = 0;    ///< the goal is reached at the first look
  double most_s = 0;     ///< each stimulus is measured up to a cap
  bool in_turn = false;  ///< of a line that carries one direction at a time; else of both at a time
};

/// Uses of `plan`: corpus, stimuli, directions, sampling, duplex, cap_line_time_s and guard_s. Where `duplex` is
/// automatic, both directions at a time. Fails with bad_input, and as Corpus::load() does. Reads the corpus;
/// re-entrant.
Result<RunForecast> forecast_run(const RunPlan& plan);

}  // namespace vqas
