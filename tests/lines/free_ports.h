#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>

namespace vqas::test {

inline bool is_free(int type, int port) {
  const int socket = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return bound;
}

/// The first of `count` successive ports that are free on 127.0.0.1 for UDP and TCP, an even one, below the system's
/// range of automatic ports; 0 when there are none.
inline int free_ports(int count) {
  std::random_device chance;
  for (int tries = 0; tries < 1000; ++tries) {
    const int first = 10000 + static_cast<int>(chance() % 10000) * 2;
    bool all = true;
    for (int port = first; port < first + count && all; ++port) {
      all = is_free(SOCK_DGRAM, port) && is_free(SOCK_STREAM, port);
    }
    if (all) return first;
  }
  return 0;
}

}  // namespace vqas::test
