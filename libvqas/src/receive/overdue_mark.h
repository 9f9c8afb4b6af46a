#pragma once

#include "vqas/receive/idle_input.h"
#include "vqas/run/run.h"

namespace vqas {

/// Whether `heard`, of the first seconds of a transmission whose mark was not found, may be its speech. Compared is the
/// level of that speech and of the noise between its words, as the last measurement of the direction between both marks
/// has them. Also true where the input is noise and that is not known, or where speech and noise differ too little.
/// Re-entrant.
bool may_be_speech(const IdleInput& heard, const DirectionRun& before);

}  // namespace vqas
