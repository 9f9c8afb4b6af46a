#include "line/udp_socket.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

namespace vqas {
namespace {

constexpr int kReceiveBuffer = 1 << 20;  // covers half a second of a stalled machine at 10,000 packets a second
constexpr std::int64_t kNsPerS = 1'000'000'000;
// The system drops packets when its buffer is full, so none waits this long.
constexpr std::int64_t kOldestNs = 60 * kNsPerS;
// A steered clock, by 500 ppm at most, moves by less between two reads.
constexpr std::int64_t kClockSetNs = 5'000'000;

sockaddr_in as_sockaddr(const SocketAddress& address) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(address.port);
  out.sin_addr.s_addr = htonl(address.host);
  return out;
}

SocketAddress as_address(const sockaddr_in& in) {
  return {ntohl(in.sin_addr.s_addr), ntohs(in.sin_port)};
}

}  // namespace

Result<UdpSocket> UdpSocket::bind(const SocketAddress& address) {
  Descriptor descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto failed = [&address] {
    return Error{ErrorCode::io, fmt::format("cannot take the UDP port {}: {}; choose another one", to_string(address),
                                            system_error_text(errno))};
  };
  if (!descriptor) return failed();
  const int on = 1;
  ::setsockopt(descriptor.number(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  ::setsockopt(descriptor.number(), SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  sockaddr_in bound = as_sockaddr(address);
  if (::bind(descriptor.number(), reinterpret_cast<const sockaddr*>(&bound), sizeof bound) != 0) return failed();
  socklen_t size = sizeof bound;
  if (::getsockname(descriptor.number(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) return failed();
  return UdpSocket(std::move(descriptor), as_address(bound));
}

std::optional<std::size_t> UdpSocket::receive(std::span<std::byte> room, SocketAddress& from) const {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  const ssize_t got = ::recvfrom(descriptor_.number(), room.data(), room.size(), MSG_DONTWAIT,
                                 reinterpret_cast<sockaddr*>(&address), &size);
  if (got < 0) return std::nullopt;
  from = as_address(address);
  return static_cast<std::size_t>(got);
}

bool UdpSocket::send(std::span<const std::uint8_t> packet, const SocketAddress& to) const {
  const sockaddr_in address = as_sockaddr(to);
  const ssize_t sent = ::sendto(descriptor_.number(), packet.data(), packet.size(), MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return sent == static_cast<ssize_t>(packet.size());
}

Result<RtpSockets> bind_rtp_sockets(const SocketAddress& address) {
  constexpr int kTries = 200;
  const bool any = address.port == 0;
  for (int i = 0; i < kTries; ++i) {
    auto rtp = UdpSocket::bind(address);
    if (!rtp) return rtp.error();
    if (rtp->address().port % 2 != 0) {
      if (any) continue;
      return Error{ErrorCode::bad_input, fmt::format("{}: is an odd port; RTP uses an even one and RTCP the next "
                                                     "(RFC 3550), so give an even one",
                                                     to_string(address))};
    }
    auto rtcp = UdpSocket::bind({address.host, static_cast<std::uint16_t>(rtp->address().port + 1)});
    if (rtcp) return RtpSockets{std::move(rtp).value(), std::move(rtcp).value()};
    if (!any) return rtcp.error();
  }
  return Error{ErrorCode::io, fmt::format("cannot find two free UDP ports in a row on {}", host_text(address))};
}

struct PacketReader::Memory {
  std::array<std::array<std::uint8_t, kRoom>, kBatch> octets;
  std::array<sockaddr_in, kBatch> from;
  std::array<iovec, kBatch> parts;
  std::array<mmsghdr, kBatch> headers;
  alignas(cmsghdr) std::array<std::array<std::uint8_t, CMSG_SPACE(sizeof(timespec))>, kBatch> control;
  std::array<Packet, kBatch> packets;
  std::optional<std::int64_t> real_less_monotonic;
  bool clock_was_set = false;              // since the waiting packets arrived
  std::optional<std::int64_t> emptied_ns;  // no packet was left then
};

PacketReader::PacketReader() : memory_(std::make_unique<Memory>()) {}
PacketReader::~PacketReader() = default;

std::span<PacketReader::Packet> PacketReader::read(const UdpSocket& socket) {
  Memory& m = *memory_;
  for (std::size_t i = 0; i < kBatch; ++i) {
    m.parts[i] = {m.octets[i].data(), kRoom};
    m.headers[i] = {};
    msghdr& header = m.headers[i].msg_hdr;
    header.msg_name = &m.from[i];
    header.msg_namelen = sizeof m.from[i];
    header.msg_iov = &m.parts[i];
    header.msg_iovlen = 1;
    header.msg_control = m.control[i].data();
    header.msg_controllen = m.control[i].size();
  }
  const std::int64_t clocks = real_less_monotonic_ns();
  if (m.real_less_monotonic && std::abs(clocks - *m.real_less_monotonic) > kClockSetNs) m.clock_was_set = true;
  m.real_less_monotonic = clocks;
  const std::int64_t before = monotonic_ns();
  const int got = ::recvmmsg(socket.descriptor(), m.headers.data(), kBatch, MSG_DONTWAIT, nullptr);
  if (got <= 0) {
    m.emptied_ns = before;
    return {};
  }
  const std::int64_t now = monotonic_ns();
  const std::int64_t earliest = m.emptied_ns.value_or(now);
  for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
    std::optional<std::int64_t> came;
    msghdr& header = m.headers[i].msg_hdr;
    for (cmsghdr* one = CMSG_FIRSTHDR(&header); one != nullptr; one = CMSG_NXTHDR(&header, one)) {
      if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SO_TIMESTAMPNS) continue;
      timespec time{};
      std::memcpy(&time, CMSG_DATA(one), sizeof time);
      came = time.tv_sec * kNsPerS + time.tv_nsec - clocks;
    }
    const bool known = came && !m.clock_was_set && *came <= now + kClockSetNs && *came >= now - kOldestNs;
    m.packets[i] = {std::span(m.octets[i]).first(std::min<std::size_t>(m.headers[i].msg_len, kRoom)),
                    as_address(m.from[i]), known ? std::min(*came, now) : earliest};
  }
  if (static_cast<std::size_t>(got) < kBatch) {
    m.clock_was_set = false;
    m.emptied_ns = before;
  }
  return std::span(m.packets).first(static_cast<std::size_t>(got));
}

}  // namespace vqas
