#pragma once

#include <string>
#include <vector>

#include "vqas/report/summary.h"
#include "vqas/run/run.h"

namespace vqas {

// What the results of a direction mean, in words for somebody at the line. All functions are re-entrant.

/// All measurements of a direction, in the order of its stimuli; they live as long as `direction`.
std::vector<const Measurement*> measurements_of(const DirectionRun& direction);

/// How the direction sounds: "good: clear speech, with occasional clicks or rough speech"; "good most of the time:
/// clear speech; it breaks down at times: …"; "no measurement could be scored". `summary` is that of the direction.
std::string heard_in_words(const DirectionRun& direction, const DirectionSummary& summary);

/// Whether an impairment is found in some measurements often enough to be told.
bool has_impairments(const std::vector<const Measurement*>& measurements);

/// What to do about the most costly impairment of some measurements, one sentence without its full stop: "… (costs
/// about 0.8 MOS)". Where none was found, to listen.
std::string advice_on(const std::vector<const Measurement*>& measurements);

}  // namespace vqas
