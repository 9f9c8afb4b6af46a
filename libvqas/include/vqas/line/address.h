#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// An IPv4 address and a UDP port, in the machine's own byte order. A value.
struct SocketAddress {
  std::uint32_t host = 0;
  std::uint16_t port = 0;
  auto operator<=>(const SocketAddress&) const = default;
};

/// "127.0.0.1:5060"
std::string to_string(const SocketAddress& address);
/// "127.0.0.1"
std::string host_text(const SocketAddress& address);

/// True if the host can be the address of one machine: not "this network" (0.0.0.0/8), multicast (224.0.0.0/4), or
/// reserved including the limited broadcast (240.0.0.0/4), by IETF RFC 6890 and 5771. The broadcast address of a subnet
/// is not recognised; the system refuses to send there.
bool is_unicast(const SocketAddress& address);

/// Reads HOST:PORT; resolving a name may take seconds. `what` names the option in the message. Fails with bad_input.
/// IPv4 only.
Result<SocketAddress> parse_address(const std::string& text, const std::string& what);

}  // namespace vqas
