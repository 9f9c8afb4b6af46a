#pragma once

#include "vqas/signal/signal.h"

namespace vqas {

/// True when neighbours of the same sign lie within 2^-14 of the recording's own peak for 80 us or three samples,
/// whichever is more: speech turns at its peaks faster than that (no recording at hand has such a run). Only where the
/// peak is above -20 dBov: below that the steps of 16 bits make plateaus of their own. False for an empty
/// recording. Re-entrant; does not allocate.
bool has_flat_tops(const Signal& recording);

}  // namespace vqas
