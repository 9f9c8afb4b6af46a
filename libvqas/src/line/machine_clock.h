#pragma once

#include <cstdint>
#include <string>

namespace vqas {

/// Identifies CLOCK_MONOTONIC of this machine since its start: equal for all processes that share it. Empty if unknown.
std::string machine_clock_name();
/// CLOCK_MONOTONIC in ns.
std::int64_t monotonic_ns();
/// CLOCK_REALTIME minus CLOCK_MONOTONIC, in ns, accurate to some µs; measured again if the thread was interrupted
/// meanwhile.
std::int64_t real_less_monotonic_ns();

}  // namespace vqas
