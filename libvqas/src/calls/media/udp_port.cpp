#include <optional>
#include <utility>

#include "calls/media/packet_port.h"

namespace vqas {
namespace {

constexpr int kMostBatches = 8;  // 256 packets, 5 s of one stream: a flood must not keep the other calls from sending

class UdpPort final : public PacketPort {
 public:
  UdpPort(RtpSockets sockets, const SocketAddress& remote, std::optional<Srtp> srtp,
          std::shared_ptr<PacketReader> reader)
      : sockets_(std::move(sockets)), remote_(remote), srtp_(std::move(srtp)), reader_(std::move(reader)) {}

  void take(const Take& take) override {
    for (int batch = 0; batch < kMostBatches; ++batch) {
      const auto packets = reader_->read(sockets_.rtp);
      for (const PacketReader::Packet& packet : packets) {
        // Packets from other hosts are not part of this call.
        if (packet.from.host != remote_.host) continue;
        const std::span<const std::uint8_t> octets = srtp_ ? srtp_->unprotect(packet.octets) : packet.octets;
        if (!octets.empty()) take(octets, packet.came_ns, packet.from.port);
      }
      if (packets.size() < PacketReader::kBatch) return;
    }
  }

  bool send(std::span<const std::uint8_t> packet) override {
    return sockets_.rtp.send(srtp_ ? srtp_->protect(packet) : packet, remote_);
  }
  void take_reports(const Take& take) override {
    for (const PacketReader::Packet& packet : reader_->read(sockets_.rtcp)) {
      if (packet.from.host != remote_.host) continue;
      const std::span<const std::uint8_t> octets = srtp_ ? srtp_->unprotect_rtcp(packet.octets) : packet.octets;
      if (!octets.empty()) take(octets, packet.came_ns, packet.from.port);
    }
  }
  void send_report(std::span<const std::uint8_t> packet) override {
    sockets_.rtcp.send(srtp_ ? srtp_->protect_rtcp(packet) : packet,
                       {remote_.host, static_cast<std::uint16_t>(remote_.port + 1)});
  }
  void redirect(const SocketAddress& remote) override { remote_ = remote; }

 private:
  const RtpSockets sockets_;
  SocketAddress remote_;
  std::optional<Srtp> srtp_;
  const std::shared_ptr<PacketReader> reader_;
};

}  // namespace

Result<std::unique_ptr<PacketPort>> udp_port(RtpSockets sockets, const RtpTerms& terms,
                                             std::shared_ptr<PacketReader> reader) {
  std::optional<Srtp> srtp;
  if (terms.srtp) {
    auto made = Srtp::create(*terms.srtp);
    if (!made) return made.error();
    srtp.emplace(std::move(made).value());
  }
  return std::unique_ptr<PacketPort>(
      std::make_unique<UdpPort>(std::move(sockets), terms.remote, std::move(srtp), std::move(reader)));
}

}  // namespace vqas
