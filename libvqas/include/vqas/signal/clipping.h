#pragma once

#include "vqas/signal/signal.h"

namespace vqas {

/// True when neighbours of the same sign lie within 2^-14 of the recording's own peak for 80 us or three samples,
/// whichever is more: speech turns at its peaks faster than that (no recording at hand has such a run). With a peak of
/// A steps of 16 bits below -20 dBov also for two samples more than sqrt(2/A)/(pi·400 Hz), for there the steps make
/// plateaus of their own; below a peak of 0.003 (-50 dBov) never. False for an empty recording. Re-entrant.
bool has_flat_tops(const Signal& recording);

}  // namespace vqas
