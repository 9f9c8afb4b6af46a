#pragma once

#include "vqas/score/indices.h"
#include "vqas/signal/signal.h"

namespace vqas::scoring {

/// Speech of the reference in whose place hardly any power arrived, for recordings of which too little arrived to be
/// recognised. Both begin at the same instant; `gain` is that of the line, on powers. Pauses of the talker above 200 ms
/// do not count. Sound in its place may be the speech, and counts as arrived.
MissingSpeech missing_by_power(const Signal& reference, const Signal& degraded, double gain);

}  // namespace vqas::scoring
