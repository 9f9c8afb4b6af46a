#pragma once

#include <cstdint>
#include <string>

namespace vqas {

/// Names CLOCK_MONOTONIC of this machine since its start: equal for all processes that share it. Empty where unknown.
std::string machine_clock_name();
/// CLOCK_MONOTONIC in ns.
std::int64_t monotonic_ns();
/// CLOCK_REALTIME less CLOCK_MONOTONIC, in ns: to some µs, read again where the thread was interrupted in between.
std::int64_t real_less_monotonic_ns();

}  // namespace vqas
