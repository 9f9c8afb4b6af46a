#pragma once

#include <string>

#include "vqas/node/line_only.h"

namespace vqas {

/// Completes `heard.results` as those of the listener's run, with the listenings before (`plan.earlier`): adds their
/// times, and gives the end. `ended_because` stays empty when the sender has finished or nothing more is wanted of any
/// stimulus. `finished_utc` is the end of this listening, ISO 8601, `wall_seconds` its duration. Re-entrant.
void conclude_listening(ListenResults& heard, const ListenPlan& plan, const std::string& finished_utc,
                        double wall_seconds);

}  // namespace vqas
