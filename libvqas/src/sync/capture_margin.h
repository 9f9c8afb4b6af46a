#pragma once

#include <cstddef>

#include "vqas/signal/signal.h"

namespace vqas::sync {

/// What a receiver cuts out in front of a stimulus's first sample and behind its last one, in samples: half a second.
inline constexpr std::size_t kCaptureMargin = kLineRateHz / 2;

}  // namespace vqas::sync
