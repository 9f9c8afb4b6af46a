#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <optional>

#include "line/udp_socket.h"
#include "relay/packets.h"

namespace vqas::test {

inline SocketAddress loopback(std::uint16_t port = 0) {
  return {0x7F000001, port};
}

/// A phone's pair of ports, as seen by the relay.
class Endpoint {
 public:
  Endpoint() : sockets_(std::move(bind_rtp_sockets(loopback())).value()) {}

  SocketAddress address() const { return sockets_.rtp.address(); }
  void send(const Octets& packet, const SocketAddress& to) const { EXPECT_TRUE(sockets_.rtp.send(packet, to)); }
  void send_rtcp(const Octets& packet, const SocketAddress& to) const { EXPECT_TRUE(sockets_.rtcp.send(packet, to)); }

  struct Heard {
    Octets octets;
    SocketAddress from;
    std::int64_t came_ns = 0;
  };
  /// The next packet, or nothing when the time is over.
  std::optional<Heard> hear(int timeout_ms = 2000) { return take(sockets_.rtp, waiting_, timeout_ms); }
  std::optional<Heard> hear_rtcp(int timeout_ms = 2000) { return take(sockets_.rtcp, waiting_rtcp_, timeout_ms); }

 private:
  std::optional<Heard> take(const UdpSocket& socket, std::vector<Heard>& waiting, int timeout_ms) {
    if (waiting.empty()) {
      pollfd entry{socket.descriptor(), POLLIN, 0};
      if (::poll(&entry, 1, timeout_ms) <= 0) return std::nullopt;
      for (const auto& packet : reader_.read(socket)) {
        waiting.push_back({Octets(packet.octets.begin(), packet.octets.end()), packet.from, packet.came_ns});
      }
      if (waiting.empty()) return std::nullopt;
    }
    Heard first = waiting.front();
    waiting.erase(waiting.begin());
    return first;
  }

  RtpSockets sockets_;
  PacketReader reader_;
  std::vector<Heard> waiting_;
  std::vector<Heard> waiting_rtcp_;
};

}  // namespace vqas::test
