#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vqas/channel/error_counters.h"
#include "vqas/channel/packet_path.h"

namespace vqas::cli {

/// Bits, errors, ratio with its 95 % interval, G.821 seconds and bursts by length, as JSON.
nlohmann::ordered_json counters_json(const ErrorCounters& counters);
nlohmann::ordered_json packets_json(const PacketCounters& packets);
/// The same as one line of text.
std::string counters_line(const ErrorCounters& counters);

}  // namespace vqas::cli
