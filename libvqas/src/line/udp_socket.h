#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "line/machine_clock.h"
#include "line/socket.h"
#include "vqas/line/address.h"

namespace vqas {

/// A UDP socket bound to an address, non-blocking, with arrival times by the kernel. For one thread.
class UdpSocket {
 public:
  /// Fails with io; the message names the address.
  static Result<UdpSocket> bind(const SocketAddress& address);

  int descriptor() const { return descriptor_.number(); }
  const SocketAddress& address() const { return address_; }

  /// Size of a waiting datagram, cut to the room, and its sender; nothing when none waits.
  std::optional<std::size_t> receive(std::span<std::byte> room, SocketAddress& from) const;
  /// False when the system refuses.
  bool send(std::span<const std::uint8_t> packet, const SocketAddress& to) const;

 private:
  UdpSocket(Descriptor descriptor, const SocketAddress& address)
      : descriptor_(std::move(descriptor)), address_(address) {}
  Descriptor descriptor_;
  SocketAddress address_;
};

/// RTP on an even port, RTCP on the next: RFC 3550, clause 11.
struct RtpSockets {
  UdpSocket rtp;
  UdpSocket rtcp;
};
/// `address.port` 0: any free pair.
Result<RtpSockets> bind_rtp_sockets(const SocketAddress& address);

/// Reads packets from sockets, several per call. Large; create it once.
class PacketReader {
 public:
  static constexpr std::size_t kRoom = 2048 + 1;  ///< the extra octet shows that a packet was longer
  static constexpr std::size_t kBatch = 32;
  PacketReader();
  ~PacketReader();
  PacketReader(const PacketReader&) = delete;
  PacketReader& operator=(const PacketReader&) = delete;

  struct Packet {
    std::span<std::uint8_t> octets;
    SocketAddress from;
    /// Arrival at the kernel, by CLOCK_MONOTONIC. Where the kernel's time is missing or in doubt, because the machine's
    /// clock was set, the time of the read before: the packet did not come earlier.
    std::int64_t came_ns = 0;
  };
  /// At most kBatch of the waiting packets; valid until the next call.
  std::span<Packet> read(const UdpSocket& socket);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace vqas
