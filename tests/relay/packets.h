#pragma once

#include <cstdint>
#include <vector>

#include "relay/rtp.h"

namespace vqas::test {

using Octets = std::vector<std::uint8_t>;

/// An RTP packet of one source, 20 ms of G.711 by default.
struct RtpFields {
  std::uint16_t sequence = 0;
  std::uint32_t timestamp = 0;
  std::uint8_t payload_type = kPayloadPcmu;
  std::uint32_t ssrc = 0x11223344;
  std::size_t octets = 160;
  std::uint8_t fill = 0;
};
inline Octets rtp_packet(const RtpFields& f) {
  Octets packet{0x80, f.payload_type};
  for (const int shift : {8, 0}) packet.push_back(static_cast<std::uint8_t>(f.sequence >> shift));
  for (const int shift : {24, 16, 8, 0}) packet.push_back(static_cast<std::uint8_t>(f.timestamp >> shift));
  for (const int shift : {24, 16, 8, 0}) packet.push_back(static_cast<std::uint8_t>(f.ssrc >> shift));
  packet.resize(packet.size() + f.octets, f.fill);
  return packet;
}
/// Packet k of a stream of 20 ms packets.
inline Octets stream_packet(std::uint64_t k, std::uint8_t payload_type = kPayloadPcmu) {
  return rtp_packet({.sequence = static_cast<std::uint16_t>(k),
                     .timestamp = static_cast<std::uint32_t>(160 * k),
                     .payload_type = payload_type});
}
inline Octets payload_of(const Octets& packet) {
  const RtpParse parse = parse_rtp(packet);
  const auto begin = packet.begin() + static_cast<std::ptrdiff_t>(parse.header.payload_begin);
  return {begin, begin + static_cast<std::ptrdiff_t>(parse.header.payload_size)};
}

inline constexpr std::int64_t kMs = 1'000'000;

}  // namespace vqas::test
