#pragma once

#include <string>
#include <vector>

namespace vqas {

/// The IPv4 addresses by which other machines reach this one, "192.0.2.7", in the order of its interfaces; none without
/// a network.
std::vector<std::string> machine_hosts();

}  // namespace vqas
