#include "line/sip/local_address.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "line/socket.h"

namespace vqas {
namespace {

constexpr std::uint16_t kSipPort = 5060;  // RFC 3261, 19.1.2

Result<SocketAddress> resolved(const SipParty& party, const std::string& what) {
  return parse_address(fmt::format("{}:{}", party.host, party.port == 0 ? kSipPort : party.port), what);
}

// Connecting a UDP socket sends nothing.
Result<SocketAddress> address_towards(const SocketAddress& other) {
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(other.port);
  address.sin_addr.s_addr = htonl(other.host);
  socklen_t size = sizeof address;
  if (!socket || ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} cannot be reached from this machine: {}", to_string(other), system_error_text(errno))};
  }
  return SocketAddress{ntohl(address.sin_addr.s_addr), 0};
}

}  // namespace

Result<SocketAddress> local_address(const SipLineOptions& line, bool has_account) {
  if (line.listen) return *line.listen;
  const SipParty* const first = first_hop(line, has_account);
  if (first == nullptr) return resolved(line.own, "the line's own address");
  const auto other = resolved(*first, "the line's address");
  if (!other) return other.error();
  auto local = address_towards(*other);
  // Without a proxy or a registrar, the port of its own address is this machine's.
  const bool direct =
      line.dial && first == &*line.dial && (line.own.host != first->host || line.own.port != first->port);
  if (local && direct) local->port = line.own.port;
  return local;
}

}  // namespace vqas
