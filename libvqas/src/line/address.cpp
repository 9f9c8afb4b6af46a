#include "vqas/line/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <charconv>
#include <memory>

namespace vqas {

std::string host_text(const SocketAddress& address) {
  return fmt::format("{}.{}.{}.{}", address.host >> 24U, address.host >> 16U & 0xFFU, address.host >> 8U & 0xFFU,
                     address.host & 0xFFU);
}

std::string to_string(const SocketAddress& address) {
  return fmt::format("{}:{}", host_text(address), address.port);
}

bool is_unicast(const SocketAddress& address) {
  const std::uint32_t first_octet = address.host >> 24U;
  return first_octet != 0 && first_octet < 224;
}

Result<SocketAddress> parse_address(const std::string& text, const std::string& what) {
  const std::size_t colon = text.rfind(':');
  SocketAddress address;
  const char* const last = text.data() + text.size();
  const bool complete = colon != std::string::npos && colon > 0 && colon + 1 < text.size();
  const auto read = complete ? std::from_chars(text.data() + colon + 1, last, address.port) : std::from_chars_result{};
  if (!complete || read.ec != std::errc() || read.ptr != last) {
    return Error{ErrorCode::bad_input, fmt::format("{} {}: give HOST:PORT, for example 192.0.2.7:20000", what, text)};
  }
  const std::string host = text.substr(0, colon);
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int unresolved = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, [](addrinfo* list) {
    if (list != nullptr) ::freeaddrinfo(list);
  });
  if (unresolved != 0 || found == nullptr) {
    return Error{ErrorCode::bad_input, fmt::format("{} {}: {}; give the IPv4 address of a machine or its name", what,
                                                   text, ::gai_strerror(unresolved))};
  }
  address.host = ntohl(reinterpret_cast<const sockaddr_in*>(found->ai_addr)->sin_addr.s_addr);
  return address;
}

}  // namespace vqas
