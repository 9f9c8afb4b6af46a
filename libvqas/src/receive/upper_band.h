#pragma once

#include "vqas/signal/signal_view.h"

namespace vqas {

/// Whether what was heard ends with the telephone's band although what was sent does not: from 4500 to 7000 Hz it has
/// less than a hundredth of the reference's power, both against 300 to 3400 Hz. Noise and bit errors of a wide path
/// leave power there, so they do not make it narrow. False if a rate is below 16 kHz, and where one of them is silent.
/// Both hold the speech alone.
bool lacks_upper_band(SignalView heard, SignalView reference);

}  // namespace vqas
