#pragma once

#include "vqas/signal/signal_view.h"

namespace vqas {

/// True when neighbouring samples of the same sign stay within 2^-14 of the recording's peak for 80 us or three
/// samples, whichever is more. Unclipped speech leaves its peaks faster than that: no recording at hand has such a run.
/// With a peak of A 16-bit steps below -20 dBov the run must also exceed sqrt(2/A)/(pi·400 Hz) by two samples, because
/// quantisation makes plateaus there. Always false below a peak of 0.003 (-50 dBov) and for an empty recording.
/// Re-entrant.
bool has_flat_tops(SignalView recording);

}  // namespace vqas
