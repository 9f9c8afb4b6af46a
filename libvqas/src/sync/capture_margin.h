#pragma once

#include <cstddef>

#include "vqas/signal/signal.h"

namespace vqas::sync {

/// What a receiver keeps before a stimulus's first sample and after its last one, in samples: half a second.
inline constexpr std::size_t kCaptureMargin = kLineRateHz / 2;

}  // namespace vqas::sync
