#pragma once

#include <optional>
#include <string>

namespace vqas::trend {

/// Seconds since 1970 of "2026-11-23T06:30:00Z"; what stands behind the seconds is ignored. Nothing if it is not one.
std::optional<double> seconds_of(const std::string& utc);
/// The inverse, to the second.
std::string utc_text(double seconds);

}  // namespace vqas::trend
