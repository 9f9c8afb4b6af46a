#pragma once

namespace vqas::sync {

/// Two clock drifts that differ by at most this many ppm count as equal. A step of the delay between two marks looks
/// like a clock offset, but not twice with the same value.
inline constexpr double kSameDrift_ppm = 20;

}  // namespace vqas::sync
