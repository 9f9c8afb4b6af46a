#pragma once

#include <cstdint>
#include <string>

namespace vqas {

/// Names CLOCK_MONOTONIC of this machine since its start: equal for all processes that share it. Empty where unknown.
std::string machine_clock_name();
/// CLOCK_MONOTONIC in ns.
std::int64_t monotonic_ns();

}  // namespace vqas
