#include <utility>

#include "calls/media/packet_port.h"

namespace vqas {
namespace {

constexpr int kMostBatches = 8;  // 256 packets, 5 s of one stream: a flood must not keep the other calls from sending

class UdpPort final : public PacketPort {
 public:
  UdpPort(RtpSockets sockets, const SocketAddress& remote, std::shared_ptr<PacketReader> reader)
      : sockets_(std::move(sockets)), remote_(remote), reader_(std::move(reader)) {}

  void take(const Take& take) override {
    for (int batch = 0; batch < kMostBatches; ++batch) {
      const auto packets = reader_->read(sockets_.rtp);
      for (const PacketReader::Packet& packet : packets) {
        // Packets from other hosts are not part of this call.
        if (packet.from.host == remote_.host) take(packet.octets, packet.came_ns, packet.from.port);
      }
      if (packets.size() < PacketReader::kBatch) return;
    }
  }

  bool send(std::span<const std::uint8_t> packet) override { return sockets_.rtp.send(packet, remote_); }
  void redirect(const SocketAddress& remote) override { remote_ = remote; }

 private:
  const RtpSockets sockets_;
  SocketAddress remote_;
  const std::shared_ptr<PacketReader> reader_;
};

}  // namespace

std::unique_ptr<PacketPort> udp_port(RtpSockets sockets, const SocketAddress& remote,
                                     std::shared_ptr<PacketReader> reader) {
  return std::make_unique<UdpPort>(std::move(sockets), remote, std::move(reader));
}

}  // namespace vqas
