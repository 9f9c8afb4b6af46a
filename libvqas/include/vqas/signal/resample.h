#pragma once

#include "vqas/signal/result.h"
#include "vqas/signal/signal_view.h"

namespace vqas {

/// Converts to another rate with libsoxr, linear phase, very high quality (stop band below -120 dB). Output sample n is
/// exactly at the time of input sample n·in/out. Fails with bad_input for a rate outside 1 kHz..1 MHz. Re-entrant.
Result<Signal> resample(SignalView signal, int rate_hz);

/// Corrects a clock drift: the signal was sampled by a clock that is `drift_ppm` fast (it holds (1 + drift·1e-6) times
/// the nominal number of samples). The result keeps the nominal rate. |drift_ppm| <= 20000.
Result<Signal> correct_clock(SignalView signal, double drift_ppm);

}  // namespace vqas
