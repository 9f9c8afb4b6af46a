#pragma once

#include "vqas/signal/signal.h"

namespace vqas {

/// The rate of HD voice (ITU-T G.722, and the wideband model), in Hz.
inline constexpr int kWideRateHz = 2 * kLineRateHz;

}  // namespace vqas
