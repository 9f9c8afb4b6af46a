#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "line/media/rtp_terms.h"
#include "line/udp_socket.h"

namespace vqas {

/// Where the packets of one call leave and arrive. For the thread of the media.
class PacketPort {
 public:
  using Take = std::function<void(std::span<const std::uint8_t> packet, std::int64_t came_ns, std::uint16_t port)>;
  virtual ~PacketPort() = default;
  /// Hands over what has arrived from the far end, with its arrival by CLOCK_MONOTONIC. Does not wait.
  virtual void take(const Take& take) = 0;
  /// False when the system refuses.
  virtual bool send(std::span<const std::uint8_t> packet) = 0;
  /// The same for RTCP, whose packets go to the next port.
  virtual void take_reports(const Take& take) = 0;
  virtual void send_report(std::span<const std::uint8_t> packet) = 0;
  /// From now on the far end is there.
  virtual void redirect(const SocketAddress& remote) = 0;
};

/// A pair of UDP sockets, encrypted where the terms have keys; the second socket is of RTCP. `reader` may
/// serve all ports of one thread. Fails with unsupported when the keys cannot be used.
Result<std::unique_ptr<PacketPort>> udp_port(RtpSockets sockets, const RtpTerms& terms,
                                             std::shared_ptr<PacketReader> reader);

}  // namespace vqas
