#pragma once

namespace vqas::sync {

/// By how much two transmissions' clock drift, in ppm, may differ to be the same drift. A step of the delay that falls
/// between two marks looks like a clock offset, but not twice alike.
inline constexpr double kSameDrift_ppm = 20;

}  // namespace vqas::sync
